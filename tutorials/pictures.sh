#!/usr/bin/env bash
# Exports every chapter's picture from the viewer, in both languages: a recording of random numbers, and a view of it;
# and the museum's pictures, which its exhibits' own runs make.
#
#     tutorials/pictures.sh                    with build/release/headroom, into the chapters' folders
#     tutorials/pictures.sh PROGRAM FOLDER     with another program, into FOLDER/NN_name/picture.svg and picture.zh.svg
set -eu
here=$(cd "$(dirname "$0")" && pwd)
headroom=$(realpath "${1:-$here/../build/release/headroom}")
out=${2:-$here}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# picture CHAPTER "what to record" "how to look at it"
picture() {
    local recording=$scratch/$1.safetensors
    mkdir -p "$out/$1"
    # shellcheck disable=SC2086
    "$headroom" record $2 -o "$recording" >"$scratch/said"
    # shellcheck disable=SC2086
    "$headroom" view "$recording" --size 1200x620 $3 --lang en --export "$out/$1/picture.svg"
    # shellcheck disable=SC2086
    "$headroom" view "$recording" --size 1200x620 $3 --lang zh --export "$out/$1/picture.zh.svg"
}

# scene CHAPTER how to look at it: the scene's own example instead of a recording
scene() {
    local chapter=$1
    shift
    mkdir -p "$out/$chapter"
    "$headroom" view --size 1200x620 "$@" --lang en --export "$out/$chapter/picture.svg"
    "$headroom" view --size 1200x620 "$@" --lang zh --export "$out/$chapter/picture.zh.svg"
}

# traced CHAPTER "which step, on what" "how to look at it": a kernel under the tracer
traced() {
    mkdir -p "$out/$1"
    # The picture names the command, and so its file, by a name that is always the same.
    # shellcheck disable=SC2086
    (cd "$scratch" && "$headroom" trace $2 -o trace.safetensors >said)
    # shellcheck disable=SC2086
    "$headroom" view "$scratch/trace.safetensors" --scene kernel --size 1200x620 $3 --lang en --export "$out/$1/picture.svg"
    # shellcheck disable=SC2086
    "$headroom" view "$scratch/trace.safetensors" --scene kernel --size 1200x620 $3 --lang zh --export "$out/$1/picture.zh.svg"
}

picture 01_one_query "--q-heads 1 --kv-heads 1 --head-dim 4 --prompt 2 --steps 1" "--hover output,0,0,0,0"
picture 02_many_heads "--q-heads 2 --kv-heads 1 --head-dim 2 --prompt 3 --steps 1" "--hover output,0,1,0,0"
picture 03_why_a_cache "--q-heads 4 --kv-heads 2 --head-dim 4 --prompt 3 --steps 5" "--hover k,0,0,7,0"
scene 04_storing_the_cache --scene cache --step 19
picture 05_sharing_heads "--q-heads 8 --kv-heads 2 --head-dim 4 --prompt 4 --steps 4" "--hover k,1,0,3,1"
picture 06_gqa_with_a_cache "--q-heads 4 --kv-heads 2 --head-dim 4 --prompt 6 --steps 4 --cache growing" ""
picture 07_reading_a_benchmark "--q-heads 16 --kv-heads 4 --head-dim 2 --prompt 6 --steps 6" ""
picture 08_online_softmax "--q-heads 2 --kv-heads 1 --head-dim 4 --prompt 8 --steps 2" "--hover weights,0,0,0,3"
scene 09_first_kernel --scene kernel --step 3
scene 10_decode_ladder --scene kernel --set kernel=decode/04_split_combine
traced 11_tensor_cores "--impl prefill/04* --queries 256 --keys 256 --head-dim 128 --q-heads 1 --kv-heads 1 --causal" "--step 185"
scene 12_half_precision --scene cache --step 11
picture 13_unequal_lengths "--q-heads 2 --kv-heads 1 --head-dim 4 --prompt 7 --steps 1" "--step 0 --hover weights,0,0,2,1"
scene 14_long_contexts --scene cache --step 23
scene 15_sizing_a_model --scene memory --step 5 --set "model=Llama 3 8B"
picture 16_latent_attention "--q-heads 8 --kv-heads 1 --head-dim 6 --prompt 4 --steps 4" "--hover k,2,0,3,1"
scene 17_splitting_keys --scene kernel --set kernel=decode/04_split_combine

# README's films, which need ffmpeg: not where the pictures are only compared, for another ffmpeg writes other bytes.
film() { # "what to record"
    # shellcheck disable=SC2086
    "$headroom" record $1 -o "$scratch/film.safetensors" >"$scratch/said"
    "$headroom" view "$scratch/film.safetensors" --size 1200x620 --lang en --export "$out/decoding.gif"
    "$headroom" view "$scratch/film.safetensors" --size 1200x620 --lang zh --export "$out/decoding.zh.gif"
}
[ $# -gt 0 ] || film "--q-heads 8 --kv-heads 2 --head-dim 4 --prompt 4 --steps 8"

"$headroom" tutorial museum --pictures "$out/museum"
