// From addresses of code to lines of source, through the program's debug information.
#pragma once
#include "cuda/executor/simt/site.h"
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::cuda::tracer {

struct Line {
    std::string file; // without folders
    int number = 0;
};
// addr2line's "/path/file.cu:42 (discriminator 3)"; false: it knows no line, "??:0"
bool parse_line(std::string_view text, Line& line);

// Of inlined code: the innermost line that is in a kernel file (.cu, .cuh), else the innermost. Without addr2line: none.
std::map<const void*, Line> source_lines(const std::vector<const void*>& code);

} // namespace headroom::cuda::tracer
