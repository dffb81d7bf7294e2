#!/usr/bin/env bash
# Runs every fuzz target for so many seconds, two at a time, and demands that the planted fault is found.
#
#   fuzz/run-all.sh SECONDS [TARGET...]     JOBS=n: so many at a time
#
# Exit status: 0 nothing found but the canary; 1 a finding, or no canary; 2 something did not run.
set -euo pipefail
cd "$(dirname "$0")/.."

engine_targets=(segment swept toi ccd ring grid tick world wire mirror)
text_targets=(config probe)
canary_seconds_max=60

usage() { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }

[[ ${1:-} =~ ^[1-9][0-9]*$ ]] || usage
seconds=$1
shift
targets=("$@")
[[ $# -gt 0 ]] || targets=("${engine_targets[@]}" "${text_targets[@]}")

cargo fuzz --version >/dev/null 2>&1 || {
    echo "cargo-fuzz is not installed: cargo install --locked cargo-fuzz" >&2
    exit 2
}
triple=$(rustc -vV | sed -n 's/^host: //p')
# Said out loud, because CARGO_TARGET_DIR would send the binaries elsewhere.
target_dir=$PWD/fuzz/target
binaries=$target_dir/$triple/release
logs=fuzz/artifacts/logs
mkdir -p "$logs"

is_text() { [[ " ${text_targets[*]} " == *" $1 "* ]]; }

build() { cargo fuzz build --target-dir "$target_dir" --sanitizer none "$@"; }

build_all() {
    build || return
    local target
    for target in "${targets[@]}"; do
        if is_text "$target"; then build --features server "$target" || return; fi
    done
}

# What is found on the way is kept in fuzz/corpus, which is not under version control; seeds are only read.
fuzz() {
    local target=$1 limit=$2 folders=("fuzz/corpus/$1") options=()
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    for kind in seeds crashes; do
        if [[ -d fuzz/$kind/$target ]]; then folders+=("fuzz/$kind/$target"); fi
    done
    [[ ! -f fuzz/$target.dict ]] || options+=("-dict=fuzz/$target.dict")
    nice -n 10 "$binaries/$target" -max_total_time="$limit" -timeout=20 -rss_limit_mb=2048 \
        -artifact_prefix="fuzz/artifacts/$target/" "${options[@]}" "${folders[@]}" >"$logs/$target" 2>&1
}

# libFuzzer leaves with 70 for a time-out, 71 for memory, 77 for a crash, and writes the input down. Whatever else ends a
# target, a missing binary or a wrong option, says nothing about the code.
verdict() {
    local status=$1 log=$logs/$2
    case $status in
        0) grep -q '^Done [0-9]* runs' "$log" && echo clean || echo broken ;;
        70 | 71 | 77) grep -q 'Test unit written to' "$log" && echo finding || echo broken ;;
        *) echo broken ;;
    esac
}

did_not_run() {
    echo "$1: DID NOT RUN, status $2: $(tail -n 1 "$logs/$1")"
    return 2
}

run_one() {
    local target=$1 status=0 runs
    fuzz "$target" "$seconds" || status=$?
    runs=$(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 runs in \2 s/p' "$logs/$target")
    case $(verdict "$status" "$target") in
        clean) echo "$target: $runs, nothing found" ;;
        finding) echo "$target: FOUND SOMETHING: fuzz/artifacts/$target, log in $logs/$target"; return 1 ;;
        broken) did_not_run "$target" "$status" ;;
    esac
}

# The canary runs without seeds and without what it found before: it is the fuzzer that is tested.
run_canary() {
    local empty status=0
    empty=$(mktemp -d)
    mkdir -p fuzz/artifacts/canary
    nice -n 10 "$binaries/canary" -max_total_time="$canary_seconds_max" \
        -artifact_prefix=fuzz/artifacts/canary/ "$empty" >"$logs/canary" 2>&1 || status=$?
    rm -r "$empty"
    case $(verdict "$status" canary) in
        clean) echo "canary: NOT FOUND in $canary_seconds_max s; the other results mean nothing"; return 1 ;;
        broken) did_not_run canary "$status" ;;
        finding) grep -q 'canary: the end of the way is forgotten' "$logs/canary" || return 1 ;;
    esac
    echo "canary: found, as it must be"
}

note() { if (($1 > worst)); then worst=$(($1 < 2 ? $1 : 2)); fi; }

build_all || exit 2
for target in canary "${targets[@]}"; do
    [[ -x $binaries/$target ]] || {
        echo "$target: no such binary: $binaries/$target" >&2
        exit 2
    }
done
worst=0
run_canary || note $?
for target in "${targets[@]}"; do
    while (($(jobs -rp | wc -l) >= ${JOBS:-2})); do wait -n || note $?; done
    run_one "$target" &
done
while (($(jobs -p | wc -l) > 0)); do wait -n || note $?; jobs >/dev/null; done
exit "$worst"
