# An empty Debian 12 to try things on, in a folder that goes when the script ends: for the scripts beside this one to source.
#
#     empty_machine ca-certificates,git      makes it, with these packages besides its base; its folder is $machine
#     inside 'command'                       there, as root
#     inside_as reader 'command'             there, as an ordinary user with a home
#
# Needs root, mmdebstrap and a package mirror, and says "SKIPPED: …" without them.
skip() { echo "SKIPPED: $*"; exit 0; }
fail() { echo "FAILED: $*"; exit 1; }

empty_machine() { # packages
    [ "$(id -u)" = 0 ] || skip "only root can enter another root folder"
    command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
    machine=$(mktemp -d /var/tmp/headroom-fresh-XXXXXX) || fail "no temporary folder"
    trap 'umount -q "$machine/dev/pts" "$machine/proc"; rm -rf --one-file-system "$machine" "$machine.log"' EXIT
    local begin=$SECONDS mirror each
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Codename: bookworm' 2>/dev/null | head -n 1)
    # What mmdebstrap mounts for itself it takes away again.
    mmdebstrap --variant=apt --mode=root --include="$1" bookworm "$machine" ${mirror:+"$mirror"} >"$machine.log" 2>&1 ||
        { tail -n 3 "$machine.log"; skip "mmdebstrap could not make a Debian 12 here"; }
    echo "an empty Debian 12 after $((SECONDS - begin)) s"

    # How this machine reaches its packages.
    cp -L /etc/resolv.conf "$machine/etc/resolv.conf" 2>/dev/null
    for each in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
        grep -qisE 'proxy|Check-(Valid|Date)|Verify' "$each" && cp -L "$each" "$machine/etc/apt/apt.conf.d/" # only what concerns the way there
    done
    mount -t proc proc "$machine/proc" || skip "no /proc can be mounted"
    mount -t devpts -o mode=620,ptmxmode=666 devpts "$machine/dev/pts" || skip "no terminals can be mounted"
    ln -sf pts/ptmx "$machine/dev/ptmx"
    echo 'reader:x:1000:1000::/home/reader:/bin/sh' >>"$machine/etc/passwd"
    echo 'reader:x:1000:' >>"$machine/etc/group"
    install -d -o 1000 -g 1000 "$machine/home/reader"
}

inside_as() { # user, command in the user's home
    local proxy=() name home=/home/$1 id=1000:1000
    if [ "$1" = root ]; then home=/root id=0:0; fi
    for name in http_proxy https_proxy no_proxy; do [ -z "${!name-}" ] || proxy+=("$name=${!name}"); done
    chroot --userspec=$id "$machine" env -i HOME=$home LANG=C PATH=/usr/sbin:/usr/bin:/sbin:/bin "${proxy[@]}" sh -c "cd && $2" </dev/null
}
inside() { inside_as root "$1"; }

# Ends in exit code 2 and one line on stderr, with nothing on stdout.
refuses() { # user, command
    inside_as "$1" "$2" >"$machine/out" 2>"$machine/err"
    [ $? = 2 ] && [ "$(wc -l <"$machine/err")" = 1 ] && [ ! -s "$machine/out" ] || fail "$2: $(cat "$machine/out" "$machine/err")"
}
