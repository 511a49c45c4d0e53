#!/usr/bin/env python3
"""One file of page.html, the program that Emscripten made and, if there is one, a recording that the page opens.

    pack.py PROGRAM.js PAGE.html [RECORDING]
"""
import base64, gzip, html, pathlib, sys


def packed(path, kind):
    text = base64.b64encode(gzip.compress(path.read_bytes(), mtime=0)).decode()
    return f'<script type="application/gzip" id="{kind}" data-name="{html.escape(path.name)}">{text}</script>'


program, page, *recordings = map(pathlib.Path, sys.argv[1:])
parts = [packed(program, 'program')] + [packed(each, 'recording') for each in recordings]
template = pathlib.Path(__file__).with_name('page.html').read_text()
page.write_text(template.replace('<!-- what pack.py puts in -->', '\n'.join(parts)))
