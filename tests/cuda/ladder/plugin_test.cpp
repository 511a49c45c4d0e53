// The example of a user's kernel passes, a mistake in it is found, and one that does not return harms nobody else.
#include "cuda/attention.h"
#include "reference/verification/cases.h"
#include "reference/verification/check.h"
#include "tests/support/catch.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <poll.h>
#include <unistd.h>

using namespace headroom;

namespace {

Implementation built(const TemporaryFolder& folder, const std::string& flags, const std::string& source,
                     const std::string& compiler)
{
    const std::string library = (folder.path() / "plugin.so").string(), root = HEADROOM_SOURCE_FOLDER;
    const std::string command = compiler + " -shared -fPIC " + flags + " -I" + shell_word(root) + " " +
                                shell_word(root + source) + " -o " + shell_word(library) + " -lm";
    REQUIRE(std::system(command.c_str()) == 0);
    return cuda::plugin(library, 5);
}
Implementation built(const TemporaryFolder& folder, const std::string& flags)
{
    return built(folder, flags, "/cuda/example_plugin.c", HEADROOM_C_COMPILER);
}
Implementation bad(const TemporaryFolder& folder, const std::string& flags)
{
    return built(folder, flags, "/tests/cuda/ladder/bad_plugin.cpp", HEADROOM_COMPILER);
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

TEST_CASE("a plugin that does not return fails on that case, in words, and is asked on with the others")
{
    for (const auto& [does, words] :
         {std::pair{"*(volatile int*)8=1", "Segmentation fault"},
          {"abort()", "Aborted"},
          {"throw 1", "something that is no std::exception"},
          {"throw std::runtime_error(\"no memory\")", "no memory"},
          {"throw std::runtime_error(\"\")", "an exception without words"},
          {"exit(0)", "exit code 0"},
          {"for (volatile int i = 0;; i = 1) {}", "it hung: ended after 5 seconds"},
          {"if (fork()) abort(); pause()", "Aborted"}, // its child lives on
          {"if (fork()) exit(3)", "exit code 3"},      // its child returns
          {"if (fork()) pause()", "it hung: ended after 5 seconds"},
          {"if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) abort(); pause()", "Aborted"}, // unseen by pthread_atfork
          {"closefrom(3); pause()", "it closed the connection"}}) {
        const TemporaryFolder folder;
        const Implementation plugin = bad(folder, "-D'DO=" + std::string(does) + "'");
        for (const Recipe& recipe : {Recipe{.S = 20}, Recipe{.S = 33}, Recipe{.S = 34}}) {
            const PosedProblem posed(recipe);
            const CheckResult result = check(plugin, "a case", posed.problem(), Expected(posed.problem()));
            INFO(does << ", S " << recipe.S << ": " << result.reason);
            CHECK((result.status == CheckResult::Status::failed) == (recipe.S == 33));
            CHECK((result.reason.find(words) != std::string::npos) == (recipe.S == 33));
        }
    }
}

TEST_CASE("a plugin may start processes: the one that was asked answers, and they end with it")
{
    for (const char* does : {"fork()", "syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)", "if (!fork()) pause()",
                             "if (int n = fork()) waitpid(n, 0, 0)", "if (std::system(\"sleep 1000 &\")) abort()"}) {
        int ends[2]; // what holds the writing end open lives
        REQUIRE(pipe(ends) == 0);
        {
            const TemporaryFolder folder;
            const Implementation plugin = bad(folder, "-D'DO=" + std::string(does) + "'");
            for (const Recipe& recipe : {Recipe{.S = 33}, Recipe{.S = 34}, Recipe{.S = 20}}) {
                const PosedProblem posed(recipe);
                const CheckResult result = check(plugin, "a case", posed.problem(), Expected(posed.problem()));
                INFO(does << ", S " << recipe.S << ": " << result.reason);
                CHECK(result.status == CheckResult::Status::passed);
            }
        }
        close(ends[1]);
        pollfd reading{.fd = ends[0], .events = POLLIN, .revents = 0};
        INFO(does);
        CHECK(poll(&reading, 1, 2000) == 1);
        CHECK((reading.revents & POLLHUP) != 0);
        close(ends[0]);
    }
}

TEST_CASE("a plugin without a name that can be printed is refused, and so is one that cannot be loaded")
{
    for (const char* name :
         {"nullptr", "\"\"", "\"two\\nlines\"", "\"\\x1b[31m\"", "(abort(), \"\")", "throw 1, \"\""}) {
        const TemporaryFolder folder;
        INFO(name);
        CHECK_THROWS_AS(bad(folder, "-D'NAME=" + std::string(name) + "'"), std::invalid_argument);
    }
}
