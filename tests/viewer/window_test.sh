#!/usr/bin/env bash
# The real window under Xvfb, driven by xdotool: keys, play and pause, hover, scrub, buttons, quit. What it shows is read
# off its title; pictures of it are kept where ffmpeg can take them.
#
#     window_test.sh PROGRAM FOLDER
set -u
program=$1 pictures=$2
for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null || { echo "SKIPPED: there is no $tool"; exit 0; }
done
rm -rf "$pictures" && mkdir -p "$pictures"
work=$(mktemp -d)
trap 'kill $viewer $server 2>/dev/null; rm -rf "$work"' EXIT
viewer='' server=''

# A display of our own: Xvfb says which number was free.
Xvfb -displayfd 3 -screen 0 1600x900x24 -noreset 3>"$work/number" 2>"$work/xvfb" &
server=$!
for _ in $(seq 100); do [ -s "$work/number" ] && break; sleep 0.1; done
[ -s "$work/number" ] || { echo "SKIPPED: Xvfb does not start: $(head -n 1 "$work/xvfb")"; exit 0; }
export DISPLAY=:$(cat "$work/number") LIBGL_ALWAYS_SOFTWARE=1 XDG_CONFIG_HOME=$work/config LC_ALL=C.UTF-8 HOME=$work
unset WAYLAND_DISPLAY

(cd "$work" && exec "$program" view) >"$work/out" 2>"$work/err" &
viewer=$!
window=$(timeout 120 xdotool search --sync --onlyvisible --name '^Headroom ·' | head -n 1)
[ -n "$window" ] || { echo "the window did not open: $(cat "$work/err")"; exit 1; }
xdotool windowmove "$window" 0 0 windowfocus "$window"

title() { xdotool getwindowname "$window"; }
failures=0
expect() { # what, a pattern of the title; waits for it
    for _ in $(seq 300); do
        [[ $(title) =~ $2 ]] && { echo "ok: $1"; return; }
        sleep 0.1
    done
    echo "FAILED: $1: the title is '$(title)', not like '$2'"
    failures=$((failures + 1))
}
key() { xdotool key --clearmodifiers "$@"; }
picture() { # of the window, as it stands there
    sleep 0.5
    command -v ffmpeg >/dev/null && ffmpeg -y -loglevel error -f x11grab -video_size 1600x900 -i "$DISPLAY" -frames:v 1 "$pictures/$1.png"
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
for y in $(seq 200 12 800); do # somewhere below the third panel's title lies a tensor
    xdotool mousemove --window "$window" 420 "$y"
    sleep 0.05
    [[ $(title) =~ ,[0-9]+,[0-9]+$ ]] && break
done
expect "pointing names the cell" ' · (k|v|q|weights|output),[0-9]+,[0-9]+,[0-9]+,[0-9]+$'
picture hover
hovered=$(title)
xdotool click 1 mousemove --window "$window" 5 870
expect "a click pins it" "^${hovered//./\\.}$"
key Escape;      expect "Escape lets it go" 'of [0-9]+$'
xdotool mousemove --window "$window" 700 856 mousedown 1 mousemove --window "$window" 800 856 mouseup 1
expect "dragging on the timeline scrubs" 'step ([1-9]|1[0-9])(\.[0-9]+)? of'
key question;    expect "? is the help" 'help'
picture help
key Escape w;    expect "W is the walk" 'stop 1$'
picture walk
key Return;      expect "Enter goes on" 'stop 2$'
key Escape z;    sleep 0.3
key 2
picture chinese
key e;           sleep 1.5
ls "$work"/headroom-cache-*.svg >/dev/null 2>&1 && ls "$work"/headroom-cache-*.png >/dev/null 2>&1 && echo "ok: E writes SVG and PNG" ||
    { echo "FAILED: E wrote nothing"; failures=$((failures + 1)); }

# Idle it uses no processor: hundredths of a second within two seconds.
ticks() { awk '{print $14 + $15}' "/proc/$viewer/stat"; }
sleep 1
before=$(ticks) && sleep 2 && spent=$(($(ticks) - before))
[ "$spent" -le 2 ] && echo "ok: idle, it spent $spent hundredths of a second in two seconds" ||
    { echo "FAILED: idle, it spent $spent hundredths of a second in two seconds"; failures=$((failures + 1)); }

key q
for _ in $(seq 100); do kill -0 $viewer 2>/dev/null || break; sleep 0.1; done
if kill -0 $viewer 2>/dev/null; then echo "FAILED: Q does not quit"; failures=$((failures + 1)); else wait $viewer; code=$?; fi
[ "${code:-1}" = 0 ] && echo "ok: Q quits with 0" || { echo "FAILED: exit code ${code:-none}: $(cat "$work/err")"; failures=$((failures + 1)); }
grep -q '"dark": true' "$work/config/headroom/viewer.json" && echo "ok: it remembers the dark theme" ||
    { echo "FAILED: no preferences were remembered"; failures=$((failures + 1)); }
exit $((failures > 0))
