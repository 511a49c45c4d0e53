// What the tracer counts and finds, on kernels for which both are known.
#include "cuda/executor/tracer/source_lines.h"
#include "cuda/executor/tracer/tracing_executor.h"
#include "tests/cuda/tracer/kernels.h"
#include "tests/support/catch.h"

#include <numeric>

using namespace headroom;
using namespace headroom::cuda;

namespace {

KernelTrace trace(const Kernel<Traced>& kernel, unsigned threads, int stride = 1)
{
    TracingExecutor executor;
    std::vector<float> values(4096);
    std::iota(values.begin(), values.end(), 0.0f);
    Buffer<float> from(executor, values, "from");
    Buffer<float> to(executor, 1024, "to");
    launch(executor, kernel, {.block = {threads}}, {from.data(), to.data(), stride});
    return executor.take().at(0);
}

const TracedSite& site(const KernelTrace& trace, headroom::Op op, Space space)
{
    for (const TracedSite& s : trace.sites)
        if (s.op == op && s.space == space) return s;
    throw std::runtime_error("no such site");
}

void expect_fault(const Kernel<Traced>& kernel, unsigned threads, int line, const std::string& what)
{
    const KernelTrace got = trace(kernel, threads);
    bool found = false;
    for (const std::string& fault : got.faults) {
        UNSCOPED_INFO(fault);
        found |= fault.find(what) != fault.npos && fault.find("kernels.cu:" + std::to_string(line) + ",") != fault.npos;
    }
    CHECK(found);
}

} // namespace

TEST_CASE("neighbouring lanes share sectors, and a stride of eight floats touches one sector each")
{
    const KernelTrace dense = trace(copy_strided, 64), strided = trace(copy_strided, 64, 8);
    CHECK(dense.faults.empty());
    CHECK(site(dense, headroom::Op::load, Space::global).requests == 2);
    CHECK(site(dense, headroom::Op::load, Space::global).sectors == 8);
    CHECK(site(dense, headroom::Op::load, Space::global).ideal_sectors == 8);
    CHECK(site(strided, headroom::Op::load, Space::global).sectors == 64);
    CHECK(site(strided, headroom::Op::load, Space::global).ideal_sectors == 8);
    CHECK(site(strided, headroom::Op::load, Space::global).bytes == 256);
    CHECK(site(dense, headroom::Op::load, Space::global).line == copy_strided_line);
    CHECK(bytes_read(dense, "from") == 256);
}

TEST_CASE("vector accesses count once, however the compiler splits them")
{
    const KernelTrace got = trace(copy_vectors, 64);
    const TracedSite& load = site(got, headroom::Op::load, Space::global);
    CHECK(load.requests == 2);
    CHECK(load.bytes == 1024);
    CHECK(load.sectors == 32);
    CHECK(load.line == copy_vectors_line);
    REQUIRE(!got.events.empty());
    CHECK(got.events[0].offset[3] == 48);
    CHECK(got.events[0].bytes == 16);
    CHECK(got.events[0].cost == 16);
    CHECK(got.events[0].ideal == 16);
}

TEST_CASE("what each block asks of each buffer is counted, and events are kept of the blocks that were asked for")
{
    TracingExecutor executor(2);
    const std::vector<float> values(4096, 1.0f);
    Buffer<float> from(executor, values, "from"), to(executor, 1024, "to");
    launch(executor, copy_strided, {.grid = {3}, .block = {64}}, {from.data(), to.data(), 8});
    launch(executor, copy_vectors, {.block = {32}}, {from.data(), to.data(), 1});
    const std::vector<KernelTrace> launches = executor.take();
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].grid[0] == 3);
    REQUIRE(launches[0].blocks.size() == 6); // three blocks read `from` and write `to`
    for (const TracedBlock& b : launches[0].blocks) {
        const bool reads = launches[0].buffers[static_cast<std::size_t>(b.buffer)].label == "from";
        CHECK(b.bytes_read == (reads ? 256 : 0));
        CHECK(b.bytes_written == (reads ? 0 : 256));
        CHECK(b.sectors == (reads ? 64 : 8));
        CHECK(b.first == 0);
        CHECK(b.end == (reads ? 63 * 32 + 4 : 256));
    }
    CHECK(launches[0].events.back().block == 1);
    for (const TracedEvent& e : launches[0].events)
        CHECK(e.cost == (launches[0].sites[e.site].op == headroom::Op::load ? 32 : 4));
    CHECK(launches[1].step == "tracer_kernels_copy_vectors");
    CHECK(bytes_read(launches[1], "from") == 512);
}

