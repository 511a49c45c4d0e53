// A number that a picture shows, and where it comes from. The only way a number enters a picture.
#pragma once
#include <cstdint>
#include <string>

namespace headroom {

enum class Unit : std::uint8_t { none, count, index, bytes, percent, milliseconds, per_second };

struct Fact {
    enum class Origin : std::uint8_t { measured, computed, illustration };
    std::string what; // "live bytes, gqa, step 12"
    double number = 0;
    Unit unit = Unit::none;
    Origin origin = Origin::computed;
};

std::string to_text(const Fact& fact);   // as pictures print it: "4.50 KiB", "12.5 %", "1,152", "0.0967"
std::string bytes_to_text(double bytes); // binary units, three significant digits: "576 B", "4.50 KiB", "1.07 GiB"
std::string origin_name(Fact::Origin origin);

} // namespace headroom
