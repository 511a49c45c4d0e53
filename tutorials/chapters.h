// The chapters as folders on disk, of the sources or, as texts alone, of an installed program: what each is called, what it
// asks, and how far the reader has come.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

struct Chapter {
    int number;
    std::string name; // "01_one_query", also of its program
    std::filesystem::path folder;
};
std::vector<Chapter> chapters();           // in order; throws std::invalid_argument where neither is at hand
Chapter chapter(int number);               // throws std::invalid_argument that says which there are
bool has_programs(const Chapter& chapter); // or only its texts are installed
std::string text_of(const Chapter& chapter, bool chinese);     // the whole README, without its invisible comments
std::string title_of(const Chapter& chapter, bool chinese);    // "One query by hand"
std::string question_of(const Chapter& chapter, bool chinese); // the first paragraph, in one line

enum class Progress { untouched, seen, solved };
Progress progress(const Chapter& chapter); // solved: this very text of exercise.cpp has passed its test
void note_seen(const Chapter& chapter);
void note_solved(const Chapter& chapter);

} // namespace headroom
