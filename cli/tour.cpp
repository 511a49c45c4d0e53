// headroom tour: one model, one prompt, and everything that attention and its cache cost on the way.
#include "cli/command.h"

#include "cli/tour_pages.h"
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

namespace headroom {

Action declare_tour(CLI::App& app)
{
    auto s = std::make_shared<TourSettings>();
    app.add_option("--model", s->model, "checkpoint (llama2.c or safetensors), or a built-in model");
    app.add_option("--tokenizer", s->tokenizer, "its tokenizer; default: tokenizer.bin beside it");
    app.add_option("--prompt", s->prompt, "text to continue")->capture_default_str();
    app.add_option("--steps", s->steps, "new tokens")->check(CLI::Range(2, 256))->capture_default_str();
    return [s] {
        const bool watched = isatty(STDERR_FILENO);
        if (watched) s->progress = [](const std::string& what) { fmt::print(stderr, "\r\033[Krunning {} …", what); };
        const Tour run = tour(*s);
        if (watched) fmt::print(stderr, "\r\033[K");

        const Terminal out;
        fmt::print("\n  {}\n  {}\n", out.strong("Headroom: what attention costs while a model writes"),
                   out.dim("Every number is counted or timed in this run; what is computed says so."));
        for (const auto& show :
             {show_model, show_layer, show_decoding, show_sharing, show_caches, show_work, show_times, show_text})
            show(run, out);
        return 0;
    };
}

} // namespace headroom
