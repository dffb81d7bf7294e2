#!/usr/bin/env bash
# Which lines miss the caches, by a model of the caches of this machine.
#   perf/cachegrind.sh [options of ringsnake sim]  default: --workload s1 --snakes 10000 --warmup 10 --ticks 20 --simd avx2
source "$(dirname "$0")/common.sh"

need valgrind "Debian: apt install valgrind"
build_profiling
[[ $# -gt 0 ]] || set -- --workload s1 --snakes 10000 --warmup 10 --ticks 20 --simd avx2
out=target/perf/cachegrind
mkdir -p "$out"
# The last level of servers is larger than valgrind models: 32 MB is what one of many neighbours may hope for.
valgrind --tool=cachegrind --quiet --cache-sim=yes --branch-sim=yes --LL=33554432,16,64 \
    --cachegrind-out-file="$out/cachegrind.out" "$program" sim --json "$@"
cg_annotate --auto=yes --show=Ir,D1mr,D1mw,DLmr,DLmw,Bcm --sort=D1mr "$out/cachegrind.out" >"$out/lines.txt"
sed -n '/file:function/,$p' "$out/lines.txt" | head -25 | cut -c1-170
echo "$out/lines.txt: by function and by line of source, most missed reads first. The laying of bodies is in it"
