// The example of a user's kernel passes, and a mistake in it is found.
#include "cuda/attention.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>

using namespace headroom;

namespace {

Implementation built(const TemporaryFolder& folder, const std::string& flags)
{
    const std::string library = (folder.path() / "plugin.so").string(), root = HEADROOM_SOURCE_FOLDER;
    const std::string command = std::string(HEADROOM_C_COMPILER) + " -shared -fPIC " + flags + " -I" + root + " " +
                                root + "/cuda/example_plugin.c -o " + library + " -lm";
    REQUIRE(std::system(command.c_str()) == 0);
    return cuda::plugin(library);
}

int count(const Implementation& implementation, CheckResult::Status status)
{
    int n = 0;
    for (const Case& each : cases()) {
        if (!each.quick) continue;
        const PosedProblem posed(each.recipe);
        n += check(implementation, each.name, posed.problem(), Expected(posed.problem())).status == status;
    }
    return n;
}

} // namespace

TEST_CASE("the example plugin passes what it takes")
{
    const TemporaryFolder folder;
    const Implementation plugin = built(folder, "");
    CHECK(count(plugin, CheckResult::Status::passed) >= 7);
    CHECK(count(plugin, CheckResult::Status::failed) == 0);
}

TEST_CASE("a plugin that tiles KV heads fails")
{
    const TemporaryFolder folder;
    const Implementation plugin = built(folder, "-D'KV_HEAD(h,p)=((h)%(p)->Hkv)'");
    CHECK(count(plugin, CheckResult::Status::failed) >= 3);
}

TEST_CASE("a file that is no plugin is refused by name")
{
    CHECK_THROWS_AS(cuda::plugin("/nonexistent.so"), std::invalid_argument);
}
