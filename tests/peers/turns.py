"""Two subjects in turns, block by block: on a shared machine only what is measured side by side can be compared."""
import os
import statistics
from time import perf_counter as clock, sleep

PAUSE = 0.25  # seconds: OpenMP's threads may stay awake for 0.2 after their last work


def block(launch, counter, launches, seconds):
    """The time of the fastest launch: whatever else the machine does only adds to it, and most where threads wait for each
    other. Before that, the other side's threads fall asleep, and the first launch wakes our own."""
    sleep(PAUSE)
    launch(next(counter))
    times = []
    begin = clock()
    while len(times) < launches or clock() - begin < seconds:
        start = clock()
        launch(next(counter))
        times.append(clock() - start)
    return min(times)


def pin():
    """The main thread on the first processor, all others on the rest: a busy system may leave both threads of a side on one.
    The libraries have started their threads before."""
    if not hasattr(os, "sched_setaffinity") or not os.path.isdir("/proc/self/task"):
        return
    first, *rest = sorted(ALLOWED)
    for thread in map(int, os.listdir("/proc/self/task")):
        os.sched_setaffinity(thread, {first} if thread == os.getpid() or not rest else rest)


ALLOWED = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}


def ratios(theirs, ours, rounds, block_ms, launches=3):
    """How many times as long theirs takes, pair by pair, and the median of our times in ms; who begins alternates."""
    pin()
    counters = [iter(range(1 << 62)), iter(range(1 << 62))]
    pairs, milliseconds = [], []
    for n in range(rounds):
        times = {}
        for side in ((0, 1) if n % 2 == 0 else (1, 0)):
            times[side] = block((theirs, ours)[side], counters[side], launches, block_ms / 1000)
        pairs.append(times[0] / times[1])
        milliseconds.append(times[1] * 1000)
    return pairs, statistics.median(milliseconds)
