#!/usr/bin/env bash
# Writes the table of README.md: what finds each planted mistake. tests/cuda/mutants/table.sh [build folder]
set -eu
cd "$(dirname "$0")/../../.."
rows=$(mktemp) && trap 'rm -f "$rows"' EXIT
"${1:-build/release}/test_mutants" | grep '^| [a-z_]*/' >"$rows" || true
[ -s "$rows" ] || { echo "test_mutants gave no rows" >&2; exit 1; }
sed -i -e "/^<!-- mutants -->/,/^<!-- end of mutants -->/{/^<!--/!d}" tests/cuda/mutants/README.md
sed -i -e "/^<!-- mutants -->/r /dev/stdin" tests/cuda/mutants/README.md < <(
    printf '| step | planted mistake | found as | on the case | in the order |\n|---|---|---|---|---|\n'
    cat "$rows"
)
! grep SURVIVED "$rows"
