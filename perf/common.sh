# What the scripts of this folder share. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A folder name for this machine: its CPU's name, family and model (clouds give one name to many), and how many there are.
machine() {
    local name
    name=$(cpu_field 'model name' | tr '[:upper:]' '[:lower:]')
    printf '%s-%s-%s-x%s\n' "$(sed -E 's/\((r|tm)\)//g; s/[^a-z0-9]+/-/g; s/^-|-$//g' <<<"$name")" \
        "$(cpu_field 'cpu family')" "$(cpu_field model)" "$(nproc)"
}

cpu_field() {
    sed -nE "s/^$1\s*: (.*)/\1/p" /proc/cpuinfo | head -n 1
}

results() {
    local folder
    folder=perf/results/$(machine)
    mkdir -p "$folder"
    printf '%s\n' "$folder"
}

need() {
    command -v "$1" >/dev/null || { echo "$0: $1 is not installed ($2)" >&2; exit 2; }
}

# The program as it is shipped.
build_release() {
    cargo build --quiet --release
    program=target/release/ringsnake
}

# The same code with symbols and frame pointers, in a folder of its own, so that the release build stays warm.
build_profiling() {
    cargo --config 'build.rustflags=["-Cforce-frame-pointers=yes"]' build --quiet --profile profiling \
        --target-dir target/perf
    program=target/perf/profiling/ringsnake
}

# Times on a busy machine mean little; they are kept with the load they were taken under.
warn_if_busy() {
    local load
    load=$(cut -d' ' -f1 /proc/loadavg)
    if awk -v load="$load" 'BEGIN { exit !(load > 0.5) }'; then
        echo "note: the load of this machine is $load; ratios of interleaved runs still mean something, times do not" >&2
    fi
}
