#!/usr/bin/env bash
# Everything that can only be seen on a GPU, in nine minutes at most: cuda/gpu_check.sh [build folder]
#
#     cuda/gpu_check.sh                         builds build/cuda, checks, measures, writes cuda/results/<gpu>.json
#     cuda/gpu_check.sh --dry-run build/release the same steps, tiny, on the host: shows that the script itself works
#
# The first step is the smallest: a fat binary found by name, one kernel, one tensor map. What hangs is ended by a timeout.
set -eu
cd "$(dirname "$0")/.."
dry=0
if [ "${1:-}" = --dry-run ]; then dry=1 && shift; fi
case ${1:-} in -*) sed -n '2,6s/^# *//p' cuda/gpu_check.sh >&2 && exit 2 ;; esac # --help, and what is not known
build=${1:-build/cuda}
parts=$(mktemp -d) && trap 'rm -rf "$parts"' EXIT

# Seconds that each step may take: 525 in all, for a GPU that is lent for ten minutes at a time.
declare -A limit=([build]=110 [first]=30 [check]=80 [sanitizer]=100 [ceilings]=20 [decode]=70 [prefill]=45 [rivals]=70)

say() { printf '%4d s  %s\n' "$SECONDS" "$*"; }
fail() { say "FAILED: $*" && exit 1; }

if [ "$dry" = 1 ]; then
    executor=simt size=--tiny patience=10 # the host is slower, and may be busy
else
    executor=device size= patience=1
    say "building $build"
    cmake --preset cuda -B "$build" -DHEADROOM_TESTS=OFF -DHEADROOM_VIEWER=OFF >"$parts/log" 2>&1 || { cat "$parts/log"; fail configure; }
    timeout "${limit[build]}" cmake --build "$build" --parallel >"$parts/log" 2>&1 || { tail -n 30 "$parts/log"; fail build; }
fi
bench() { # command
    local seconds=$((${limit[$1]} * patience))
    timeout "$seconds" "$build/gpu_bench" --executor "$executor" $size --seconds "$((seconds * 2 / 3))" "$1" >"$parts/$1" || fail "gpu_bench $1"
}

say "first: a kernel, a tensor map"
bench first
say "check: every step on the quick cases"
[ "$dry" = 1 ] && only='decode/0[26]*' || only='*'
timeout "$((limit[check] * patience))" "$build/headroom" verify --quick --executor "$executor" --impl "$only" --json >"$parts/check" || fail "headroom verify"

say "compute-sanitizer"
if [ "$dry" = 1 ]; then
    echo '{"skipped": "a dry run"}' >"$parts/sanitizer"
elif ! command -v compute-sanitizer >/dev/null; then
    echo '{"skipped": "compute-sanitizer is not installed"}' >"$parts/sanitizer"
else
    for tool in memcheck racecheck; do
        for steps in decode prefill; do # tiny: each step once, on a small case
            timeout "$((limit[sanitizer] / 4))" compute-sanitizer --tool "$tool" --error-exitcode 1 "$build/gpu_bench" --tiny "$steps" >"$parts/log" 2>&1 ||
                { tail -n 20 "$parts/log"; fail "$tool, $steps"; }
        done
    done
    echo '{"memcheck": "passed", "racecheck": "passed"}' >"$parts/sanitizer"
fi

say "ceilings, decode, prefill"
for part in ceilings decode prefill; do bench "$part"; done
say "rivals: PyTorch's SDPA"
missing() { say "no rivals: $*" && printf '{"skipped": "%s"}\n' "$*" >"$parts/rivals"; } # what others do fails no check of ours
if ! command -v python3 >/dev/null; then
    missing "there is no python3"
else
    "$build/gpu_bench" $size shapes >"$parts/shapes"
    code=0
    timeout "${limit[rivals]}" python3 cuda/bench/rivals.py --seconds "$((limit[rivals] * 2 / 3))" <"$parts/shapes" >"$parts/rivals" || code=$?
    case $code in
    0) ;;
    124) missing "rivals.py took longer than ${limit[rivals]} seconds" ;;
    *) missing "rivals.py ended with exit code $code" ;;
    esac
fi

# The name is the GPU's, or the dry run's, which is no result.
gpu=$(sed -n 's/^ "gpu": "\(.*\)",$/\1/p' "$parts/first" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9-')
to=cuda/results/$gpu.json
if [ "$dry" = 1 ]; then to=$build/gpu_check_dry_run.json; fi
mkdir -p "$(dirname "$to")"
{
    printf '{"schema": "headroom.gpu_check/1"'
    for part in first check sanitizer ceilings decode prefill rivals; do
        printf ',\n"%s": ' "$part" && cat "$parts/$part"
    done
    printf '}\n'
} >"$parts/result" && mv "$parts/result" "$to"
say "wrote $to"
