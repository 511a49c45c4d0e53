// A mistake planted in a step's source: the changed step as a shared object that the host executor takes kernels from.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

struct Mutant {
    std::string_view step, file, mistake, place, instead;
};
std::span<const Mutant> mutants(); // the lines of mutants.inc

// Compiles the step with the mistake in it. Throws std::runtime_error if that does not compile, or the place is not there.
void plant(const Mutant& mutant, const std::filesystem::path& library);
void plant_traced(const Mutant& mutant,
                  const std::filesystem::path& library); // so that it tells the tracer what it does

} // namespace headroom
