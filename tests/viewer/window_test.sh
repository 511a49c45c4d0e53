#!/usr/bin/env bash
# The real window under Xvfb, driven by xdotool: keys, play and pause, hover, scrub, links, quit. What it shows is read
# off its title; where to point is read off the program's own picture of the window. Every step waits for what it
# expects, so that a busy machine only takes longer. Pictures are kept where ffmpeg can take them.
#
#     window_test.sh PROGRAM FOLDER
set -u
program=$(realpath "$1") pictures=$2
for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: no $tool"; exit 0; }
done
rm -rf "$pictures" && mkdir -p "$pictures"
pictures=$(realpath "$pictures")
work=$(mktemp -d)
viewer='' server=''
trap 'kill $viewer $server 2>/dev/null; rm -rf "$work"' EXIT

wait_for() { # a command, up to a minute
    for _ in $(seq 300); do
        "$@" && return
        sleep 0.2
    done
    return 1
}

# A display of our own: Xvfb says which number was free.
Xvfb -displayfd 3 -screen 0 1600x900x24 -noreset 3>"$work/number" 2>"$work/xvfb" &
server=$!
number_is_there() { [ -s "$work/number" ] || ! kill -0 $server 2>/dev/null; }
wait_for number_is_there
[ -s "$work/number" ] || { echo "SKIPPED: no display: Xvfb does not start: $(head -n 1 "$work/xvfb")"; exit 0; }
DISPLAY=:$(cat "$work/number")
export DISPLAY LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME=$work/config LC_ALL=C.UTF-8 HOME=$work
unset WAYLAND_DISPLAY

(cd "$work" && exec "$program" view) >"$work/out" 2>"$work/err" &
viewer=$!
window=''
window_is_there() {
    window=$(xdotool search --onlyvisible --name '^Headroom ·' 2>/dev/null | head -n 1)
    [ -n "$window" ] || ! kill -0 $viewer 2>/dev/null
}
wait_for window_is_there
if [ -z "$window" ] && grep -q 'no window' "$work/err"; then
    echo "SKIPPED: no display that OpenGL can use: $(cat "$work/err")"
    exit 0
fi
[ -n "$window" ] || { echo "the window did not open: $(cat "$work/err")"; exit 1; }
xdotool windowmove "$window" 0 0 windowfocus "$window"

title() { xdotool getwindowname "$window"; }
failures=0
failed() { echo "FAILED: $1" && failures=$((failures + 1)); }
title_is_like() { [[ $(title) =~ $1 ]]; }
expect() { # what, a pattern of the title
    if wait_for title_is_like "$2"; then echo "ok: $1"; else failed "$1: the title is '$(title)', not like '$2'"; fi
}
key() { xdotool key --clearmodifiers "$@"; }
point() { xdotool mousemove --window "$window" "$@"; }
picture() { # of the window, as it stands there
    sleep 0.5
    command -v ffmpeg >/dev/null && ffmpeg -y -loglevel error -f x11grab -video_size 1600x900 -i "$DISPLAY" -frames:v 1 "$pictures/$1.png"
}

# Where the window shows things: its own picture of itself.
picture_of() { # scene
    [ -s "$work/$1.svg" ] || "$program" view --window --scene "$1" --size 1600x900 --export "$work/$1.svg"
}
cell_at() { # scene, first cell of a map, e.g. k,0,2,0,0: the middle of that cell
    picture_of "$1"
    grep -A 1 "data-first=\"$2\"" "$work/$1.svg" |
        sed -n 's/.*d="M\([0-9.]*\) \([0-9.]*\)h\([0-9.]*\)v\([0-9.]*\)H.*/\1 \2 \3 \4/p' |
        awk 'NR == 1 {printf "%d %d\n", $1 + $3 / 2, $2 + $4 / 2}'
}
text_at() { # scene, a pattern of its line in the file: the middle of that text
    picture_of "$1"
    grep -m 1 "<text.*$2" "$work/$1.svg" |
        sed -n 's/.* x="\([0-9.]*\)" y="\([0-9.]*\)".* font-size="\([0-9.]*\)".*textLength="\([0-9.]*\)".*/\1 \2 \3 \4/p' |
        awk '{printf "%d %d\n", $1 + $4 / 2, $2 - $3 / 3}'
}

