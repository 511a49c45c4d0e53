#include "tests/cuda/mutants/planted.h"

#include "reference/tensor/files.h"
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace headroom {

std::span<const Mutant> mutants()
{
    static constexpr std::array list{
#define MUTANT(step, file, mistake, place, instead) Mutant{step, file, mistake, place, instead},
#include "tests/cuda/mutants/mutants.inc"
#undef MUTANT
    };
    return list;
}

void plant(const Mutant& mutant, const std::filesystem::path& folder, const std::filesystem::path& library)
{
    const std::filesystem::path root = HEADROOM_SOURCE_FOLDER, changed = folder / mutant.file;
    const std::vector<std::byte> bytes = read_file(root / mutant.file);
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = text.find(mutant.place);
    if (at == text.npos)
        throw std::runtime_error(std::string(mutant.file) + " no longer holds '" + std::string(mutant.place) + "'");
    text.replace(at, mutant.place.size(), mutant.instead);
    std::filesystem::create_directories(changed.parent_path());
    write_file(changed, text);

    // The folder comes before the sources, so that a changed header is found first.
    const std::string step = "cuda/" + std::string(mutant.step) + ".cu";
    const std::filesystem::path source = mutant.file == step ? changed : root / step;
    const std::string command = std::string(HEADROOM_COMPILER) + " -std=c++20 -O0 -w -fPIC -shared -ffp-contract=off" +
                                " -DNDEBUG -Wl,-Bsymbolic -I" + folder.string() + " -I" + root.string() + " -x c++ " +
                                source.string() + " -o " + library.string();
    if (std::system(command.c_str()) != 0) throw std::runtime_error("it does not compile: " + command);
    std::filesystem::remove(changed);
}

} // namespace headroom
