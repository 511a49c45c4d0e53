#include "cuda/executor/kernel_files.h"

#include "reference/tensor/this_program.h"
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace headroom::cuda {
namespace fs = std::filesystem;

fs::path kernel_folder()
{
    if (const char* named = std::getenv("HEADROOM_KERNELS")) return named;
    std::error_code error;
    const fs::path program = this_program().parent_path();
    for (const fs::path& folder : {program / "kernels", program / "../share/headroom/kernels"})
        if (fs::is_directory(folder, error)) return folder;
    return {};
}

fs::path kernel_file(std::string_view kernel, std::string_view extension)
{
    const fs::path folder = kernel_folder();
    std::error_code error;
    fs::path best;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path& path = entry.path();
        if (path.extension() != extension || kernel.substr(0, path.stem().native().size()) != path.stem().native())
            continue;
        if (path.stem().native().size() > best.stem().native().size()) best = path;
    }
    if (best.empty())
        throw std::runtime_error("no " + std::string(extension) + " file for kernel " + std::string(kernel) + " in " +
                                 (folder.empty() ? "a folder `kernels` beside the program" : folder.string()) +
                                 ": build with nvcc, or name the folder in HEADROOM_KERNELS");
    return best;
}

std::string read_kernel_file(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

bool has_kernel_files(std::string_view extension)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(kernel_folder(), error))
        if (entry.path().extension() == extension) return true;
    return false;
}

} // namespace headroom::cuda
