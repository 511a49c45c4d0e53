// Numbers and tensors as text, with the names of their axes.
#pragma once
#include "reference/tensor/tensor.h"
#include <string_view>

namespace headroom {

std::string to_text(double x); // seven digits at most: "2.5", "1e+300"; "nan" whatever its sign

// "q [B=1, H=8, L=4, D=8]" from ("q", "B H L D", {1, 8, 4, 8}); throws std::invalid_argument unless there is one name per axis.
std::string describe(std::string_view name, std::string_view axes, const Shape& shape);

// The description, then the numbers, a line for each row; of long axes only the first and last ones.
//     weights [L=2, S=3]
//       0.2500  0.7500  0
//       0.1000  0.2000  0.7000
std::string print(std::string_view name, std::string_view axes, const Tensor& tensor);

} // namespace headroom
