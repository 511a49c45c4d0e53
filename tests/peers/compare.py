#!/usr/bin/env python3
"""This project's fast path beside others' attention: the same numbers in the same memory, in turns, in one process.

    tests/peers/compare.py               every case, in every type that the peer has
    tests/peers/compare.py --case D1 P1  some of them
    tests/peers/compare.py --update      all of them, and the table in README.md
"""
import argparse
import os
import pathlib
import sys

THREADS = 2


def at_least_one(text):
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", nargs="+", default=[], help="names, or how names begin; default: all")
    parser.add_argument("--type", nargs="+", choices=["f32", "bf16"], default=["f32", "bf16"])
    parser.add_argument("--peer", nargs="+", default=[], help="words in their names; default: all")
    parser.add_argument("--rounds", type=at_least_one, default=8, help="pairs of blocks")
    parser.add_argument("--block-ms", type=float, default=120)
    parser.add_argument("--threads", type=at_least_one, default=THREADS)
    parser.add_argument("--library", type=pathlib.Path, help="libheadroom_peer.so")
    parser.add_argument("--small", action="store_true", help="small shapes, to try it out")
    parser.add_argument("--update", action="store_true", help="write the table into README.md")
    settings = parser.parse_args()
    if settings.update and (settings.case or settings.peer or settings.small or len(set(settings.type)) < 2):
        parser.error("--update writes the whole table: not with --case, --type, --peer or --small")
    return settings


def compare(case, type, peer, ours, settings, small):
    """One row: the ratios pair by pair. Raises if a result is wrong, before and after it was timed."""
    import cases
    import exact
    import table
    import turns

    data = cases.data(case, type, rotate=not small)
    expected = exact.Expected(data)
    sides = [peer.prepare(data, settings.threads), ours.prepare(data, settings.threads)]
    pairs = []
    for last in (False, True):
        for side, who in zip(sides, (peer, ours)):
            side.launch(len(data.k) - 1 if last else 0)
            if why := expected.objection(side.output(), who.precision[type]):
                raise ValueError(f"{case.name} {type}: {who.name} is wrong: {why}")
        if not last:
            pairs, ms = turns.ratios(sides[0].launch, sides[1].launch, settings.rounds, settings.block_ms)
    return table.Row(case.name, type, peer.name, pairs, ms)


def main():
    settings = arguments()
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):  # read when the libraries are loaded
        os.environ[variable] = str(settings.threads)
    try:
        import cases
        import ours as our_side
        import peers
        import table
    except ImportError as missing:
        print(f"{missing}: README.md beside this script says how to install it", file=sys.stderr)
        sys.exit(2)

    there, missing = peers.peers()
    for line in missing:
        print(f"without {line}", file=sys.stderr)
    try:
        ours = our_side.Ours(settings.library or our_side.LIBRARY)
    except OSError as error:
        print(f"{error}: `cmake --build build/release --target headroom_peer` builds it", file=sys.stderr)
        return 2
    rows = []
    try:
        for case in cases.SMALL if settings.small else cases.CASES:
            for type in settings.type:
                for peer in there:
                    if settings.case and not any(case.name.startswith(name) for name in settings.case):
                        continue
                    if settings.peer and not any(word.lower() in peer.name.lower() for word in settings.peer):
                        continue
                    if peers.fits(peer, case, type):
                        rows.append(compare(case, type, peer, ours, settings, settings.small))
                        print(rows[-1], flush=True)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if not rows:
        names = [case.name for case in (cases.SMALL if settings.small else cases.CASES)]
        print(f"no such case, type and peer; cases: {' '.join(names)}; peers: {', '.join(peer.name for peer in there)}",
              file=sys.stderr)
        return 2
    text = table.markdown(rows, settings.threads)
    print("\n" + text)
    if settings.update:
        table.update(pathlib.Path(__file__).with_name("README.md"), text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
