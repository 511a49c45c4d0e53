#include "tests/floor_plan/plan.h"

#include <algorithm>

namespace headroom {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string_view>;

// A room is a folder with all that is inside it, unless a longer name is a room too. What it sees, it sees with what
// that room sees, except where a room says that it sees only what it names.
struct Room {
    std::string_view name;
    Names sees;
    bool only_these = false;
};
const std::vector<Room>& rooms()
{
    static const std::vector<Room> all{
        {"reference/tensor", {}},
        {"reference/contract", {"reference/tensor"}},

        {"reference/attention", {"reference/contract"}},
        {"reference/kv_cache", {"reference/contract"}},
        {"reference/parallel", {"reference/contract"}},

        {"cuda/primitives", {"cuda/executor", "reference/contract"}},
        {"cuda/executor", {"cuda/primitives", "reference/contract"}},
        {"cuda/ladder.inc", {}},
        {"cuda/step.h", {"cuda/ladder.inc", "cuda/executor", "cuda/primitives"}}, // what every step looks like
        {"cuda/prefill", {"cuda/step.h"}},
        {"cuda/decode", {"cuda/step.h"}},
        {"cuda/kv_cache", {"cuda/step.h"}},
        {"cuda", {"cuda/attention.h", "cuda/tracing.h", "cuda/prefill", "cuda/decode", "cuda/kv_cache"}},
        {"cuda/attention.h", {"reference/contract"}}, // all of cuda/ that is seen from above
        {"cuda/tracing.h", {"reference/contract"}},   // and this, where its kernels are traced

        {"reference/decoder", {"reference/attention", "reference/kv_cache", "reference/parallel"}},
        {"reference/planning", {"reference/attention", "reference/kv_cache", "reference/parallel"}},
        {"reference/verification", {"reference/attention", "reference/kv_cache", "reference/parallel"}},
        {"reference/recording",
         {"reference/decoder", "reference/planning", "reference/verification", "cuda/attention.h"}},
        {"experiments", {"reference/recording", "cuda/tracing.h"}},

        {"viewer/picture", {}},
        {"viewer/export", {"viewer/picture", "reference/recording", "reference/planning", "reference/tensor"}, true},
        {"viewer/scenes", {"viewer/picture", "reference/recording", "reference/planning", "reference/tensor"}, true},
        {"viewer/app", {"viewer/scenes", "viewer/export", "viewer/picture", "experiments"}},
        {"viewer/web", {"viewer/app"}}, // the window in a browser
        {"tutorials", {"viewer/scenes", "viewer/export", "viewer/picture", "experiments"}},
        {"tutorials/09_first_kernel", {"tutorials", "cuda/primitives", "cuda/executor"}}, // its reader writes a kernel
        {"tutorials/10_decode_ladder", {"tutorials", "cuda/step.h"}},                     // climbs the real one
        {"tutorials/11_tensor_cores", {"tutorials", "cuda/primitives", "cuda/executor"}},
        {"cli", {"viewer/app", "tutorials"}}, // the command `view` opens its window, `tutorial` runs the chapters
    };
    return all;
}

bool inside(std::string_view path, std::string_view room)
{
    return path.starts_with(room) && (path.size() == room.size() || path[room.size()] == '/');
}

const Room* room_of(std::string_view path)
{
    const Room* longest = nullptr;
    for (const Room& room : rooms())
        if (inside(path, room.name) && (!longest || room.name.size() > longest->name.size())) longest = &room;
    return longest;
}

void visit(const Room& room, std::vector<const Room*>& seen)
{
    for (const std::string_view name : room.sees) {
        const auto below = std::ranges::find(rooms(), name, &Room::name);
        if (std::ranges::find(seen, &*below) != seen.end()) continue;
        seen.push_back(&*below);
        if (!room.only_these && !below->only_these) visit(*below, seen);
    }
}

bool sees(const Room& from, const Room& to)
{
    std::vector<const Room*> seen;
    visit(from, seen);
    return &from == &to || std::ranges::find(seen, &to) != seen.end();
}

// Headers of others that only one place may use.
std::string objection_to_package(const std::string& from, const std::string& header)
{
    const auto is = [&](std::string_view start) { return header.starts_with(start); };
    if (is("Eigen/") && !from.ends_with(".cpp") && !from.ends_with("/matrix.h"))
        return "Eigen belongs in .cpp files and matrix.h";
    if ((is("imgui") || is("backends/imgui")) && !inside(from, "viewer/app")) return "ImGui belongs in viewer/app";
    if ((is("GLFW/") || is("GL/") || is("GLES")) && !from.starts_with("viewer/app/window."))
        return "GLFW and OpenGL belong in viewer/app/window.*";
    return "";
}

} // namespace

std::string objection(const fs::path& root, const Arrow& arrow)
{
    const std::string where = arrow.from + ": " + arrow.line + ": ";
    if (arrow.line.ends_with('>')) {
        const std::string why = objection_to_package(arrow.from, arrow.to);
        return why.empty() ? "" : where + why;
    }
    if (!fs::exists(root / arrow.to)) return where + "no such file, seen from the top folder";
    if (inside(arrow.from, "tests")) return "";
    const Room *from = room_of(arrow.from), *to = room_of(arrow.to);
    if (!from) return where + "the plan has no room for " + arrow.from;
    if (!to) return where + "the plan has no room for " + arrow.to;
    if (sees(*from, *to)) return "";
    return where + std::string(from->name) + " may not see " + std::string(to->name);
}

std::vector<std::string> objections(const fs::path& root)
{
    std::vector<std::string> all;
    for (const Arrow& arrow : arrows(root))
        if (std::string why = objection(root, arrow); !why.empty()) all.push_back(std::move(why));
    return all;
}

} // namespace headroom
