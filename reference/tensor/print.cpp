#include "reference/tensor/print.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace headroom {
namespace {

constexpr Index shown = 8; // numbers of an axis; of a longer one half of them at each end

std::vector<std::string> words(std::string_view text)
{
    std::vector<std::string> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string number(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, x == 0 ? "%10.0f" : std::fabs(x) < 10000 ? "%10.4f" : "%10.2e", x);
    return text;
}

// The indices of an axis that are shown; -1 stands for those left out.
std::vector<Index> shown_of(Index extent)
{
    std::vector<Index> indices;
    for (Index i = 0; i < extent; ++i) {
        if (extent > shown && i == shown / 2) {
            indices.push_back(-1);
            i = extent - shown / 2;
        }
        indices.push_back(i);
    }
    return indices;
}

// One axis after the other; `values` are those at the leading indices fixed so far, which `where` names.
void print_axes(std::span<const std::string> names, std::span<const Index> shape, std::span<const double> values,
                const std::string& where, std::string& text)
{
    if (shape.size() <= 1) {
        text += " ";
        for (const Index i : shown_of(static_cast<Index>(values.size())))
            text += i < 0 ? "     ..." : number(values[static_cast<std::size_t>(i)]);
        text += '\n';
        return;
    }
    const std::size_t stride = values.size() / static_cast<std::size_t>(std::max<Index>(shape[0], 1));
    for (const Index i : shown_of(shape[0])) {
        if (i < 0) {
            text += "  ...\n";
            continue;
        }
        const std::string here = where + (where.empty() ? "" : ", ") + names[0] + "=" + std::to_string(i);
        if (shape.size() == 3) text += "  " + here + "\n";
        print_axes(names.subspan(1), shape.subspan(1), values.subspan(static_cast<std::size_t>(i) * stride, stride),
                   here, text);
    }
}

} // namespace

std::string to_text(double x)
{
    if (std::isnan(x)) return "nan";
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", x);
    return text;
}

std::string describe(std::string_view name, std::string_view axes, const Shape& shape)
{
    const std::vector<std::string> names = words(axes);
    if (names.size() != shape.size())
        throw std::invalid_argument(std::string(name) + " of shape " + to_text(shape) + " does not have the axes " +
                                    std::string(axes));
    std::string text = std::string(name) + " [";
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        text += (axis ? ", " : "") + names[axis] + "=" + std::to_string(shape[axis]);
    return text + "]";
}

std::string print(std::string_view name, std::string_view axes, const Tensor& tensor)
{
    std::string text = describe(name, axes, tensor.shape()) + "\n";
    print_axes(words(axes), tensor.shape(), tensor.values(), "", text);
    return text;
}

} // namespace headroom
