#include "viewer/web/not_here.h"

#include "cuda/attention.h"
#include "experiments/record_checks.h"
#include "experiments/record_kernels.h"
#include "experiments/record_run.h"
#include <stdexcept>

namespace headroom {
namespace {

std::filesystem::path brought;

Recording from_recording(const std::string& what, bool is_there)
{
    if (is_there && !brought.empty()) return read_recording(brought);
    throw std::invalid_argument(what + " in the program, not in a web page; a recording can be dropped here");
}

} // namespace

void bring_along(const std::filesystem::path& recording) { brought = recording; }

std::vector<TracedStep> record_kernels(const RecordKernelsSettings& s)
{
    const RecordKernelsSettings usual;
    return from_recording("kernels are traced", s.keys == usual.keys && s.head_dim == usual.head_dim).kernels;
}

std::vector<RecordedCheck> example_checks(bool planted, std::string_view)
{
    return from_recording(planted ? "mistakes are planted" : "kernels are verified", !planted).checks;
}

Recording record_run(const RecordRunSettings&, const Backend&) { return from_recording("trained models run", false); }
Backend reference_backend() { return {}; }

std::string cuda::why_executor_is_absent(std::string_view executor)
{
    return executor == "simt" ? "" : "a web page has none";
}

} // namespace headroom
