// headroom tutorial: lists the chapters with the reader's progress, runs one, checks the reader's exercise.
#include "cli/command.h"

#include "cli/museum.h"
#include "cli/needs.h"
#include "cli/terminal.h"
#include "tutorials/workshop.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace headroom {
namespace {

struct Settings {
    std::string which, exhibit, language = "en", file, pictures;
    bool check = false, text = false, json = false;
    bool chinese() const { return language == "zh"; }
};

const char* word(Progress progress)
{
    return progress == Progress::solved ? "solved" : progress == Progress::seen ? "seen" : "untouched";
}

void print_json()
{
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Chapter& each : chapters())
        list.push_back({{"number", each.number},
                        {"name", each.name},
                        {"title", title_of(each, false)},
                        {"title_zh", title_of(each, true)},
                        {"progress", word(progress(each))}});
    fmt::print("{}\n", nlohmann::ordered_json{{"schema", "headroom.tutorial/1"}, {"chapters", list}}.dump(2));
}

void list(const Settings& s)
{
    const Terminal terminal;
    const std::vector<Chapter> all = chapters();
    const bool texts_alone = std::ranges::none_of(all, has_programs);
    const auto solved = std::ranges::count(all, Progress::solved, progress);
    for (const Chapter& each : all) {
        const Progress p = progress(each);
        const char* mark = p == Progress::solved ? "●" : p == Progress::seen ? "◐" : "○";
        fmt::print("{:>3} {} {}\n      {}\n", each.number, terminal.accent(mark),
                   terminal.strong(title_of(each, s.chinese())), terminal.dim(question_of(each, s.chinese())));
    }
    if (texts_alone) {
        fmt::print("{}", s.chinese()
                             ? "\nheadroom tutorial N --text --lang zh 显示第 N 章的正文；程序和练习在源代码里。\n"
                             : "\nheadroom tutorial N --text prints chapter N; programs and exercises are in "
                               "the sources.\n");
        return;
    }
    fmt::print(fmt::runtime(s.chinese() ? "\n练习已完成 {} / {}（● 已完成　◐ 运行过　○ 未开始）。./headroom tutorial N "
                                          "--lang zh 运行第 N 章。\n"
                                        : "\n{} of {} exercises solved (● solved, ◐ seen, ○ untouched). "
                                          "./headroom tutorial N runs chapter N.\n"),
               solved, all.size());
}

std::string from_here(const std::filesystem::path& path)
{
    const std::string there = std::filesystem::proximate(path).string();
    return there.starts_with("../..") ? path.string() : there;
}

void show(const Chapter& chapter, const Settings& s)
{
    const Terminal terminal;
    const bool zh = s.chinese();
    fmt::print("{}{}\n\n", terminal.heading(chapter.number, title_of(chapter, zh)), question_of(chapter, zh));
    std::fflush(stdout);
    run_program(chapter);
    note_seen(chapter);
    fmt::print(fmt::runtime(zh ? "\n正文：{}\n练习：{}，然后运行 ./headroom tutorial {} --check\n"
                               : "\nThe text:      {}\nYour exercise: {}, then ./headroom tutorial {} --check\n"),
               from_here(chapter.folder / (zh ? "README.zh.md" : "README.md")),
               from_here(chapter.folder / "exercise.cpp"), chapter.number);
}

int check(const Chapter& chapter, const Settings& s)
{
    const bool own = s.file.empty(), zh = s.chinese();
    const std::filesystem::path file = own ? chapter.folder / "exercise.cpp" : std::filesystem::path(s.file);
    const Verdict verdict = check_exercise(chapter, file);
    if (verdict.passed) {
        if (own) note_solved(chapter);
        fmt::print(fmt::runtime(zh ? "{}{} 解出了第 {} 章的练习。\n" : "{}{} solves chapter {}.\n"), verdict.words,
                   from_here(file), chapter.number);
        return 0;
    }
    const char* const uncompiled = zh ? "还不能编译：" : "It does not compile yet: ";
    fmt::print("{}{}", verdict.compiled ? "" : uncompiled, verdict.words);
    fmt::print(fmt::runtime(zh ? "还没有完成：修改 {} 后再检查一次；{} 给出了一种做法。\n"
                               : "Not yet: edit {} and check again; {} shows one way.\n"),
               from_here(file), from_here(chapter.folder / "solution.cpp"));
    return 1;
}

int number_in(const std::string& text)
{
    int number = 0;
    const char* const end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, number); read.ec != std::errc{} || read.ptr != end)
        throw std::invalid_argument("'" + text + "' is neither the number of a chapter nor 'museum'");
    return number;
}

int tutorial(const Settings& s, const CLI::App& app)
{
    const bool pictures_given = app.count("--pictures") > 0;
    need(app, {"--lang"}, !s.json && !pictures_given, "a text: --json and --pictures hold both languages");
    if (s.which == "museum") {
        if (s.check || s.text || s.json || !s.file.empty())
            throw std::invalid_argument("the museum has no --check, --text, --json or --file");
        if (pictures_given && s.pictures.empty()) throw std::invalid_argument("--pictures: it is empty");
        return visit_museum({s.exhibit, s.chinese(), s.pictures});
    }
    if (!s.exhibit.empty() || pictures_given)
        throw std::invalid_argument("exhibits and --pictures belong to 'headroom tutorial museum'");
    if (s.which.empty()) {
        if (s.check || s.text || !s.file.empty())
            throw std::invalid_argument("which chapter? 'headroom tutorial 1 --check', for example");
        s.json ? print_json() : list(s);
        return 0;
    }
    const Chapter chosen = chapter(number_in(s.which));
    if (!s.text && !has_programs(chosen))
        throw std::invalid_argument(fmt::format("the programs of chapters are built from the sources, where "
                                                "./headroom tutorial {0} runs this one; its text: headroom tutorial "
                                                "{0} --text",
                                                chosen.number));
    if (s.json) throw std::invalid_argument("--json is the list's: 'headroom tutorial --json'");
    if (s.check) return check(chosen, s);
    if (!s.file.empty()) throw std::invalid_argument("--file is checked with --check");
    if (s.text)
        fmt::print("{}", text_of(chosen, s.chinese()));
    else
        show(chosen, s);
    return 0;
}

} // namespace

Action declare_tutorial(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.add_option("chapter", s->which, "its number: run that chapter's program; 'museum'; without one: list all");
    app.add_option("exhibit", s->exhibit, "of the museum: run it with its fault off and on; without one: list all");
    CLI::Option* check = app.add_flag("--check", s->check, "compile and test your exercise; 0 solved, 1 not yet");
    app.add_option("--file", s->file, "check this file instead of the chapter's exercise.cpp");
    app.add_flag("--text", s->text, "print the chapter's text")->excludes(check);
    app.add_option("--lang", s->language, "en or zh")->check(CLI::IsMember({"en", "zh"}))->capture_default_str();
    app.add_option("--pictures", s->pictures, "write the museum's pictures, or the exhibit's, into this folder");
    app.add_flag("--json", s->json, "the list as headroom.tutorial/1 on stdout");
    return [s, &app] { return tutorial(*s, app); };
}

} // namespace headroom
