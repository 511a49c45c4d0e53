#include "viewer/app/preferences.h"

#include "reference/tensor/files.h"
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace headroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

fs::path config_home()
{
    if (const std::string home = environment("XDG_CONFIG_HOME"); !home.empty()) return home;
    const std::string home = environment("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".config";
}

// GNOME's and GTK's switch "Animations".
bool wants_less_motion()
{
    std::ifstream file(config_home() / "gtk-3.0" / "settings.ini");
    for (std::string line; std::getline(file, line);) {
        std::erase(line, ' ');
        if (line == "gtk-enable-animations=0" || line == "gtk-enable-animations=false") return true;
    }
    return false;
}

Language system_language()
{
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const std::string locale = environment(name); !locale.empty())
            return locale.starts_with("zh") ? Language::zh : Language::en;
    return Language::en;
}

void take(const Json& json, const char* key, bool& into)
{
    if (const auto at = json.find(key); at != json.end() && at->is_boolean()) into = *at;
}
template <class Number> void take(const Json& json, const char* key, Number& into, double least, double most)
{
    const auto at = json.find(key);
    if (at == json.end() || !at->is_number()) return;
    const double value = *at;
    if (value >= least && value <= most) into = static_cast<Number>(value);
}

} // namespace

fs::path preferences_path()
{
    const fs::path home = config_home();
    return home.empty() ? home : home / "headroom" / "viewer.json";
}

Preferences remembered(const fs::path& path)
{
    Preferences p{.language = system_language(), .reduced_motion = wants_less_motion()};
    std::ifstream file(path);
    const Json json = file ? Json::parse(file, nullptr, false) : Json();
    if (!json.is_object()) return p;
    take(json, "dark", p.dark);
    bool chinese = p.language == Language::zh;
    take(json, "chinese", chinese);
    p.language = chinese ? Language::zh : Language::en;
    take(json, "text_scale", p.text_scale, 0.7, 1.6);
    take(json, "speed", p.speed, 0.125, 16);
    take(json, "logarithmic", p.logarithmic);
    take(json, "reduced_motion", p.reduced_motion);
    take(json, "width", p.width, 640, 16384);
    take(json, "height", p.height, 400, 16384);
    return p;
}

void remember(const Preferences& p, const fs::path& path)
{
    if (path.empty()) return;
    try {
        fs::create_directories(path.parent_path());
        write_file(path, Json{{"dark", p.dark},
                              {"chinese", p.language == Language::zh},
                              {"text_scale", p.text_scale},
                              {"speed", p.speed},
                              {"logarithmic", p.logarithmic},
                              {"reduced_motion", p.reduced_motion},
                              {"width", p.width},
                              {"height", p.height}}
                                 .dump(2) +
                             '\n');
    } catch (const std::exception&) { // a read-only home: the next window begins as this one did
    }
}

} // namespace headroom
