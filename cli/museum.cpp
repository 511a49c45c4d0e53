#include "cli/museum.h"

#include "cli/terminal.h"
#include "reference/tensor/files.h"
#include "tutorials/museum/draw.h"
#include "viewer/export/svg.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace headroom {
namespace {

using museum::Exhibit;
using museum::Row;

const Exhibit& find(const std::string& name)
{
    for (const Exhibit* each : museum::exhibits())
        if (each->name == name) return *each;
    throw std::invalid_argument("the museum has no exhibit '" + name + "'; 'headroom tutorial museum' lists them");
}

std::string text(double x)
{
    if (x != x) return "NaN"; // whatever its sign
    return x == static_cast<double>(static_cast<long long>(x)) ? fmt::format("{:.0f}", x) : fmt::format("{:.6g}", x);
}

void list(bool chinese)
{
    const Terminal terminal;
    for (const Exhibit* each : museum::exhibits())
        fmt::print("{} {}\n", terminal.accent(fmt::format("{:20}", each->name)), each->title.in(chinese));
    fmt::print("\n{}\n", chinese ? "headroom tutorial museum NAME --lang zh 把一件展品运行两遍。"
                                 : "headroom tutorial museum NAME runs one exhibit twice.");
}

void show(const Exhibit& exhibit, bool chinese)
{
    const std::vector<Row> right = exhibit.run(false), wrong = exhibit.run(true);
    fmt::print("{}\n\n", Terminal().strong(std::string(exhibit.title.in(chinese))));
    fmt::print("{:20}{:>14}{:>14}\n", exhibit.result.in(chinese), chinese ? "关" : "fault off",
               chinese ? "开" : "fault on");
    for (std::size_t r = 0; r < right.size(); ++r) {
        const bool equal = museum::same(right[r].result, wrong[r].result);
        fmt::print("{:20}{:>14}{:>14}{}\n", museum::with_index(exhibit.row.in(chinese), right[r].index),
                   text(right[r].result), text(wrong[r].result), equal ? "" : "  *");
    }
    fmt::print("\n{}\n  {}\n  \"{}\"\n{}\n", chinese ? "抓住它的测试：" : "caught by the test", exhibit.test_file,
               exhibit.test, chinese ? "报告：" : "reported in");
    for (std::size_t at = 0; at < exhibit.reports.size();) {
        const std::size_t end = std::min(exhibit.reports.find(' ', at), exhibit.reports.size());
        fmt::print("  {}\n", exhibit.reports.substr(at, end - at));
        at = end + 1;
    }
}

void write_pictures(const Exhibit& exhibit, const std::filesystem::path& folder)
{
    for (const bool chinese : {false, true})
        write_file(folder / (std::string(exhibit.name) + (chinese ? ".zh.svg" : ".svg")),
                   svg(museum::draw(exhibit, chinese), theme("light")));
}

} // namespace

int visit_museum(const MuseumVisit& visit)
{
    std::vector<const Exhibit*> chosen(museum::exhibits().begin(), museum::exhibits().end());
    if (!visit.exhibit.empty()) chosen = {&find(visit.exhibit)};
    if (!visit.pictures.empty()) {
        std::filesystem::create_directories(visit.pictures);
        for (const Exhibit* each : chosen) write_pictures(*each, visit.pictures);
    } else if (visit.exhibit.empty())
        list(visit.chinese);
    else
        show(*chosen.front(), visit.chinese);
    return 0;
}

} // namespace headroom
