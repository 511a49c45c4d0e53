// Every planted mistake must be found by a named check: a stage that diverges, or a fault that the executor reports, on a
// case and in an order of threads that the step without the mistake passes. README.md holds what finds which.
#include "reference/tensor/files.h"
#include "tests/cuda/mutants/hunt.h"
#include "tests/cuda/mutants/planted.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdio>
#include <set>

using namespace headroom;

namespace {

std::string table()
{
    const std::vector<std::byte> bytes = read_file(HEADROOM_SOURCE_FOLDER "/tests/cuda/mutants/README.md");
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void hunt_in(std::string_view step)
{
    const TemporaryFolder folder;
    int number = 0;
    for (const Mutant& mutant : mutants()) {
        if (mutant.step != step) continue;
        const std::filesystem::path library = folder.path() / ("mutant" + std::to_string(++number) + ".so");
        plant(mutant, library);
        const Finding found = hunt(step, library);
        const std::string row =
            "| " + std::string(step) + " | " + std::string(mutant.mistake) + " | " + found.what + " | " +
            (found.what.empty() ? "SURVIVED |" : name_of_case(step, found.trial) + " | " + name_of_order(found.trial)) +
            " |";
        std::puts(row.c_str());
        INFO(row);
        CHECK(!found.what.empty());
        if (!found.what.empty()) CHECK(wrong(step, {}, found.trial).empty());
        CHECK(table().find(row) != std::string::npos); // else write it anew: tests/cuda/mutants/table.sh
    }
    CHECK(number > 0);
}

} // namespace

#define STEP(folder, file)                                                                                             \
    TEST_CASE("every mistake planted in " #folder "/" #file " is found") { hunt_in(#folder "/" #file); }
#include "cuda/ladder.inc"
#undef STEP
TEST_CASE("every mistake planted in kv_cache/append is found") { hunt_in("kv_cache/append"); }
TEST_CASE("every mistake planted in kv_cache/quantise_append is found") { hunt_in("kv_cache/quantise_append"); }
TEST_CASE("every mistake planted in kv_cache/expand is found") { hunt_in("kv_cache/expand"); }

TEST_CASE("at least 30 mistakes are planted, each once")
{
    std::set<std::pair<std::string_view, std::string_view>> names;
    for (const Mutant& mutant : mutants()) CHECK(names.insert({mutant.step, mutant.mistake}).second);
    CHECK(names.size() >= 30);
}
