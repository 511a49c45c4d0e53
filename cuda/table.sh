#!/bin/bash
# Writes the table of cuda/README.md from the ladder and from what ptxas reported when it was built.
#     cuda/table.sh build/release            between the markers of cuda/README.md
#     cuda/table.sh build/release --check    fails on a spill, a C75xx warning (wgmma made serial) or a missing report
set -euo pipefail
cd "$(dirname "$0")/.."
logs=$1/kernels

# Every step of ladder.inc as folder/file.
steps() { sed -nE 's/^STEP\((\w+), (\w+)\)/\1\/\2/p' cuda/ladder.inc; }

if [[ ${2:-} == --check ]]; then
    wrong=0
    for step in $(steps); do
        log=$logs/${step/\//_}.log
        kernels=$(grep -c 'Compiling entry function' "$log") || { echo "$log: no kernel was compiled" >&2; wrong=1; continue; }
        if grep -E 'C75[0-9][0-9]' "$log" >&2; then wrong=1; fi
        if grep -E '[1-9][0-9]* bytes spill' "$log" >/dev/null; then
            echo "$step spills registers" >&2
            wrong=1
        fi
        echo "$step: $kernels kernels"
    done
    exit $wrong
fi

table() {
    echo '| step | idea | registers (most) | static shared memory | spilled bytes |'
    echo '|---|---|---|---|---|'
    for step in $(steps); do
        log=$logs/${step/\//_}.log
        idea=$(sed -nE '1s/^\/\/ \w+ [0-9]+: (.*)$/\1/p' "cuda/$step.cu")
        registers=$(sed -nE 's/.*Used ([0-9]+) registers.*/\1/p' "$log" | sort -n | tail -1)
        shared=$(sed -nE 's/.*, ([0-9]+) bytes smem.*/\1/p' "$log" | sort -n | tail -1)
        spills=$(sed -nE 's/.* ([0-9]+) bytes spill stores.*/\1/p' "$log" | sort -n | tail -1)
        echo "| [$step]($step.cu) | $idea | $registers | ${shared:-0} | $spills |"
    done
}

{
    sed -n '1,/<!-- ladder -->/p' cuda/README.md
    table
    sed -n '/<!-- end of ladder -->/,$p' cuda/README.md
} > cuda/README.md.new
mv cuda/README.md.new cuda/README.md
