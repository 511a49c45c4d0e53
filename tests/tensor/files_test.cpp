#include "reference/tensor/files.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include <fstream>
#include <iterator>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}
auto files_in(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), {}); }

} // namespace

TEST_CASE("a file is written whole, in place of what was there, and through links")
{
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "with a space", link = folder.path() / "link";
    write_file(file, "first");
    write_file(file, "second");
    CHECK(content(file) == "second");
    fs::create_symlink(file, link);
    write_file(link, "third");
    CHECK(fs::is_symlink(link));
    CHECK(content(file) == "third");
    CHECK(read_file(file).size() == 5);
    CHECK(files_in(folder.path()) == 2);
}

TEST_CASE("a file that cannot be written leaves nothing behind and what was there as it was")
{
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(write_file(folder.path() / "no" / "file", "x"), containing("No such file"));
    CHECK_THROWS_WITH(write_file(folder.path(), "x"), containing("it is a folder"));
    CHECK(files_in(folder.path()) == 0);
    if (fs::exists("/dev/full")) CHECK_THROWS_WITH(write_file("/dev/full", "x"), containing("cannot write /dev/full"));
}

TEST_CASE("a device is written to, not replaced by a file")
{
    if (!fs::is_character_file("/dev/null")) return;
    write_file("/dev/null", "gone");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file that is read is not written over, under whatever name")
{
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "file", link = folder.path() / "link", other = folder.path() / "other";
    write_file(file, "x");
    fs::create_symlink(file, link);
    CHECK_NOTHROW(refuse_overwriting(file, other));
    CHECK_NOTHROW(refuse_overwriting(other, file)); // reading it will fail
    write_file(other, "x");
    CHECK_NOTHROW(refuse_overwriting(file, other));
    CHECK_THROWS_WITH(refuse_overwriting(file, file), containing("written over"));
    CHECK_THROWS_WITH(refuse_overwriting(file, link), containing("written over"));
    CHECK_THROWS_WITH(refuse_overwriting(link, folder.path() / "." / "file"), containing("written over"));
}

TEST_CASE("what cannot be read is named with the reason")
{
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_file(folder.path() / "absent"), containing("absent: No such file"));
    CHECK_THROWS_WITH(read_file(folder.path()), containing("it is a folder"));
    std::ofstream(folder.path() / "empty");
    CHECK(read_file(folder.path() / "empty").empty());
}
