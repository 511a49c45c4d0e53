// Films: what is in them, and what happens where there is no ffmpeg or it fails.
#include "experiments/scene_recordings.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "viewer/app/headless.h"
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace headroom;

namespace {

Film two_moments(int& painted)
{
    return {.seconds = 1,
            .frames_per_second = 4,
            .moment_at = [](double seconds) { return seconds < 0.5 ? 0.0 : 1.0; },
            .picture_of =
                [&painted](double moment) {
                    ++painted;
                    Picture picture;
                    picture.size = {0, 0, 33, 20}; // odd: H.264 wants even sizes
                    picture.fill({0, 0, 20, 20}, moment < 0.5 ? Ink::q : Ink::k);
                    return picture;
                }};
}

struct Path { // without programs, while it lives
    Path() { setenv("PATH", "/nowhere", 1); }
    ~Path() { setenv("PATH", before.c_str(), 1); }
    std::string before = std::getenv("PATH") ? std::getenv("PATH") : "";
};

std::string beginning_of(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::string bytes(12, '\0');
    file.read(bytes.data(), 12);
    return bytes;
}

} // namespace

TEST_CASE("without ffmpeg a film is a folder of PNGs, and a moment that lasts is painted once")
{
    const TemporaryFolder folder;
    const Path nowhere;
    int painted = 0;
    const WrittenFilm written = write_film(two_moments(painted), theme("light"), 1, folder.path() / "film.mp4");
    CHECK(written.is_folder);
    CHECK(written.frames == 4);
    CHECK(painted == 2);
    for (int n = 0; n < 4; ++n)
        CHECK(beginning_of(written.path / ("frame-0000" + std::to_string(n) + ".png")).starts_with("\x89PNG"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "film.mp4"));
}

TEST_CASE("ffmpeg makes MP4 and GIF, and leaves nothing half done when it fails")
{
    if (!have_ffmpeg()) {
        std::cout << "SKIPPED: there is no ffmpeg\n";
        return;
    }
    const TemporaryFolder folder;
    int painted = 0;
    for (const char* name : {"it's a film.mp4", "film.gif"}) {
        const WrittenFilm written = write_film(two_moments(painted), theme("dark"), 2, folder.path() / name);
        CHECK_FALSE(written.is_folder);
        const std::string start = beginning_of(written.path);
        CHECK((start.substr(4, 4) == "ftyp" || start.starts_with("GIF89a")));
    }
    CHECK_THROWS_AS(write_film(two_moments(painted), theme("dark"), 1, folder.path() / "no" / "such" / "folder.mp4"),
                    std::invalid_argument);
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) files += entry.is_regular_file();
    CHECK(files == 2);
}

TEST_CASE("a scene's film begins with its first step, rests at its last, and moves in between")
{
    const Recording recording = scene_recording("decode", {});
    const Film film = film_of(scene("decode"), recording, View{}, {0, 0, 1280, 720}, 2);
    const double last = static_cast<double>(scene("decode").steps(recording, View{}) - 1);
    CHECK(film.seconds == last / 2 + 1);
    CHECK(film.moment_at(0) == 0);
    CHECK(film.moment_at(film.seconds) == last);
    CHECK(film.moment_at(0.2) > 0);
    CHECK(film.moment_at(0.45) == 1);
    CHECK_FALSE(film.picture_of(0.5).marks.empty());
}

TEST_CASE("words lose their markup, not their content")
{
    CHECK(without_markup("a [k|key] and a [v|value].") == "a key and a value.");
    CHECK(without_markup("plain") == "plain");
}
