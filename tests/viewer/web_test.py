#!/usr/bin/env python3
"""The viewer's page in Chromium without a display: clicks, a drag along the timeline, keys, a dropped file. What it shows is read back
as text and held against what the program says of the same step. Where to click is read off the program's own picture.

    web_test.py PROGRAM PAGE RECORDING FOLDER      RECORDING is the one in the page; pictures go to FOLDER
"""
import base64, pathlib, re, shutil, subprocess, sys, tempfile

from chromium import Page, wait_for

program, page_file, recording, folder = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:])
chromium = shutil.which('chromium') or shutil.which('chromium-browser') or shutil.which('google-chrome')
if not chromium:
    print('SKIPPED: no Chromium')
    sys.exit(0)
pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
size, failures = (1600, 900), 0


def view(*options, whole=True):  # of the window, by the program
    run = subprocess.run([program, 'view', f'--size={size[0]}x{size[1]}', *['--window'] * whole, *options], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def picture(*options, **more):
    path = pathlib.Path(folder, 'by-the-program.svg')
    view(*options, '--export', str(path), **more)
    return path.read_text()


def text_at(svg, words, which=-1):  # the middle of the last such text, or of another
    found = re.findall(
        rf'<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]* font-size="([\d.]+)"[^>]* textLength="([\d.]+)"[^>]*>{re.escape(words)}</text>', svg)
    x, y, height, width = map(float, found[which])
    return x + width / 2, y - height / 3


def cell_at(svg, first):  # the first cell of a map, e.g. "k,0,2,0,0"
    x, y, width, height = map(float, re.search(
        rf'data-first="{first}"[^>]*>\n<path d="M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)', svg).groups())
    return x + width / 2, y + height / 2


def facts(text): return [line for line in text.splitlines() if re.search(r' = .* \([^()]*, \w+\)$', line)]


def check(what, good, why=''):
    global failures
    failures += not good
    print(f"{'ok' if good else 'FAILED'}: {what}{'' if good else f': {why}'}", flush=True)


def expect(what, pattern):
    check(what, wait_for(lambda: re.search(pattern, page.value('document.title'))), f"the title is '{page.value('document.title')}', not like '{pattern}'")


def same(what, theirs, only=lambda text: text.splitlines()):
    ours = page.value("Module.ccall('headroom_describe', 'string')")
    differ = [f'{a!r} is not {b!r}' for a, b in zip(only(ours), only(theirs)) if a != b]
    lengths = len(only(ours)), len(only(theirs))
    check(f'{what}: all {lengths[1]} lines as the program says them', lengths[1] > 20 and not differ and lengths[0] == lengths[1],
          f'{differ[:3]}, {lengths} lines')


def keep(name): pathlib.Path(folder, name + '.png').write_bytes(base64.b64decode(page.picture()))


with tempfile.TemporaryDirectory() as profile:
    page = Page(chromium, profile, *size)
    try:
        page.downloads_to(profile)
        page.open('file://' + page_file)
        expect('it opens on the last step of Decode', r'^Headroom · Decode · step (\d+) of \1$')
        same('Decode', view(recording, '--describe'))
        keep('decode')

        svg = picture(recording)
        page.click(text_at(svg, 'Cache'))
        expect('a click on its tab is the cache', 'Cache · step')
        same('Cache', view(recording, '--scene=cache', '--describe'))
        keep('cache')
        page.click(text_at(svg, 'Decode'))
        expect('and back', 'Decode · step')

        track = lambda step: (text_at(svg, step)[0], text_at(svg, step)[1] - 20)
        page.drag(track('2'), track('10'))
        expect('a drag along the timeline goes to step 10', r'step 10 of \d+$')
        page.point((800, 890))
        same('step 10', view(recording, '--step=10', '--describe'))

        page.point(cell_at(picture(recording, '--step=10'), 'k,0,2,0,0'))
        expect('pointing names the cell', ' · k,0,2,0,0$')
        theirs = view(recording, '--step=10', '--hover=k,0,2,0,0', '--describe')
        same('its number and what it comes from', theirs)
        keep('cell')

        page.point((800, 890))
        for key, scene in (('3', 'Memory'), ('4', 'Kernel'), ('5', 'Verify')):
            page.type(key)
            expect(f'{key} is {scene}', f'^Headroom · {scene}')
            same(scene, view(recording, f'--scene={scene.lower()}', '--describe'))
            keep(scene.lower())

        page.type('1')
        page.press('Home', 36)
        expect('Home goes to the first step', 'Decode · step 0 of')
        page.type(' ')
        expect('Space plays', 'playing')
        page.type(' ')
        expect('and pauses', r'of \d+$')

        page.press('End', 35)
        page.click(text_at(svg, pathlib.Path(recording).name))
        expect('the page computes a run of its own', r'Decode · step (\d+) of \1$')
        page.point((800, 890))
        same('its own run', view('--describe'), facts)

        other = pathlib.Path(profile, 'dropped.safetensors')
        subprocess.run([program, 'record', '--steps=3', '-o', other], check=True, stdout=subprocess.DEVNULL)
        page.drop((500, 400), str(other))
        expect('a dropped file is opened', r'Decode · step 3 of 3$')
        page.point((800, 890))
        same('the dropped file', view(str(other), '--describe'))
        keep('dropped')
        page.type('e')
        written = pathlib.Path(profile, 'headroom-decode-step-3.svg')
        check('E hands out SVG and PNG', wait_for(lambda: written.exists() and written.with_suffix('.png').exists()))
        check('the SVG is what the program writes', written.read_text() == picture(str(other), whole=False))
        other.write_bytes(b'nothing of that kind')
        page.drop((500, 400), str(other))
        said = lambda: page.value("Module.ccall('headroom_describe', 'string')")
        check('one that is none is refused in words', wait_for(lambda: 'not a valid' in said()), said()[:600])

        page.type('z')
        size = 2560, 1440
        page.metrics(1280, 720, 2)
        expect('it runs on', 'Decode')
        check('a display of twice the pixels gets them all', wait_for(lambda: page.value('Module.canvas.width') == 2560))
        at = text_at(picture(recording, '--lang=zh'), '缓存', 0)
        page.click((at[0] / 2, at[1] / 2))
        expect('and a click falls where it shows', 'Cache · step')
        keep('chinese')
        check('nothing is said on the console', not page.console, page.console[:3])
    finally:
        page.close()
sys.exit(failures > 0)
