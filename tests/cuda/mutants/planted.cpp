#include "tests/cuda/mutants/planted.h"

#include "reference/tensor/files.h"
#include "tests/support/command_line.h"
#include "tests/support/temporary_folder.h"
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace headroom {
namespace {

namespace fs = std::filesystem;

// Files in `changed` come before those of the project, headers too.
void compile(std::string_view step, const fs::path& changed, const fs::path& library, const std::string& how)
{
    const fs::path root = HEADROOM_SOURCE_FOLDER, source = "cuda/" + std::string(step) + ".cu";
    const std::string command =
        std::string(HEADROOM_COMPILER) + " -std=c++20 " + how + " -w -fPIC -shared -ffp-contract=off" +
        " -DNDEBUG -Wl,-Bsymbolic -I" + shell_word(changed) + " -I" + shell_word(root) + " -x c++ " +
        shell_word(fs::exists(changed / source) ? changed / source : root / source) + " -o " + shell_word(library);
    if (std::system(command.c_str()) != 0) throw std::runtime_error("it does not compile: " + command);
}

void change_and_compile(const Mutant& mutant, const fs::path& library, const std::string& how)
{
    const TemporaryFolder folder;
    const std::vector<std::byte> bytes = read_file(fs::path(HEADROOM_SOURCE_FOLDER) / mutant.file);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = text.find(mutant.place);
    if (at == text.npos)
        throw std::runtime_error(std::string(mutant.file) + " no longer holds '" + std::string(mutant.place) + "'");
    text.replace(at, mutant.place.size(), mutant.instead);
    const fs::path changed = folder.path() / mutant.file;
    fs::create_directories(changed.parent_path());
    write_file(changed, text);
    compile(mutant.step, folder.path(), library, how);
}

} // namespace

std::span<const Mutant> mutants()
{
    static constexpr std::array list{
#define MUTANT(step, file, mistake, place, instead) Mutant{step, file, mistake, place, instead},
#include "tests/cuda/mutants/mutants.inc"
#undef MUTANT
    };
    return list;
}

void plant(const Mutant& mutant, const fs::path& library)
{
    change_and_compile(mutant, library, "-O0"); // optimising would be most of the time
}

void plant_traced(const Mutant& mutant, const fs::path& library)
{
    change_and_compile(mutant, library,
                       "-O1 -g1 -fno-tree-vectorize -fno-tree-slp-vectorize -fsanitize=thread -nodefaultlibs");
}

} // namespace headroom
