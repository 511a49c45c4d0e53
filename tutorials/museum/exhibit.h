// An exhibit: a small copy of a function with a published fault behind a switch, and the smallest input that shows it.
#pragma once
#include <span>
#include <string_view>
#include <vector>

namespace headroom::museum {

struct Words {
    std::string_view en, zh;
    std::string_view in(bool chinese) const { return chinese ? zh : en; }
};

struct Row {
    int index;                   // takes the place of {} in the exhibit's `row`
    double result;               // the number that comes out
    std::vector<double> weights; // what each column contributes to it; empty where nothing is weighed
};

struct Exhibit {
    std::string_view name; // also of its file and its pictures
    Words title, row, column, result;
    std::vector<Row> (*run)(bool fault);
    std::string_view test_file, test; // in this repository, what fails where the fault is made
    std::string_view reports;         // links, separated by spaces
};
std::span<const Exhibit* const> exhibits(); // in the order of the page

// What exhibits share; those whose fault lies here have a copy of their own.
std::vector<double> softmax(const std::vector<double>& scores); // of nothing but -inf: zeros
double weighted(const std::vector<double>& weights, const std::vector<double>& values);

} // namespace headroom::museum
