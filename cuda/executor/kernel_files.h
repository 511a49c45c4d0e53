// Where nvcc's outputs lie: <folder>/decode_01_naive.ptx and .fatbin hold the kernels whose names begin decode_01_naive.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace headroom::cuda {

// $HEADROOM_KERNELS, or `kernels` beside the program, or share/headroom/kernels of its installation; empty: none.
std::filesystem::path kernel_folder();
// The file whose name begins the kernel's; throws std::runtime_error that says where it looked.
std::filesystem::path kernel_file(std::string_view kernel, std::string_view extension);
std::string read_kernel_file(const std::filesystem::path& path);
bool has_kernel_files(std::string_view extension);

} // namespace headroom::cuda
