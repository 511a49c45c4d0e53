#!/usr/bin/env bash
# Writes the table of README.md, whole and in one run: what finds each planted mistake. tests/cuda/mutants/table.sh [build folder]
set -eu
cd "$(dirname "$0")/../../.."
build=${1:-build/release}
rows=$(mktemp) && trap 'rm -f "$rows"' EXIT
cmake --build "$build" --target test_mutants >"$rows" || { cat "$rows"; exit 1; }
"$build/test_mutants" | grep '^| [a-z_]*/' >"$rows" || true # it fails where the table is old
planted=$(grep -c '^MUTANT(' tests/cuda/mutants/mutants.inc) found=$(wc -l <"$rows")
[ "$found" = "$planted" ] || { echo "test_mutants gave $found rows for $planted planted mistakes" >&2; exit 1; }
sed -i -e "/^<!-- mutants -->/,/^<!-- end of mutants -->/{/^<!--/!d}" tests/cuda/mutants/README.md
sed -i -e "/^<!-- mutants -->/r /dev/stdin" tests/cuda/mutants/README.md < <(
    printf '| step | planted mistake | found as | on the case | in the order |\n|---|---|---|---|---|\n'
    cat "$rows"
)
! grep SURVIVED "$rows"
