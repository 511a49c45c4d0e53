// headroom chat: a dialogue that keeps its cache from turn to turn, and what that saves.
#include "cli/command.h"

#include "cli/chat_output.h"
#include "cli/model_options.h"
#include "cli/needs.h"
#include "cli/refuse.h"
#include "cli/terminal.h"
#include <cstdio>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <unistd.h>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto help = "a line is continued, an empty one lets the model go on; /undo takes the last turn back, "
                      "/reset forgets all, /quit or the end of the input ends";

constexpr std::size_t longest_line = 1 << 20; // bytes; far more than a context holds

struct Settings {
    ModelOptions options;
    SamplingOptions sampling;
    std::vector<std::string> lines;
    bool forgetful = false, json = false;
};

class Chat {
public:
    Chat(const Settings& s, const Model& model, Dialogue& dialogue)
        : s_(s), model_(model), dialogue_(dialogue),
          interactive_(!s.json && s.lines.empty() && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
    {}

    void run()
    {
        if (interactive_) terminal_.say(model_.name + " continues stories, it is no assistant: " + help);
        try {
            while (go_on()) {
            }
        } catch (...) { // the turns before it stand, and are summed
            end();
            throw;
        }
        end();
    }

private:
    bool go_on()
    {
        try {
            const auto line = next_line();
            if (!line || *line == "/quit") return false;
            take(*line);
        } catch (const std::logic_error& error) { // a person reads what is wrong and goes on, a script stops
            if (!interactive_) throw;
            refuse(error.what());
        }
        return true;
    }

    void end()
    {
        if (s_.json)
            print(to_json(totals_));
        else if (totals_.turns > 0)
            terminal_.say(to_text(totals_));
        std::cout << std::flush;
    }

    std::optional<std::string> next_line()
    {
        if (!s_.lines.empty()) return given_ < s_.lines.size() ? std::optional(s_.lines[given_++]) : std::nullopt;
        if (interactive_) std::cout << "> " << std::flush;
        std::string line;
        int c = std::cin.get();
        for (; c != EOF && c != '\n'; c = std::cin.get()) {
            if (line.size() == longest_line) {
                if (interactive_) std::cin.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
                throw std::length_error("a line has more than " + std::to_string(longest_line) + " bytes");
            }
            line += static_cast<char>(c);
        }
        if (c == EOF && std::ferror(stdin)) throw std::runtime_error("cannot read the standard input");
        if (c == EOF && line.empty()) {
            if (interactive_) std::cout << '\n';
            return std::nullopt;
        }
        if (line.ends_with('\r')) line.pop_back();
        return line;
    }

    void take(const std::string& line)
    {
        if (line == "/undo")
            undo();
        else if (line == "/reset")
            reset();
        else if (line == "/help" && s_.json)
            return;
        else if (line == "/help")
            terminal_.say(help);
        else if (line.starts_with('/'))
            throw std::invalid_argument("there is no '" + line +
                                        "' in a dialogue; there are /undo, /reset, /help, /quit");
        else
            say(line);
    }

    void say(const std::string& line)
    {
        std::string answer;
        const Turn turn = answered(line, [&](const std::string& text) {
            answer += text;
            if (interactive_) std::cout << text << std::flush; // else all of it when the turn has ended
        });
        totals_.add(turn);
        if (s_.json) return print(to_json(turn, totals_.turns, model_.tokenizer));
        if (!interactive_) std::cout << "> " << line << '\n' << answer;
        std::cout << '\n';
        terminal_.say(to_text(turn, totals_.turns, !s_.options.no_cache));
        std::cout << std::flush;
    }

    Turn answered(const std::string& line, const Dialogue::OnText& on_text)
    {
        try {
            return dialogue_.say(line, on_text);
        } catch (const std::length_error& full) {
            throw std::length_error(std::string(full.what()) + "; /undo takes the last turn back, /reset forgets all");
        }
    }

    void undo()
    {
        const auto before = static_cast<Index>(dialogue_.tokens().size());
        const Index recomputed = dialogue_.undo(), length = static_cast<Index>(dialogue_.tokens().size());
        if (s_.json)
            print({{"event", "undo"},
                   {"removed_tokens", before - length},
                   {"length", length},
                   {"recomputed_tokens", recomputed},
                   {"live_bytes", dialogue_.bytes().live},
                   {"copied_bytes", dialogue_.bytes().copied}});
        else
            terminal_.say("undone: " + std::to_string(before - length) + " tokens fewer, " + std::to_string(length) +
                          " are left" + (recomputed ? " and were computed again: the ring had overwritten them" : ""));
    }

    void reset()
    {
        dialogue_.reset();
        if (s_.json)
            print({{"event", "reset"}, {"length", 0}, {"live_bytes", dialogue_.bytes().live}});
        else
            terminal_.say("all is forgotten");
    }

    static void print(const Json& event) // one per line, as soon as it happens
    {
        std::cout << event.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    }

    const Settings& s_;
    const Model& model_;
    Dialogue& dialogue_;
    const Terminal terminal_;
    const bool interactive_;
    std::size_t given_ = 0; // of --say
    ChatTotals totals_;
};

int chat(const Settings& s)
{
    const Model model = s.options.load();
    GenerationSettings settings = s.options.settings(model);
    s.sampling.write_to(settings);
    need(*s.options.given, {"--forgetful"}, !s.options.no_cache, "a cache to forget");
    const Backend backend = s.options.backend();
    Dialogue dialogue(model, settings, backend, s.forgetful);
    Chat(s, model, dialogue).run();
    return 0;
}

} // namespace

Action declare_chat(CLI::App& app)
{
    auto s = std::make_shared<Settings>();
    app.footer("Lines come from the standard input: " + std::string(help) +
               ". The built-in models were trained on short stories: they continue them and answer no questions.");
    s->options.declare_model(app);
    app.add_option("--say", s->lines, "a line of the dialogue, instead of the standard input; several in turn");
    s->sampling.declare_steps(app, "turn");
    s->options.declare_cache(app);
    app.add_flag("--forgetful", s->forgetful,
                 "as a server that keeps nothing between turns: each computes the whole dialogue again");
    s->sampling.declare(app);
    app.add_flag("--json", s->json, "one line per event: token ids, lengths, bytes, tokens computed again");
    return [s] { return chat(*s); };
}

} // namespace headroom
