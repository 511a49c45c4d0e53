// headroom view: a recording in a window, as a picture (SVG, PNG), a film (MP4, GIF) or as text.
#include "cli/command.h"
#include "cli/needs.h"
#include "cli/parts.h"
#include "cli/view_pictures.h"
#include "cli/view_window.h"

#include "experiments/scene_recordings.h"
#include "reference/tensor/files.h"
#include "viewer/export/describe.h"
#include "viewer/scenes/scene.h"
#include <algorithm>
#include <climits>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <stdexcept>

namespace headroom {
namespace {

struct Options {
    std::string file, scene = "decode", hover, theme = "light", language = "en", size = "1600x900", out, all;
    std::vector<std::string> set;
    double step = -1, zoom = 1, speed = 2;
    bool describe = false, walk = false, window = false;
    int time_frames = 0;
    CLI::App* given = nullptr; // which of these were said
    bool opens_window() const { return out.empty() && all.empty() && !describe; }
};

Rect size_from(const std::string& text)
{
    const std::vector<std::string> both = parts(text, 'x');
    const auto width = whole_number(both.front(), 640, 7680), height = whole_number(both.back(), 400, 4320);
    if (both.size() != 2 || !width || !height)
        throw std::invalid_argument("--size " + text + " is not like 1600x900, from 640x400 to 7680x4320");
    return {0, 0, static_cast<float>(*width), static_cast<float>(*height)};
}

Cell cell_from(const std::string& text) // TENSOR,lane,h,i,d
{
    if (text.empty()) return {};
    const std::vector<std::string> words = parts(text, ',');
    const auto refuse = [&] {
        throw std::invalid_argument("--hover " + text + " is not like output,LANE,HEAD,ROW,COLUMN");
    };
    if (words.size() != 5 && words.size() != 1) refuse();
    Cell cell;
    for (const auto& [word, number] : {std::pair{1, &cell.lane}, {2, &cell.head}, {3, &cell.row}, {4, &cell.column}}) {
        if (words.size() == 1) break; // all of a tensor
        const auto read = whole_number(words[static_cast<std::size_t>(word)], INT_MIN, INT_MAX);
        if (!read) refuse();
        *number = static_cast<int>(*read);
    }
    const std::string& part = words.front();
    for (const Part known :
         {Part::q, Part::k, Part::v, Part::weights, Part::output, Part::slot, Part::model, Part::access, Part::error})
        if (part == part_name(known)) cell.part = known;
    if (cell.part == Part::none)
        throw std::invalid_argument("--hover knows q, k, v, weights, output, slot, model, access and error, not '" +
                                    part + "'");
    return cell;
}

// --set kv_dtype=i8, by the controls of the scene.
// `remaking`: only those that make the run again, before there is one. `opened`: what a file holds is not run again.
Settings chosen(const std::vector<std::string>& list, const std::vector<Control>& controls, bool remaking, bool opened)
{
    Settings settings;
    std::vector<const Control*> meant;
    for (const std::string& text : list) {
        const std::size_t equals = text.find('=');
        const auto control = std::ranges::find(controls, text.substr(0, equals), &Control::key);
        if (remaking && (control == controls.end() || !control->remakes)) continue;
        if (equals == std::string::npos || control == controls.end()) {
            std::string known;
            for (const Control& each : controls) known += (known.empty() ? "" : ", ") + std::string(each.key);
            throw std::invalid_argument("--set " + text + " is not NAME=VALUE with one of " + known);
        }
        if (control->remakes && opened)
            throw std::invalid_argument("--set " + text + ": a file is shown as it was recorded, not run again");
        set(settings, *control, text.substr(equals + 1));
        meant.push_back(&*control);
    }
    for (const Control* control : meant)
        if (!matters(*control, controls, settings))
            throw std::invalid_argument("--set " + std::string(control->key) + " changes nothing with this " +
                                        std::string(control->only_with));
    return settings;
}

// `read`: what the file holds; null: no file was named.
WindowChoices window_choices(const Options& s, const View& view, std::shared_ptr<const Recording> read = {})
{
    WindowChoices choices;
    choices.recording = std::move(read);
    choices.file_name = std::filesystem::path(s.file).filename().string();
    if (s.given->count("--scene")) choices.scene = s.scene;
    choices.step = s.step;
    choices.settings = view.settings;
    choices.walk = s.walk;
    choices.time_frames = s.time_frames;
    if (s.given->count("--theme")) choices.dark = theme(s.theme).dark;
    if (s.given->count("--lang")) choices.language = s.language == "zh" ? Language::zh : Language::en;
    const Rect size = size_from(s.size);
    if (s.given->count("--size")) choices.size = {static_cast<int>(size.width()), static_cast<int>(size.height())};
    return choices;
}

void refuse_ignored(const Options& s)
{
    const CLI::App& app = *s.given;
    const bool exported = !s.out.empty(), walk = s.walk && exported, film = !walk && is_film(s.out),
               opens = s.opens_window();
    need(app,
         {"--scene", "--step", "--hover", "--set", "--theme", "--lang", "--export", "--speed", "--walk", "--window",
          "--time-frames", "--describe"},
         s.all.empty(), "one picture, not --all");
    if (walk && !s.file.empty()) throw std::invalid_argument("--walk shows runs of its own, not " + s.file);
    need(app, {"--scene", "--step", "--set"}, !walk, "a picture, a film or the window: --walk has scenes of its own");
    need(app, {"--step"}, !film, "a picture: a film shows all steps");
    need(app, {"--hover"}, !opens && !walk, "--export or --describe");
    need(app, {"--describe", "--window"}, !walk && !film, "a picture, not a walk or a film");
    need(app, {"--walk"}, exported || opens || s.window, "the window, or --export of a folder");
    need(app, {"--window"}, !opens, "--export or --describe");
    need(app, {"--theme"}, exported || opens || s.window, "--export or the window");
    need(app, {"--speed"}, film, "--export of a film (.mp4, .gif)");
    need(app, {"--zoom"}, !s.all.empty() || walk || film || s.out.ends_with(".png"),
         "pixels: --export of a PNG or a film, or --all");
    need(app, {"--time-frames"}, opens, "the window");
}

int look(Options& s)
{
    refuse_ignored(s);
    const Scene& shown = scene(s.scene);
    const Settings run =
        chosen(s.set, shown.controls({.title = "", .command = "", .lanes = {}}), true, !s.file.empty());
    if (s.walk && !s.out.empty()) {
        write_walk(s.out, window_choices(s, {.hover = {}, .pinned = {}}), static_cast<float>(s.zoom));
        return 0;
    }
    const auto read =
        std::make_shared<const Recording>(s.file.empty() ? scene_recording(s.scene, run) : read_recording(s.file));
    const Recording& recording = *read;
    const auto opened = s.file.empty() ? nullptr : read;
    if (!s.out.empty()) refuse_overwriting(s.file, s.out);
    View view;
    view.time = s.step >= 0 ? s.step : usual_time(s.scene);
    view.settings = chosen(s.set, shown.controls(recording), false, !s.file.empty());
    view.language = s.language == "zh" ? Language::zh : Language::en;
    const auto steps = static_cast<double>(shown.steps(recording, view));
    if (s.step > 0 && s.step > steps - 1)
        throw std::invalid_argument(
            fmt::format("--step {}: the last step of this run is {}", s.step, std::max(steps - 1, 0.0)));
    view.hover = cell_from(s.hover);
    if (view.hover.part != Part::none && !shown.has(recording, view, view.hover))
        throw std::invalid_argument("--hover " + s.hover + ": this step of the recording has no such cell");
    if (s.opens_window()) return open_window(window_choices(s, view, opened));
    const Rect size = size_from(s.size);
    view.text_size = text_size_for(size);

    if (!s.all.empty()) {
        write_all_pictures(s.all, s.file.empty() ? nullptr : &recording, size, static_cast<float>(s.zoom));
        return 0;
    }
    if (is_film(s.out)) {
        write_scene_film(s.out, shown, recording, view, size, theme(s.theme), static_cast<float>(s.zoom), s.speed);
        return 0;
    }
    const Picture picture =
        s.window ? window_picture(window_choices(s, view, opened), view.hover) : draw(shown, recording, view, size);
    if (!s.out.empty()) write_picture(picture, theme(s.theme), s.out, static_cast<float>(s.zoom));
    if (s.describe) std::cout << describe(picture);
    return 0;
}

} // namespace

Action declare_view(CLI::App& app)
{
    auto s = std::make_shared<Options>();
    app.add_option("file", s->file, "a recording; without one: a run made for each scene");
    app.add_option("--scene", s->scene, "which scene")->capture_default_str();
    app.add_option(
           "--step", s->step,
           "which step; default the last, in a picture of Memory that of 8,192 tokens; 3.5 is half way to step 4")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--hover", s->hover,
                   "point at a cell: TENSOR,LANE,HEAD,ROW,COLUMN, e.g. output,1,2,0,3; or at a whole tensor: k");
    app.add_option("--set", s->set, "a control of the scene, e.g. --scene memory --set kv_dtype=i8");
    app.add_option("--theme", s->theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
    app.add_option("--lang", s->language, "en or zh")->check(CLI::IsMember({"en", "zh"}))->capture_default_str();
    app.add_option("--size", s->size, "in pixels")->capture_default_str();
    app.add_option("--zoom", s->zoom, "pixels of a PNG per pixel of --size")
        ->check(CLI::Range(0.25, 4.0))
        ->capture_default_str();
    app.add_option(
        "--export", s->out,
        "write a picture (.svg, .png) or a film of all steps (.mp4, .gif; needs ffmpeg); with --walk a folder");
    app.add_option("--speed", s->speed, "steps per second of a film")
        ->check(CLI::Range(0.25, 16.0))
        ->capture_default_str();
    app.add_flag("--walk", s->walk, "the guided walk: in the window, or with --export as pictures");
    app.add_flag("--window", s->window,
                 "with --export or --describe: the whole window, the scene with the bars around it");
    app.add_option("--time-frames", s->time_frames,
                   "draw so many frames in the window, print how long they took, and quit")
        ->check(CLI::Range(1, 10000));
    app.add_flag("--describe", s->describe, "print what the picture shows: its words and every number with its origin");
    app.add_option("--all", s->all, "write every scene in both languages and both themes into this folder");
    s->given = &app;
    return [s] { return look(*s); };
}

} // namespace headroom
