#include "tutorials/11_tensor_cores/exercise.h"
#include "tutorials/examiner.h"

#include <algorithm>
#include <array>
#include <set>

constexpr int rows = 16, chunks = 4;

// Eight lanes are served at a time, 16 bytes each: turns that they take, as each group of four banks serves one of them.
template <class Lane> int wavefronts(Lane place_of)
{
    std::array<std::set<int>, 8> pieces; // of each group of banks
    for (int lane = 0; lane < 8; ++lane) pieces[std::size_t(place_of(lane) / 16 % 8)].insert(place_of(lane));
    std::size_t most = 0;
    for (const std::set<int>& of_group : pieces) most = std::max(most, of_group.size());
    return int(most);
}

int main()
{
    headroom::Examiner examiner;
    std::set<int> places;
    bool inside = true;
    for (int row = 0; row < rows; ++row)
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const int at = place(row, chunk);
            inside = inside && at >= 0 && at < 64 * rows && at % 16 == 0;
            places.insert(at);
        }
    examiner.that(inside, "a chunk lies outside the tile, or not at a multiple of 16");
    examiner.near("the number of places of the 64 chunks", double(places.size()), rows * chunks);
    if (inside)
        for (int first = 0; first < rows; first += 8)
            for (int chunk = 0; chunk < chunks; ++chunk)
                examiner.near("reading chunk " + std::to_string(chunk) + " of rows " + std::to_string(first) + " to " +
                                  std::to_string(first + 7) + ", the number of wavefronts",
                              wavefronts([&](int lane) { return place(first + lane, chunk); }), 1);
    if (inside)
        for (int row = 0; row < rows; row += 2)
            examiner.near("writing rows " + std::to_string(row) + " and " + std::to_string(row + 1) +
                              ", the number of wavefronts",
                          wavefronts([&](int lane) { return place(row + lane / 4, lane % 4); }), 1);
    return examiner.verdict("bank = place / 4 % 32, and two rows fill all banks: rows 0 and 2 begin at the same one. "
                            "Let the chunks of a row change places, with row / 2.\n");
}
