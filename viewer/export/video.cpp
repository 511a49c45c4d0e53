#include "viewer/export/video.h"

#include "reference/tensor/files.h"
#include "reference/tensor/shell_word.h"
#include "viewer/export/png.h"
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace headroom {
namespace {

namespace fs = std::filesystem;

int frames_of(const Film& film)
{
    return std::max(1, static_cast<int>(std::lround(film.seconds * film.frames_per_second)));
}

// Calls visit(number, image) for each frame; a moment that lasts is painted once.
template <class Visit> void each_frame(const Film& film, const Theme& theme, float zoom, Visit visit)
{
    std::optional<double> painted;
    Image image;
    for (int n = 0; n < frames_of(film); ++n) {
        const double moment = film.moment_at(n / film.frames_per_second);
        if (painted != moment) image = rasterise(film.picture_of(moment), theme, zoom);
        painted = moment;
        visit(n, image);
    }
}

std::string first_line(const fs::path& path)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// ffmpeg's end of a pipe. If it dies early, writing fails, and we are told so instead of being killed.
class Pipe {
public:
    explicit Pipe(const std::string& command) : old_(std::signal(SIGPIPE, SIG_IGN)), to_(popen(command.c_str(), "w")) {}
    ~Pipe()
    {
        close();
        std::signal(SIGPIPE, old_);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool write(const std::vector<std::uint8_t>& bytes)
    {
        return to_ && std::fwrite(bytes.data(), 1, bytes.size(), to_) == bytes.size();
    }
    int close() // ffmpeg's exit status
    {
        if (!to_) return -1;
        const int status = pclose(to_);
        to_ = nullptr;
        return status;
    }

private:
    void (*old_)(int);
    std::FILE* to_;
};

// H.264 in the colours that every player knows, even sizes; for GIF a palette made of the film itself.
std::string encoder_of(const fs::path& path)
{
    if (path.extension() == ".gif")
        return "-vf 'split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none' -f gif";
    return "-vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' -c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p -movflags "
           "+faststart "
           "-f mp4";
}

void encode(const Film& film, const Theme& theme, float zoom, const fs::path& path)
{
    if (!path.parent_path().empty() && !fs::is_directory(path.parent_path()))
        throw std::invalid_argument(path.string() + ": there is no such folder");
    const fs::path unfinished = path.string() + ".part", log = path.string() + ".log";
    const Rect size = film.picture_of(film.moment_at(0)).size;
    const auto pixels = [&](float length) { return std::lround(length * zoom); };
    const std::string command = fmt::format(
        "ffmpeg -y -loglevel error -f rawvideo -pixel_format rgb24 -video_size {}x{} -framerate {} -i - {} {} 2>{}",
        pixels(size.width()), pixels(size.height()), film.frames_per_second, encoder_of(path),
        shell_word(unfinished.string()), shell_word(log.string()));
    bool all_written = true;
    int status = 0;
    {
        Pipe pipe(command);
        each_frame(film, theme, zoom,
                   [&](int, const Image& image) { all_written = all_written && pipe.write(image.rgb); });
        status = pipe.close();
    }
    const std::string why = first_line(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (status != 0 || !all_written) {
        fs::remove(unfinished, ignored);
        throw std::invalid_argument(path.string() + ": ffmpeg failed: " + (why.empty() ? "it gave no reason" : why));
    }
    fs::rename(unfinished, path);
}

} // namespace

bool is_film(const fs::path& path) { return path.extension() == ".mp4" || path.extension() == ".gif"; }

bool have_ffmpeg()
{
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        std::error_code error;
        if (fs::is_regular_file(fs::path(rest.substr(0, colon)) / "ffmpeg", error)) return true;
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return false;
}

WrittenFilm write_film(const Film& film, const Theme& theme, float zoom, const fs::path& path)
{
    if (have_ffmpeg()) {
        encode(film, theme, zoom, path);
        return {path, frames_of(film), false};
    }
    const fs::path folder = path.parent_path() / (path.stem().string() + "-frames");
    fs::create_directories(folder);
    each_frame(film, theme, zoom,
               [&](int n, const Image& image) { write_file(folder / fmt::format("frame-{:05}.png", n), png(image)); });
    return {folder, frames_of(film), true};
}

} // namespace headroom
