#include "reference/recording/launches_file.h"

#include "reference/tensor/safetensors.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_sites = 10'000;
constexpr std::array op_names{"load", "store", "async_copy", "barrier", "shuffle", "matrix"};
constexpr Index event_columns = 7, block_columns = 7;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

// A number of a table that must be whole and in [least, most].
Index whole(double value, double least, double most, const std::string& what)
{
    if (!(value >= least && value <= most) || value != std::floor(value)) refuse(what + " is out of range");
    return static_cast<Index>(value);
}

// A table [n, columns]; no rows where it is missing.
Tensor take_table(NamedTensors& file, const std::string& name, Index columns)
{
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) return Tensor({0, columns});
    const Shape& shape = found->second.shape();
    if (shape.size() != 2 || shape[1] != columns)
        refuse("tensor '" + name + "' has shape " + to_text(shape) + ", not [n, " + std::to_string(columns) + "]");
    return load(found->second);
}

} // namespace

Json write_launch(const KernelTrace& launch, const std::string& at, NamedTensors& file)
{
    Json json{{"kernel", launch.step},    {"grid", launch.grid},    {"block", launch.block},
              {"buffers", Json::array()}, {"sites", Json::array()}, {"faults", launch.faults}};
    for (const TracedBuffer& b : launch.buffers) json["buffers"].push_back({{"label", b.label}, {"bytes", b.bytes}});
    for (const TracedSite& s : launch.sites)
        json["sites"].push_back({{"file", s.file},
                                 {"line", s.line},
                                 {"op", op_names.at(static_cast<std::size_t>(s.op))},
                                 {"buffer", s.buffer}, // -1: shared memory
                                 {"requests", s.requests},
                                 {"lanes", s.lanes},
                                 {"bytes", s.bytes},
                                 {"sectors", s.sectors},
                                 {"ideal_sectors", s.ideal_sectors},
                                 {"wavefronts", s.wavefronts},
                                 {"ideal_wavefronts", s.ideal_wavefronts}});

    const auto rows = [](std::size_t n) { return static_cast<Index>(n); };
    Tensor blocks({rows(launch.blocks.size()), block_columns});
    for (Index n = 0; n < blocks.extent(0); ++n) {
        const TracedBlock& b = launch.blocks[static_cast<std::size_t>(n)];
        std::ranges::copy(std::array{double(b.block), double(b.buffer), double(b.bytes_read), double(b.bytes_written),
                                     double(b.sectors), double(b.first), double(b.end)},
                          blocks.row(n).begin());
    }
    Tensor events({rows(launch.events.size()), event_columns}), offsets({rows(launch.events.size()), 32});
    for (Index n = 0; n < events.extent(0); ++n) {
        const TracedEvent& e = launch.events[static_cast<std::size_t>(n)];
        std::ranges::copy(std::array{double(e.block), double(e.warp), double(e.site), double(e.lanes), double(e.bytes),
                                     double(e.cost), double(e.ideal)},
                          events.row(n).begin());
        std::ranges::transform(e.offset, offsets.row(n).begin(), [](Index o) { return static_cast<double>(o); });
    }
    for (const auto& [name, table] : {std::pair{"blocks", &blocks}, {"events", &events}, {"event_offsets", &offsets}})
        if (table->extent(0)) file.tensors.emplace(at + name, store(*table, DType::i64));
    return json;
}

KernelTrace read_launch(const Json& json, const std::string& at, NamedTensors& file)
{
    KernelTrace launch{.step = json.at("kernel"),
                       .grid = json.at("grid"),
                       .block = json.at("block"),
                       .buffers = {},
                       .sites = {},
                       .blocks = {},
                       .events = {},
                       .faults = json.at("faults")};
    double blocks_of_grid = 1;
    for (const unsigned extent : launch.grid) blocks_of_grid *= extent;
    for (const Json& b : json.at("buffers")) launch.buffers.push_back({b.at("label"), b.at("bytes")});
    const auto buffers = static_cast<double>(launch.buffers.size());
    if (json.at("sites").size() > most_sites) refuse(at + " has too many sites");
    for (const Json& s : json.at("sites")) {
        const auto op = std::ranges::find(op_names, s.at("op").get<std::string>(),
                                          [](const char* name) { return std::string(name); });
        if (op == op_names.end()) refuse(at + " names an unknown operation");
        const int buffer = static_cast<int>(whole(s.at("buffer"), -1, buffers - 1, at + "sites: a buffer"));
        launch.sites.push_back({.file = s.at("file"),
                                .line = s.at("line"),
                                .op = static_cast<Op>(op - op_names.begin()),
                                .space = buffer < 0 ? Space::shared : Space::global,
                                .buffer = buffer,
                                .requests = s.at("requests"),
                                .lanes = s.at("lanes"),
                                .bytes = s.at("bytes"),
                                .sectors = s.at("sectors"),
                                .wavefronts = s.at("wavefronts"),
                                .ideal_wavefronts = s.at("ideal_wavefronts"),
                                .ideal_sectors = s.at("ideal_sectors")});
    }

    constexpr double any = 9007199254740992; // 2^53
    const Tensor blocks = take_table(file, at + "blocks", block_columns);
    for (Index n = 0; n < blocks.extent(0); ++n) {
        const auto column = [&](Index c, double least, double most) {
            return whole(blocks(n, c), least, most, at + "blocks: column " + std::to_string(c));
        };
        const int buffer = static_cast<int>(column(1, 0, buffers - 1));
        const auto bytes = static_cast<double>(launch.buffers[static_cast<std::size_t>(buffer)].bytes);
        launch.blocks.push_back({.block = static_cast<std::uint32_t>(column(0, 0, blocks_of_grid - 1)),
                                 .buffer = buffer,
                                 .bytes_read = column(2, 0, any),
                                 .bytes_written = column(3, 0, any),
                                 .sectors = column(4, 0, any),
                                 .first = column(5, 0, bytes),
                                 .end = column(6, 0, bytes)});
    }
    const Tensor events = take_table(file, at + "events", event_columns);
    const Tensor offsets = take_table(file, at + "event_offsets", 32);
    if (events.extent(0) != offsets.extent(0)) refuse(at + "events and event_offsets do not agree");
    for (Index n = 0; n < events.extent(0); ++n) {
        const auto column = [&](Index c, double most) {
            return whole(events(n, c), 0, most, at + "events: column " + std::to_string(c));
        };
        TracedEvent e{.block = static_cast<std::uint32_t>(column(0, blocks_of_grid - 1)),
                      .warp = static_cast<std::uint16_t>(column(1, 31)),
                      .site = static_cast<std::uint16_t>(column(2, static_cast<double>(launch.sites.size()) - 1)),
                      .lanes = static_cast<std::uint32_t>(column(3, 4294967295.0)),
                      .bytes = static_cast<std::uint32_t>(column(4, 1 << 30)),
                      .cost = static_cast<std::uint16_t>(column(5, 65535)),
                      .ideal = static_cast<std::uint16_t>(column(6, 65535)),
                      .offset = {}};
        for (Index lane = 0; lane < 32; ++lane)
            e.offset[static_cast<std::size_t>(lane)] = whole(offsets(n, lane), -1, any, at + "event_offsets");
        launch.events.push_back(e);
    }
    return launch;
}

} // namespace headroom
