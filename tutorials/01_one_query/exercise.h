// The softmax of a row of scores: positive weights whose sum is 1.
#pragma once
#include <vector>

std::vector<double> softmax(const std::vector<double>& scores);
