#!/usr/bin/env bash
# Runs every fuzz target for so many seconds, two at a time, and demands that the planted fault is found.
#
#   fuzz/run-all.sh SECONDS [TARGET...]     JOBS=n: so many at a time
#
# Exit status: 0 nothing found but the canary; 1 a finding, or no canary; 2 not run.
set -euo pipefail
cd "$(dirname "$0")/.."

engine_targets=(segment swept toi ring grid tick world wire mirror)
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
binaries=fuzz/target/$triple/release
logs=fuzz/artifacts/logs
mkdir -p "$logs"

is_text() { [[ " ${text_targets[*]} " == *" $1 "* ]]; }

build() {
    cargo fuzz build --sanitizer none
    for target in "${targets[@]}"; do
        if is_text "$target"; then cargo fuzz build --sanitizer none --features server "$target"; fi
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

report() {
    local done
    done=$(sed -n 's/^Done \([0-9]*\) runs in \([0-9]*\) second.*/\1 runs in \2 s/p' "$logs/$1")
    echo "$1: ${done:-}${2:-, nothing found}"
}

run_one() {
    if fuzz "$1" "$seconds"; then
        report "$1"
    else
        report "$1" "FOUND SOMETHING: fuzz/artifacts/$1, log in $logs/$1"
        return 1
    fi
}

# The canary runs without seeds and without what it found before: it is the fuzzer that is tested.
run_canary() {
    local empty
    empty=$(mktemp -d)
    mkdir -p fuzz/artifacts/canary
    if nice -n 10 "$binaries/canary" -max_total_time="$canary_seconds_max" \
        -artifact_prefix=fuzz/artifacts/canary/ "$empty" >"$logs/canary" 2>&1; then
        echo "canary: NOT FOUND in $canary_seconds_max s; the other results mean nothing"
        rm -r "$empty"
        return 1
    fi
    rm -r "$empty"
    grep -q 'canary: the end of the way is forgotten' "$logs/canary" || return 1
    echo "canary: found, as it must be"
}

build
failed=0
run_canary || failed=1
for target in "${targets[@]}"; do
    while (($(jobs -rp | wc -l) >= ${JOBS:-2})); do wait -n || failed=1; done
    run_one "$target" &
done
while (($(jobs -p | wc -l) > 0)); do wait -n || failed=1; jobs >/dev/null; done
exit "$failed"