expect "it opens on the last step" '^Headroom · Decode · step ([0-9]+) of \1$'
picture decode
key Home;        expect "Home goes to the first step" 'step 0 of'
key Right Right; expect "arrows step" 'step 2 of'
key shift+Right; expect "Shift and arrow go a phase on" 'step 2\.[0-9]+ of'
picture phase
key space;       expect "Space plays" 'playing'
key space;       expect "and pauses" 'of [0-9]+$'
key Home 2;      expect "2 is the cache" 'Cache · step'
picture cache
key 1 End d;     expect "1 is Decode again" 'Decode · step ([0-9]+) of \1$'

point $(cell_at decode k,0,2,0,0)
expect "pointing names the cell" ' · k,0,2,0,0$'
picture hover
xdotool click 1
point 5 870
expect "a click pins it" ' · k,0,2,0,0$'
key Down;        expect "an arrow moves the pin" ' · k,0,2,0,1$'
key Escape;      expect "Escape lets it go" 'of [0-9]+$'
point $(text_at decode 'class="say-k"')
expect "a word of the commentary names its tensor" ' · k$'
picture word
point 700 856
xdotool mousedown 1
point 800 856
xdotool mouseup 1
expect "dragging on the timeline scrubs" 'step ([1-9]|1[0-9])(\.[0-9]+)? of'

key 5;           expect "5 is Verify" 'Verify · step'
picture verify
point $(text_at verify '>→ Decode<')
xdotool click 1
expect "a click opens the worst cell's problem in Decode" 'Decode · output,0,'
picture case
key Escape question; expect "? is the help" 'help'
picture help
key Escape w;    expect "W is the walk" 'stop 1$'
picture walk
key Return;      expect "Enter goes on" 'stop 2( |$)'
key Escape z 2;  expect "2 is the cache, in Chinese too" 'Cache'
picture chinese
key e
written() { ls "$work"/headroom-cache-*.svg "$work"/headroom-cache-*.png >/dev/null 2>&1; }
if wait_for written; then echo "ok: E writes SVG and PNG"; else failed "E wrote nothing"; fi

# Idle it uses no processor: hundredths of a second within two seconds, once all that came before is drawn.
ticks() { awk '{print $14 + $15}' "/proc/$viewer/stat"; }
is_idle() { local before; before=$(ticks) && sleep 2 && spent=$(($(ticks) - before)) && [ "$spent" -le 2 ]; }
spent=''
if is_idle || is_idle || is_idle || is_idle || is_idle; then echo "ok: idle, it spent $spent hundredths of a second in two seconds"; else
    failed "idle, it spent $spent hundredths of a second in two seconds"
fi

key q
is_gone() { ! kill -0 $viewer 2>/dev/null; }
if wait_for is_gone; then wait $viewer && code=0 || code=$?; else failed "Q does not quit"; fi
if [ "${code:-1}" = 0 ]; then echo "ok: Q quits with 0"; else failed "exit code ${code:-none}: $(cat "$work/err")"; fi
if grep -q '"dark": true' "$work/config/headroom/viewer.json"; then echo "ok: it remembers the dark theme"; else
    failed "no preferences were remembered"
fi

# Frames are timed of something only.
if "$program" view --scene memory --time-frames 2 >"$work/out" 2>&1 && grep -q '2 frames of memory' "$work/out"; then
    echo "ok: frames are timed"
    if grep -q 'layout 0\.00 ms' "$work/out"; then failed "the layout is not timed: $(cat "$work/out")"; fi
else failed "--time-frames says: $(cat "$work/out")"; fi
HEADROOM_TRACED=$work/none "$program" view --scene kernel --time-frames 2 >"$work/out" 2>&1 && code=0 || code=$?
if [ $code = 2 ] && grep -q 'has nothing to draw' "$work/out"; then echo "ok: an empty page is not timed"; else
    failed "an empty page: exit code $code, $(cat "$work/out")"
fi
exit $((failures > 0))
