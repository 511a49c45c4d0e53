#include "viewer/app/keymap.h"

namespace headroom {

const std::vector<KeyLine>& key_lines()
{
    static const std::vector<KeyLine> lines{
        {"Space", Words::does_play, {{{U' '}, {Act::play}}}},
        {"← →", Words::does_step, {{{Key::left}, {Act::left}}, {{Key::right}, {Act::right}}}},
        {"Shift ← →",
         Words::does_phase,
         {{{.code = Key::left, .shift = true}, {Act::phase_back}},
          {{.code = Key::right, .shift = true}, {Act::phase}}}},
        {"Home End", Words::does_ends, {{{Key::home}, {Act::first}}, {{Key::end}, {Act::last}}}},
        {"[ ]", Words::does_speed, {{{U'['}, {Act::slower}}, {{U']'}, {Act::faster}}}},
        {"1 – 5",
         Words::does_scene,
         {{{U'1'}, {Act::scene, 0}},
          {{U'2'}, {Act::scene, 1}},
          {{U'3'}, {Act::scene, 2}},
          {{U'4'}, {Act::scene, 3}},
          {{U'5'}, {Act::scene, 4}}}},
        {"P", Words::does_pin, {{{U'P'}, {Act::pin}}}},
        {"↑ ↓ ← →", Words::does_move, {{{Key::up}, {Act::up}}, {{Key::down}, {Act::down}}}},
        {"Esc", Words::does_leave, {{{Key::escape}, {Act::leave}}}},
        {"D", Words::does_theme, {{{U'D'}, {Act::theme}}}},
        {"Z", Words::does_language, {{{U'Z'}, {Act::language}}}},
        {"L", Words::does_logarithmic, {{{U'L'}, {Act::logarithmic}}}},
        {"Ctrl + −",
         Words::does_size,
         {{{.code = U'+', .ctrl = true}, {Act::larger}},
          {{.code = U'-', .ctrl = true}, {Act::smaller}},
          {{.code = U'0', .ctrl = true}, {Act::usual_size}}}},
        {"M", Words::does_motion, {{{U'M'}, {Act::motion}}}},
        {"E", Words::does_export, {{{U'E'}, {Act::export_picture}}}},
        {"W", Words::does_walk, {{{U'W'}, {Act::walk}}, {{Key::enter}, {Act::walk_on}}}},
        {"?", Words::does_help, {{{U'?'}, {Act::help}}}},
        {"Q", Words::does_quit, {{{U'Q'}, {Act::quit}}}},
    };
    return lines;
}

std::optional<Request> request_of(const Key& key)
{
    for (const KeyLine& line : key_lines())
        for (const auto& [each, request] : line.requests)
            if (each == key) return request;
    return std::nullopt;
}

} // namespace headroom
