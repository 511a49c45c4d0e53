// Pages 1 to 4: what shapes the prompt and then each token have, and what sharing heads saves.
#include "cli/tour_pages.h"

#include "cli/text.h"
#include <algorithm>
#include <fmt/format.h>

namespace headroom {

void show_model(const Tour& tour, const Terminal& out)
{
    const DecoderConfig& c = tour.model.decoder.config;
    fmt::print("{}", out.heading(1, "The model"));
    fmt::print("  {}: {} layers, width {}, {} weights, context {}\n", out.strong(tour.model.name), c.layers, c.width,
               count_text(parameters(c, tour.model.decoder.classifier.empty())), c.max_length);
    fmt::print("  {} = {} query heads on {} key/value heads of {} numbers\n\n", out.accent(sharing(c)), c.q_heads,
               c.kv_heads, c.head_dim);
    const Index group = c.q_heads / c.kv_heads;
    if (c.q_heads > 16) return;
    std::string queries = "    query head  ", keys = "    reads KV    ";
    for (Index h = 0; h < c.q_heads; ++h) {
        queries += pad_left(std::to_string(h), 3);
        keys += pad_left(std::to_string(h / group), 3);
        if ((h + 1) % group == 0 && h + 1 < c.q_heads) {
            queries += " │";
            keys += " │";
        }
    }
    fmt::print("{}\n{}\n\n", queries, out.accent(keys));
    out.say("Heads that share are neighbours: head h reads KV head h / group size.");
}

void show_layer(const Tour& tour, const Terminal& out)
{
    fmt::print("{}", out.heading(2, "The prompt goes through one layer"));
    fmt::print("{}\n", wrapped(fmt::format("\"{}\" is {} tokens, with the mark of the beginning.",
                                           printable(tour.settings.prompt), tour.prompt.size()),
                               "  ", "  ", 78));
    fmt::print("  {}\n", out.dim("tensor          axes         shape             what it is"));
    for (const NamedShape& each : tour.layer)
        fmt::print("  {} {} {} {}\n", pad_right(each.name, 15), pad_right(each.axes, 12),
                   out.accent(pad_right(to_text(each.shape), 17)), each.meaning);
    fmt::print("\n");
    out.say("B sequences, H query heads, Hkv KV heads, L new tokens, S tokens seen,");
    out.say("D numbers per head, E width. Look at k and v: they have Hkv heads, q has H.");
}

void show_decoding(const Tour& tour, const Terminal& out)
{
    fmt::print("{}", out.heading(3, "Then one token at a time: the keys of one layer"));
    fmt::print("  {}\n", out.dim("           N   past              new                  result"));
    for (const LockstepLane& lane : tour.sharing) {
        const std::vector<ShapeRow>& rows = lane.shapes;
        std::vector<std::size_t> shown{0, 1, rows.size() - 1};
        if (rows.size() < 4) shown.resize(rows.size());
        for (const std::size_t i : shown)
            if (i < rows.size())
                fmt::print("  {} {} {} {} {} {}\n",
                           out.accent(pad_right(i == 0   ? lane.name
                                                : i == 1 ? ""
                                                         : "   …",
                                                6)),
                           pad_left(std::to_string(rows[i].length), 5), pad_left(to_text(rows[i].past), 17),
                           pad_right("+ " + to_text(rows[i].added), 17), "= ", to_text(rows[i].result));
    }
    fmt::print("\n");
    out.say("[B, Hkv, N-1, D] and one new row make [B, Hkv, N, D]; values likewise.");
}

void show_sharing(const Tour& tour, const Terminal& out)
{
    fmt::print("{}", out.heading(4, "What sharing heads saves"));
    fmt::print("  {}\n", out.dim(fmt::format(
                             "           KV heads   a token adds   step N = {} reads",
                             tour.sharing.front().shapes.empty() ? 0 : tour.sharing.front().shapes.back().length)));
    double most = 0;
    for (const LockstepLane& lane : tour.sharing) most = std::max(most, static_cast<double>(lane.bytes_read_last_step));
    for (const LockstepLane& lane : tour.sharing)
        fmt::print("  {} {} {} {}   {}\n", out.accent(pad_right(lane.name, 6)),
                   pad_left(std::to_string(lane.config.kv_heads), 12), pad_left(bytes_text(lane.bytes_per_token), 14),
                   pad_left(bytes_text(lane.bytes_read_last_step), 17),
                   out.accent(bar(static_cast<double>(lane.bytes_read_last_step), most, 20)));
    fmt::print("\n  A larger model with 32 query heads (one layer, 256 tokens, D = 64, f32):\n");
    fmt::print("  32 KV heads allocate {}, 4 KV heads {}: {} less.\n\n", bytes_text(tour.saving.all_heads_bytes),
               bytes_text(tour.saving.shared_bytes), out.strong(fmt::format("{:.1f} %", tour.saving.saved_percent)));
    out.say("Each decode step reads the whole cache: fewer KV heads, fewer bytes.");
}

} // namespace headroom
