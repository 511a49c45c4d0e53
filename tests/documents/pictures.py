#!/usr/bin/env python3
"""pictures.py ROOT PROGRAM: the chapters' pictures are what the viewer draws today; a picture that no chapter shows is
found too."""
import subprocess
import sys
import tempfile
from pathlib import Path


def differences(kept, fresh):
    """Lines that say which pictures of the folder `kept` are not those of the folder `fresh`."""
    def pictures(folder):
        return {str(path.relative_to(folder)): path for pattern in ("[0-9][0-9]_*/picture*.svg", "museum/*.svg")
                for path in folder.glob(pattern)}
    ours, drawn = pictures(kept), pictures(fresh)
    for name in sorted(ours.keys() | drawn.keys()):
        if name not in drawn:
            yield f"{name}: no line of tutorials/pictures.sh draws it"
        elif name not in ours:
            yield f"{name}: is missing"
        elif ours[name].read_bytes() != drawn[name].read_bytes():
            yield f"{name}: differs from what the viewer draws today"


def main():
    root, program = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([root / "tutorials/pictures.sh", program, folder], check=True)
        found = list(differences(root / "tutorials", Path(folder)))
    for each in found:
        print(each)
    if found:
        print("Look at the new pictures, then run tutorials/pictures.sh.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
