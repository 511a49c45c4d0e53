// From addresses of code to lines of source, through the program's debug information.
#pragma once
#include "cuda/executor/simt/site.h"
#include <map>
#include <string>
#include <vector>

namespace headroom::cuda::tracer {

struct Line {
    std::string file; // without folders
    int number = 0;
};
// Of inlined code: the innermost line that is in a kernel file (.cu, .cuh), else the innermost. Without addr2line: none.
std::map<const void*, Line> source_lines(const std::vector<const void*>& code);

} // namespace headroom::cuda::tracer
