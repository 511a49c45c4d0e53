#!/usr/bin/env python3
"""Counts what holds the project up, in the sources themselves; tests/README.md takes its numbers from here.

    python3 tests/evidence.py                         one count per line
    python3 tests/evidence.py --ran build/release     every test case that is written is in ctest's list, or exit code 1

A name that ctest garbles (a semicolon splits it) is a filter that finds no test, and finding no test counts as passed.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STRING = r'"(?:[^"\\]|\\.)*"'


def text(path):
    return (ROOT / path).read_text(encoding="utf-8")


def lines(path, start):
    return sum(line.startswith(start) for line in text(path).splitlines())


def planted(in_what):
    return sum(" | " in line for line in text(f"tests/mutants/{in_what}.txt").splitlines() if not line.startswith("#"))


def test_cases():
    """(file, name) of every TEST_CASE that is not hidden, as "[.speed]" is."""
    for path in sorted((ROOT / "tests").rglob("*.cpp")):
        for match in re.finditer(rf"^TEST_CASE\(\s*((?:{STRING}\s*)+)(?!,\s*\"\[\.)[,)]", path.read_text(encoding="utf-8"), re.M):
            pieces = re.findall(STRING, match[1])
            yield path.relative_to(ROOT), "".join(json.loads(piece) for piece in pieces)


def rounded_down(count, to=50):
    return count - count % to


def counts():
    cases = list(test_cases())
    reports = {int(n) for _, name in cases for n in re.findall(r"^(?:reported )?(?:report|fault)s? (\d+)", name)}
    comparison = [name for path, name in cases if path.name == "comparison_test.cpp" and re.search(r"reject|must stand", name)]
    wrong_lines = text("tests/cli/bad_input_test.cpp").partition("const std::vector<Wrong> wrong{")[2].partition("\n};")[0]
    under_sanitizers = re.search(r"^under_asan=\((.*)\)", text(".ci/run"), re.M)[1].split()
    fuzz_seconds = re.search(r"-max_total_time=(\d+)", text(".ci/run"))[1]
    return [
        ("test cases, at least", rounded_down(len(cases))),
        ("published faults with a test of their own", len(reports)),
        ("golden problems of NumPy", len(list((ROOT / "tests/data/attention").glob("*.problem.safetensors")))),
        ("vectors of the ONNX standard", int(re.search(r"all (\d+) vectors", text("tests/attention/onnx_test.cpp"))[1])),
        ("wrong answers that the comparison rejects", len(comparison)),
        ("kinds of cache under one suite of laws", lines("reference/kv_cache/kinds.inc", "KIND(")),
        ("steps of the ladder", lines("cuda/ladder.inc", "STEP(")),
        ("mistakes planted in kernels", lines("tests/cuda/mutants/mutants.inc", "MUTANT(")),
        ("mistakes planted in caches", planted("kv_cache")),
        ("mistakes planted in tensors, attention, its fast path, verification and the decoder",
         sum(planted(each) for each in ("tensor", "attention", "parallel", "verification", "decoder"))),
        ("drifts planted in pages", len(re.findall(r"^    def test_", text("tests/documents/planted_drifts.py"), re.M))),
        ("exhibits of the museum", lines("tutorials/museum/exhibits.inc", "EXHIBIT(")),
        ("chapters with an exercise", lines("tutorials/CMakeLists.txt", "headroom_chapter(")),
        ("wrong command lines and files, at least", rounded_down(len(re.findall(rf"^    \{{{STRING}, ", wrong_lines, re.M)))),
        ("readers of files that are fuzzed", lines("tests/fuzz/CMakeLists.txt", "headroom_fuzz(")),
        ("seconds for each of them", int(fuzz_seconds)),
        ("test programs under both sanitizers", len(under_sanitizers)),
    ]


def listed(build):
    """Names of the C++ tests that ctest runs, as Catch2 has listed them. (Asking ctest would overwrite the log of the ctest that
    runs this check.)"""
    for testfile in Path(build, "tests").rglob("CTestTestfile.cmake"):
        for include in re.findall(r'include\("(.*_include-.*\.cmake)"\)', testfile.read_text()):
            tests = Path(re.search(r'include\("(.*)"\)', Path(include).read_text())[1])
            if not tests.exists():
                print(f"SKIPPED: not everything is built: {tests.name}")
                sys.exit(0)
            for name in re.findall(r"^add_test\( ?(?:\[=*\[(.*?)\]=*\]|\"(.*?)\") ", tests.read_text(encoding="utf-8"), re.M):
                yield "".join(name).partition(":")[2].strip()


def not_run(build):
    """Test cases that no test of this build runs."""
    ran = set(listed(build))
    cases, missing = list(test_cases()), {}
    for path, name in cases:
        if name not in ran:
            missing.setdefault(path, []).append(name)
    for path, lost in list(missing.items()):
        whole_file = len(lost) == sum(of == path for of, _ in cases)
        if whole_file and path.name in text(path.parent / "CMakeLists.txt"):
            print(f"{path} is not part of this build")  # which lacks a package
            del missing[path]
    return [f"{path}: {name}" for path, lost in missing.items() for name in lost]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ran", metavar="BUILD", help="look for test cases that nobody runs")
    options = parser.parse_args()
    if not options.ran:
        for words, count in counts():
            print(f"{words} {count}")
        return 0
    missing = not_run(options.ran)
    for each in missing:
        print(f"{each}: no test of {options.ran} runs this")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
