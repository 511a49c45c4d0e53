#!/usr/bin/env python3
"""What the project's pages say is what its programs do.

    check.py --build build/release                    every check; exit code 1 and a line for each thing that is wrong
    check.py --build build/release links languages    only these
    check.py --build build/release --update           rewrites listings, outputs and marked numbers from their sources
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from blocks import listings, outputs  # noqa: E402
from chapters import chapters  # noqa: E402
from commands import check_commands  # noqa: E402
from glossary import glossary  # noqa: E402
from languages import languages  # noqa: E402
from links import links  # noqa: E402
from numbers_in_prose import numbers  # noqa: E402
from project import Project  # noqa: E402

CHECKS = {"chapters": chapters, "listings": listings, "outputs": outputs, "numbers": numbers, "links": links,
          "commands": check_commands, "languages": languages, "glossary": glossary}
UPDATES = ("listings", "outputs", "numbers")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=", ".join(CHECKS))
    parser.add_argument("--build", type=Path, default=Path("build/release"))
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if unknown := [name for name in options.checks if name not in CHECKS]:
        parser.error(f"there is no check {unknown[0]}; there are {', '.join(CHECKS)}")
    wanted = options.checks or list(CHECKS)

    if options.update:
        for name in UPDATES:
            if name in wanted:  # each reads the pages as the one before has left them
                CHECKS[name](Project(options.root.resolve(), options.build.resolve()), update=True)
    project = Project(options.root.resolve(), options.build.resolve())
    for name in wanted:
        CHECKS[name](project)
    for each in project.objections:
        print(each)
    print(f"{', '.join(wanted)}: {len(project.pages)} pages, {len(project.objections)} objections")
    return 1 if project.objections else 0


if __name__ == "__main__":
    sys.exit(main())
