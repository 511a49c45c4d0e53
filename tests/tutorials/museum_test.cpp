// Each exhibit of the museum shows the wrong numbers with its fault on and the right ones with it off; the test that it
// names is there, and both pages name it and link to the reports.
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include "tutorials/museum/draw.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>

using namespace headroom;
using museum::Exhibit;

namespace {

const std::filesystem::path root = HEADROOM_SOURCE_FOLDER;
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

struct Expected {
    std::vector<double> right, wrong;
};
// From the reports, or by hand: means of values, quotients of sums.
const std::map<std::string_view, Expected> expected{
    {"tiled_heads", {{10, 10, 20, 20}, {10, 20, 10, 20}}},
    {"top_left_mask", {{2.5, 3}, {1, 1.5}}},
    {"chunk_sees_future", {{0, 0.5, 1, 1.5, 2.5, 3.5}, {4, 4.5, 11 / 3.0, 3.5, 3.5, 3.5}}},
    {"nan_row", {{7, 0}, {7, NaN}}},
    {"finite_sentinel", {{7, 7, 0}, {7, 9, 8}}},
    {"soft_cap_after_mask", {{1, 1, 1}, {0.880797, 0.993307, 1}}},
    {"unwritten_tail", {{2, 2, 2}, {2, NaN, NaN}}},
    {"rope_position_zero",
     {{0, 0.585708, 1.367474, 2.284178, 3.255280, 4.242715}, {0, 0.585708, 1.367474, 2.284178, 1.791894, 2.583627}}},
    {"padded_scale", {{0.838077, 0.777300, 0.753624, 0.735093}, {0.777300, 0.777300, 0.707626, 0.707626}}},
    {"bf16_running_sum", {{1, 1, 1, 1, 1}, {1, 1, 257 / 256.0, 2, 3.90625}}},
    {"sink_twice", {{4, 4, 4, 4}, {4, 3.6, 3, 2.25}}},
    {"expanded_cache", {{4096, 8192, 12288, 16384}, {16384, 32768, 49152, 65536}}},
    {"overflow_overwrites", {{2.5, 20}, {21.8, 149 / 3.0}}},
    {"window_off_by_one", {{2.5, 3, 3.5, 4.5, 5.5}, {2.5, 3, 4, 5, 6}}},
    {"offset_32_bits",
     {{276480, 2147143680, 2147420160, 2147696640, 4295393280}, {276480, 2147143680, 2147420160, -2147270656, 425984}}},
    {"beams_in_place", {{20, 10, 10}, {20, 20, 20}}},
    {"nan_passes", {{1, 0, 0, 0}, {1, 0, 1, 1}}},
    {"wide_bound", {{1, 0, 0, 0}, {1, 1, 1, 1}}},
};

std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

bool has(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

bool are(const std::vector<museum::Row>& rows, const std::vector<double>& numbers)
{
    if (rows.size() != numbers.size()) return false;
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const double a = rows[n].result, b = numbers[n];
        if (std::isnan(b) ? !std::isnan(a) : !(std::fabs(a - b) <= 1e-6)) return false;
    }
    return true;
}

std::string joined(std::initializer_list<std::string_view> pieces)
{
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
}

} // namespace

TEST_CASE("each exhibit of the museum is right with its fault off and wrong in the reported way with it on")
{
    CHECK(museum::exhibits().size() == expected.size());
    for (const Exhibit* each : museum::exhibits()) {
        INFO(each->name);
        REQUIRE(expected.contains(each->name));
        CHECK(are(each->run(false), expected.at(each->name).right));
        CHECK(are(each->run(true), expected.at(each->name).wrong));
        CHECK(!are(each->run(true), expected.at(each->name).right));
    }
}

TEST_CASE("the test that an exhibit names is in the file that it names, and both pages name it and every report")
{
    for (const Exhibit* each : museum::exhibits()) {
        INFO(each->name);
        CHECK(has(text_of(root / each->test_file), joined({"TEST_CASE(\"", each->test, "\")"})));
        for (const char* name : {"README.md", "README.zh.md"}) {
            const std::string page = text_of(root / "tutorials/museum" / name);
            CHECK(has(page, joined({"[", each->test, "](../../", each->test_file, ")"})));
            CHECK(has(page, joined({"headroom tutorial museum ", each->name, " from"})));
            for (std::size_t at = 0, end; at < each->reports.size(); at = end + 1) {
                end = std::min(each->reports.find(' ', at), each->reports.size());
                CHECK(has(page, joined({"(", each->reports.substr(at, end - at), ")"})));
            }
        }
    }
}

TEST_CASE("headroom tutorial museum lists the exhibits, runs one twice and writes its pictures")
{
    const Ran list = headroom_program({"tutorial", "museum"}),
              chinese = headroom_program({"tutorial", "museum", "--lang", "zh"});
    for (const Exhibit* each : museum::exhibits()) {
        CHECK(has(list.out, each->name));
        CHECK(has(chinese.out, each->title.zh));
    }
    const Ran one = headroom_program({"tutorial", "museum", "nan_row"});
    CHECK(one.exit_code == 0);
    CHECK(has(one.out, "NaN"));
    CHECK(has(one.out, "report 4: "));
    const TemporaryFolder folder;
    CHECK(headroom_program({"tutorial", "museum", "nan_row", "--pictures", folder.path().string()}).exit_code == 0);
    CHECK(has(text_of(folder.path() / "nan_row.svg"), "NaN"));
    CHECK(has(text_of(folder.path() / "nan_row.zh.svg"), "有故障"));
}

TEST_CASE("bad input to the museum is refused in one line")
{
    CHECK(is_refusal(headroom_program({"tutorial", "museum", "no_such_exhibit"})));
    CHECK(is_refusal(headroom_program({"tutorial", "museum", "--check"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "nan_row"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1", "--pictures", "folder"})));
    CHECK(is_refusal(headroom_program({"tutorial", "1x"})));
}