TEST_CASE("reading columns of a 32-wide tile conflicts in all banks, and a padded tile does not")
{
    const KernelTrace plain = trace(transpose, 256), padded = trace(transpose_padded, 256);
    const TracedSite &conflicts = site(plain, headroom::Op::load, Space::shared),
                     &none = site(padded, headroom::Op::load, Space::shared);
    CHECK(conflicts.ideal_wavefronts == 32);
    CHECK(conflicts.wavefronts == 32 * 32);
    CHECK(none.wavefronts == none.ideal_wavefronts);
    CHECK(conflicts.line == transpose_line);
}

TEST_CASE("what the copy engine writes in one piece uses all banks: it conflicts with nothing")
{
    const tracer::Request piece{
        .place = {}, .kind = tracer::Kind::copy, .shared = true, .bytes = 8192, .lanes = 1, .address = {}};
    CHECK(piece.wavefronts() == 64);
    CHECK(piece.ideal_wavefronts() == 64);
}

TEST_CASE("races in shared memory are named with line and threads")
{
    expect_fault(read_after_write, 64, read_after_write_line, "race: thread 63 reads what thread 0 wrote");
    expect_fault(write_after_read, 64, write_after_read_line, "overwrites what thread");
    expect_fault(shuffle_is_no_fence, 32, shuffle_is_no_fence_line, "race: thread");
    CHECK(trace(syncwarp_is, 32).faults.empty());
    CHECK(trace(counted, 64).faults.empty());
    expect_fault(copied_early, 32, copied_early_line, "race: thread 1 reads what thread 0 wrote");
}

TEST_CASE("a line of source is read, whatever its path holds")
{
    tracer::Line line;
    CHECK(tracer::parse_line("/a folder/with: signs (3)/naive.cu:42 (discriminator 3)\n", line));
    CHECK(line.file == "naive.cu");
    CHECK(line.number == 42);
    CHECK(tracer::parse_line("naive.cu:7", line));
    CHECK(line.number == 7);
    CHECK_FALSE(tracer::parse_line("??:0", line));
    CHECK_FALSE(tracer::parse_line("??:?\n", line));
    CHECK_FALSE(tracer::parse_line("/a/naive.cu:?", line));
}

TEST_CASE("uninitialised reads and accesses out of bounds are named")
{
    expect_fault(uninitialised_shared, 64, uninitialised_shared_line,
                 "shared tile + 4: uninitialised read by thread 1");
    expect_fault(uninitialised_global, 64, uninitialised_global_line, "uninitialised read: byte 4000 of 'to'");
}

TEST_CASE("an ordinary write out of bounds is named by the tracer and by the guard zone")
{
    TracingExecutor executor;
    const std::vector<float> values(64, 1.0f);
    Buffer<float> from(executor, values, "from");
    Buffer<float> to(executor, 1024, "to");
    launch(executor, out_of_bounds, {.block = {64}}, {from.data(), to.data(), 1});
    const KernelTrace got = executor.take().at(0);
    REQUIRE(got.faults.size() == 1);
    CHECK(got.faults[0].find("write out of bounds: byte 4096 of 'to' (4096 bytes)") != std::string::npos);
    CHECK(got.faults[0].find("kernels.cu:" + std::to_string(out_of_bounds_line) + ", block 0, thread 5") !=
          std::string::npos);
    CHECK_THROWS_AS(executor.finish(), Fault);
}
