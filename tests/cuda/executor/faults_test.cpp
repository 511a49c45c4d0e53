// Every class of fault is reported with its line and thread.
#include "cuda/executor/fault.h"
#include "cuda/executor/ptx/ptx_executor.h"
#include "cuda/executor/sanitizer.h"
#include "cuda/executor/simt/simt_executor.h"
#include "tests/cuda/executor/faults.h"
#include "tests/support/catch.h"

#include <iostream>

using namespace headroom::cuda;

namespace {

std::string run(Executor& executor, const Faulty& faulty)
{
    Buffer<float> out(executor, 128, "out");
    const std::vector<float> zeroes(128, 0.0f);
    Buffer<float> in(executor, zeroes, "in");
    try {
        launch(executor, faulty.kernel, {.block = {faulty.threads}}, {out.data(), in.data()});
        executor.finish();
    } catch (const Fault& fault) {
        return fault.what();
    }
    return "no fault";
}

void expect(const Faulty& faulty, const std::string& what, const std::string& who = "")
{
    SimtExecutor executor;
    const std::string report = run(executor, faulty);
    INFO(report);
    CHECK(report.find(what) != report.npos);
    if (faulty.line) CHECK(report.find("faults.cu:" + std::to_string(faulty.line)) != report.npos);
    CHECK(report.find(who) != report.npos);
    CHECK(run(executor, innocent) == "no fault"); // what failed does not disturb what comes next
}

void expect_ptx(const Faulty& faulty, const std::string& what, const std::string& who, bool line = true)
{
    const auto executor = make_executor(ExecutorKind::ptx);
    const std::string report = run(*executor, faulty);
    INFO(report);
    CHECK(report.find(what) != report.npos);
    CHECK(report.find(who) != report.npos);
    if (faulty.line && line) CHECK(report.find("faults.cu:" + std::to_string(faulty.line)) != report.npos);
    CHECK(run(*executor, innocent) == "no fault");
}

} // namespace

TEST_CASE("simt names barriers that a block does not reach together")
{
    expect(divergent_barrier, "divergent barrier", ", thread ");
    expect(deadlock, "deadlock", "threads 0-31: named_sync");
    expect(barrier_in_part_of_a_warp, "different places", "threads 0-15: __syncthreads");
    expect(wrong_barrier_count, "barrier 3 waits for 64 threads, not for 96");
}

TEST_CASE("simt names shuffles whose lanes are not all there")
{
    expect(shuffle_with_exited_lane, "names lanes that exited or do not exist: 00000001", "lane 1)");
    expect(shuffle_with_late_exit, "exits while lanes of its warp wait for it", "thread 31");
    expect(shuffle_without_caller, "does not name the lane that calls", "lane 16)");
    expect(shuffle_from_unnamed_lane, "reads lane 20, which the mask does not name");
    expect(mixed_shuffles, "different places");
    expect(short_warp, "exited or do not exist: ffffff00");
}

TEST_CASE("simt names asynchronous copies without wait or barrier, whenever they land")
{
    for (const simt::Copies copies : {simt::Copies::lazy, simt::Copies::eager}) {
        SimtExecutor executor(simt::Options{.copies = copies});
        const auto report = [&](const Faulty& faulty) { return run(executor, faulty); };
        CHECK(report(copy_without_wait).find("never waited for") != std::string::npos);
        CHECK(report(copy_without_barrier).find("no barrier followed") != std::string::npos);
        CHECK(report(copy_read_too_early).find("may still write it") != std::string::npos);
    }
    expect(copy_without_barrier, "shared tile + ");
    expect(copy_read_too_early, "race", "lane 31)");
}

TEST_CASE("simt names accesses out of bounds")
{
    expect(read_out_of_bounds, "read of 16 bytes out of bounds: byte 512 of 'in' (512 bytes)", "thread 32");
    expect(write_out_of_bounds, "write of 8 bytes out of bounds: byte 512 of 'out'", "thread 64");
    const int red_zone = sanitizer::present() ? 64 : 0; // before each array
    expect(shared_out_of_bounds, "out of bounds: shared memory + " + std::to_string(128 + red_zone), "thread 16");
    expect(misaligned, "misaligned read of 16 bytes", "thread 1 ");
}

TEST_CASE("simt finds ordinary writes beside a buffer, at the end of the kernel")
{
    if (sanitizer::present()) return; // the sanitizer stops the program instead
    SimtExecutor executor;
    CHECK(run(executor, plain_write_out_of_bounds).find("byte 512 of 'out'") != std::string::npos);
}

TEST_CASE("a kernel that throws is a fault, not a crash") { expect(throws, "the kernel threw: a message", "thread 9"); }

TEST_CASE("ptx names the same faults, with instruction, line and lane")
{
    if (const std::string reason = why_absent(ExecutorKind::ptx); !reason.empty()) {
        std::cout << "SKIPPED: " << reason << "\n";
        return;
    }
    expect_ptx(divergent_barrier, "divergent barrier", "lane 0)", false);
    expect_ptx(deadlock, "deadlock", "warp 0, lanes ffffffff");
    expect_ptx(shuffle_with_exited_lane, "exited or do not exist", "lane 1)");
    expect_ptx(shuffle_without_caller, "does not name the lane", "lane 16)");
    expect_ptx(shuffle_from_unnamed_lane, "reads lane 20, which the mask does not name", "lane 0)");
    expect_ptx(short_warp, "exited or do not exist", "lane 0)");
    expect_ptx(copy_without_wait, "never waited for", "thread 0 ");
    expect_ptx(read_out_of_bounds, "out of bounds: byte 512 of 'in' (512 bytes)", "thread 32 (warp 1, lane 0)");
    expect_ptx(write_out_of_bounds, "out of bounds: byte 512 of 'out'", "thread 64 (warp 2, lane 0)");
    expect_ptx(plain_write_out_of_bounds, "out of bounds: byte 512 of 'out'", "lane 3)");
    expect_ptx(shared_out_of_bounds, "of shared memory", "lane 16)");
    expect_ptx(misaligned, "misaligned access of 16 bytes", "lane 1)");
}
