// headroom tour: one model, one prompt, and everything that attention and its cache cost on the way.
#include "cli/command.h"

#include "cli/text.h"
#include "cli/tour_pages.h"
#include "cli/tour_pictures.h"
#include "cli/view_window.h"
#include "experiments/verification.h"
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace headroom {
namespace {

// False: a kernel is wrong.
bool show_kernels(const Terminal& out)
{
    fmt::print("{}", out.heading(9, "The CUDA kernels, against the reference"));
    fmt::print("  {}\n", out.dim("executor    passed   failed   skipped"));
    VerificationSettings settings;
    settings.quick = true;
    const std::vector<CheckResult> results = verify(settings);
    bool right = true;
    for (const std::string_view executor : {"simt", "ptx", "device"}) {
        std::size_t count[3] = {};
        std::string missing;
        for (const CheckResult& r : results) {
            if (r.executor != executor) continue;
            ++count[static_cast<std::size_t>(r.status)];
            if (r.case_name == "all") missing = r.reason;
        }
        const auto [passed, failed, skipped] = count;
        right = right && failed == 0;
        if (missing.empty())
            fmt::print("  {:<8} {:>9} {:>8} {:>9}\n", executor, passed, failed, skipped);
        else
            fmt::print("{}",
                       wrapped("skipped: " + missing, fmt::format("  {:<8}   ", executor), std::string(13, ' '), 78));
    }
    fmt::print("\n");
    for (const char* line : {"simt: the kernels' source on this computer. ptx: what nvcc made of it,",
                             "interpreted. device: a GPU. A step skips what it does not claim.",
                             "headroom verify shows each step, and runs more cases."})
        fmt::print("  {}\n", out.dim(line));
    return right;
}

// The same in pictures; and the window, if somebody sits before it.
void show_pictures(const std::string& folder, const Terminal& out)
{
    fmt::print("{}", out.heading(10, "All this in pictures"));
    const LeftPictures left = leave_pictures(folder);
    fmt::print("  In {}/, each as SVG and PNG: {}\n  {}\n\n", folder, fmt::join(left.files, ", "),
               left.film ? "and decode.mp4, the first of them in motion" : "(no film: there is no ffmpeg)");
    if (!has_window() || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        fmt::print("  {}\n\n", out.dim("Where there is a display, headroom view opens them in a window."));
        return;
    }
    fmt::print("  Open the window? [Y/n] ");
    std::fflush(stdout);
    std::string answer;
    if (std::getline(std::cin, answer) && !answer.starts_with('n') && !answer.starts_with('N')) open_window({});
    fmt::print("\n");
}

} // namespace

Action declare_tour(CLI::App& app)
{
    auto s = std::make_shared<TourSettings>();
    app.add_option("--model", s->model, "checkpoint (llama2.c or safetensors), or a built-in model");
    app.add_option("--tokenizer", s->tokenizer, "its tokenizer; default: tokenizer.bin beside it");
    app.add_option("--prompt", s->prompt, "text to continue")->capture_default_str();
    app.add_option("--steps", s->steps, "new tokens")->check(CLI::Range(2, 256))->capture_default_str();
    auto pictures = std::make_shared<std::string>("tour");
    app.add_option("--pictures", *pictures, "folder for pictures and a film; empty: none")->capture_default_str();
    auto without_kernels = std::make_shared<bool>(false);
    app.add_flag("--without-kernels", *without_kernels, "leave out the part that takes longest");
    return [s, pictures, without_kernels] {
        if (std::filesystem::exists(*pictures) && !std::filesystem::is_directory(*pictures))
            throw std::invalid_argument("--pictures " + *pictures + " is a file, not a folder");
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
        const bool right = *without_kernels || show_kernels(out);
        if (!pictures->empty()) show_pictures(*pictures, out);
        fmt::print("\n");
        out.say("Next: headroom tutorial · headroom generate --prompt \"...\" · headroom --help");
        fmt::print("\n");
        return right ? 0 : 1;
    };
}

} // namespace headroom
