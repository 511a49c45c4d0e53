#include "tutorials/chapters.h"

#include "reference/tensor/this_program.h"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace headroom {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Beside an installed program lie the texts, with their pictures; else all is in the sources.
fs::path tutorials_folder()
{
    std::error_code error;
    const fs::path installed = this_program().parent_path() / ".." / "share" / "headroom" / "tutorials";
    return fs::is_directory(installed, error) ? installed.lexically_normal() : fs::path(HEADROOM_TUTORIALS);
}

// What the reader has done lies in the build folder, a file for each chapter and deed.
fs::path note_of(const Chapter& chapter, const char* deed)
{
    return fs::path(HEADROOM_BUILD) / "tutorials" / (chapter.name + "." + deed);
}

void write(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text; // a note that cannot be written is no reason to fail
}

std::string without_comments(std::string text)
{
    for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos;) {
        std::size_t end = std::min(text.find("-->", at), text.size() - 3) + 3;
        const bool whole_line = (at == 0 || text[at - 1] == '\n') && end < text.size() && text[end] == '\n';
        text.erase(at, end + (whole_line ? 1 : 0) - at);
    }
    return text;
}

bool is_chapter(const std::string& name)
{
    return name.size() > 3 && name[0] >= '0' && name[0] <= '9' && name[1] >= '0' && name[1] <= '9' && name[2] == '_';
}

} // namespace

std::vector<Chapter> chapters()
{
    const fs::path folder = tutorials_folder();
    if (!fs::is_directory(folder))
        throw std::invalid_argument("the tutorials are part of the source; run ./headroom tutorial in a checkout");
    std::vector<Chapter> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_directory() && is_chapter(name))
            found.push_back({std::stoi(name.substr(0, 2)), name, entry.path()});
    }
    std::ranges::sort(found, {}, &Chapter::number);
    return found;
}

Chapter chapter(int number)
{
    const std::vector<Chapter> all = chapters();
    const auto found = std::ranges::find(all, number, &Chapter::number);
    if (found == all.end())
        throw std::invalid_argument("there is no chapter " + std::to_string(number) +
                                    "; 'headroom tutorial' lists them");
    return *found;
}

bool has_programs(const Chapter& chapter) { return fs::exists(chapter.folder / "main.cpp"); }

std::string text_of(const Chapter& chapter, bool chinese)
{
    return without_comments(read(chapter.folder / (chinese ? "README.zh.md" : "README.md")));
}

std::string title_of(const Chapter& chapter, bool chinese) // "# 1. One query by hand"
{
    const std::string text = text_of(chapter, chinese);
    const std::string line = text.substr(0, text.find('\n'));
    const std::size_t start = line.find_first_not_of("# 0123456789.");
    return start == std::string::npos ? chapter.name : line.substr(start);
}

std::string question_of(const Chapter& chapter, bool chinese)
{
    const std::string text = text_of(chapter, chinese);
    const std::size_t start = std::min(text.find_first_not_of('\n', text.find('\n')), text.size());
    std::string question = text.substr(start, text.find("\n\n", start) - start);
    std::erase(question, '*');
    for (std::size_t at = 0; (at = question.find('\n', at)) != std::string::npos;)
        chinese ? question.erase(at, 1) : question.replace(at, 1, " ");
    return question;
}

Progress progress(const Chapter& chapter)
{
    const fs::path solved = note_of(chapter, "solved");
    if (fs::exists(solved) && read(solved) == read(chapter.folder / "exercise.cpp")) return Progress::solved;
    return fs::exists(note_of(chapter, "seen")) ? Progress::seen : Progress::untouched;
}

void note_seen(const Chapter& chapter) { write(note_of(chapter, "seen"), ""); }
void note_solved(const Chapter& chapter) { write(note_of(chapter, "solved"), read(chapter.folder / "exercise.cpp")); }

} // namespace headroom
