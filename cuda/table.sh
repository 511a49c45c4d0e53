#!/bin/bash
# The table of cuda/README.md: from the ladder, from what ptxas reported when it was built, and from the tracer.
#     cuda/table.sh build/release            writes it between the markers of cuda/README.md
#     cuda/table.sh build/release --check    fails unless all kernels are there, none spills, none has a C75xx warning (wgmma
#                                            made serial), and the table is up to date
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
logs=$build/kernels
fail() { echo "$*" >&2; wrong=1; }
wrong=0

nvcc=$(sed -n 's/^headroom_nvcc:[A-Z]*=//p' "$build/CMakeCache.txt")
if [ ! -x "$nvcc" ]; then
    echo "SKIPPED: $build was configured without nvcc, so ptxas reported nothing"
    exit 0
fi
version=$("$nvcc" --version | sed -nE 's/.*, (V[0-9.]+)$/\1/p')

# Up to date, and nvcc said yes to every file: the build stops where it did not.
cmake --build "$build" --target headroom headroom-traced >"$build/table.log" 2>&1 ||
    { cat "$build/table.log"; exit 1; }

# Every step of ladder.inc as folder/file.
steps() { sed -nE 's/^STEP\((\w+), (\w+)\)/\1\/\2/p' cuda/ladder.inc; }
log_of() { echo "$logs/${1/\//_}.log"; }

# As many kernels as the host's compiler found in the same source, once for each architecture.
check_kernels() { # step
    local log folder=${1%/*} name=${1/\//_} wanted found architectures
    log=$(log_of "$1")
    wanted=$(nm "$build/cuda/$folder/libheadroom_$folder.a" 2>/dev/null | grep -c " T ${name}_" || true)
    architectures=$(sed -nE "s/.*Compiling entry function '.*' for '(\w+)'.*/\1/p" "$log" | sort -u)
    [ -n "$architectures" ] || { fail "$log: no kernel was compiled"; return; }
    for each in $architectures; do
        found=$(grep -c "Compiling entry function '${name}_.*' for '$each'" "$log")
        [ "$found" = "$wanted" ] || fail "$1: $found of $wanted kernels were compiled for $each"
    done
    [[ " $architectures " == *sm_90a* ]] || fail "$1: nothing was compiled for sm_90a"
    if grep -E 'C75[0-9][0-9]' "$log" >&2; then fail "$1: ptxas made wgmma serial"; fi
    if grep -B2 -E '[1-9][0-9]* bytes spill' "$log" >&2; then fail "$1 spills registers"; fi
}

# "step number" for each: bytes of K and V read over their bytes, where all of a cache is seen.
traced() {
    for shape in "--impl decode/* --keys 512" "--impl prefill/* --keys 64 --queries 64 --head-dim 128"; do
        read -ra options <<<"$shape"
        "$build/headroom" trace "${options[@]}" --json | sed -nE 's/^ *"(impl|bytes_read_per_kv_byte)": "?([^",]*)"?,$/\2/p' | paste -d ' ' - -
    done
}

table() {
    local reads=$1
    echo "| step | idea | registers (most) | static shared memory | spilled bytes | bytes read per KV byte |"
    echo '|---|---|---|---|---|---|'
    for step in $(steps); do
        log=$(log_of "$step")
        idea=$(sed -nE '1s/^\/\/ \w+ [0-9]+: (.*)$/\1/p' "cuda/$step.cu")
        registers=$(sed -nE 's/.*Used ([0-9]+) registers.*/\1/p' "$log" | sort -n | tail -1)
        shared=$(sed -nE 's/.*, ([0-9]+) bytes smem.*/\1/p' "$log" | sort -n | tail -1)
        spills=$(sed -nE 's/.* ([0-9]+) bytes spill stores.*/\1/p' "$log" | sort -n | tail -1)
        echo "| [$step]($step.cu) | $idea | $registers | ${shared:-0} | $spills | $(sed -n "s|^$step ||p" <<<"$reads") |"
    done
    echo
    echo "Registers, shared memory and spills: ptxas of nvcc $version, the largest over a step's kernels, for sm_80 and sm_90a."
}

new=$build/README.md
{
    sed -n '1,/<!-- ladder -->/p' cuda/README.md
    table "$(traced)"
    sed -n '/<!-- end of ladder -->/,$p' cuda/README.md
} >"$new"

if [[ ${2:-} != --check ]]; then
    cp "$new" cuda/README.md
    exit
fi
for step in $(steps); do check_kernels "$step"; done
if ! grep -qF "nvcc $version," cuda/README.md; then
    echo "The table is of another nvcc than $version: not compared"
elif ! diff cuda/README.md "$new"; then
    fail "cuda/README.md is not up to date: cuda/table.sh $build writes it"
fi
[ "$wrong" = 0 ] && echo "$(cat $(for s in $(steps); do log_of "$s"; done) | grep -c 'Compiling entry function') kernels: none spills, none has a C75xx warning"
exit "$wrong"
