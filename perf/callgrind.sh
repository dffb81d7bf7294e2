#!/usr/bin/env bash
# Every line of source with the instructions it took.
#   perf/callgrind.sh [options of ringsnake sim]   default: --workload s1 --warmup 20 --ticks 50 --simd avx2
source "$(dirname "$0")/common.sh"

need valgrind "Debian: apt install valgrind"
build_profiling
[[ $# -gt 0 ]] || set -- --workload s1 --warmup 20 --ticks 50 --simd avx2
out=target/perf/callgrind
mkdir -p "$out"
# Only what happens in ticks counts: not the start, not the laying of bodies, not the report.
valgrind --tool=callgrind --quiet --dump-instr=yes --toggle-collect='*Sim*tick*' \
    --callgrind-out-file="$out/callgrind.out" "$program" sim --json "$@"
callgrind_annotate --inclusive=yes --auto=no "$out/callgrind.out" >"$out/inclusive.txt"
callgrind_annotate --auto=yes --include="$PWD" "$out/callgrind.out" >"$out/lines.txt"
sed -n '/file:function/,$p' "$out/inclusive.txt" | head -25 | cut -c1-150
echo "$out/inclusive.txt: by function, with what it calls; $out/lines.txt: by line of source"
