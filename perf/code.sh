#!/usr/bin/env bash
# Looks at the generated code of the kernels: the registers of their level, and no call that is not known to be cold.
#   perf/code.sh [program]           a release build, unless a program is named
source "$(dirname "$0")/common.sh"

need objdump "Debian: apt install binutils"
need python3 "any version from 3.8"
if [[ $(uname -m) != x86_64 ]]; then
    echo "this check knows the kernels of x86-64 only"
    exit 0
fi
program=${1:-}
[[ -n $program ]] || build_release
# Calls into the library that stands in another section go through a table, whose addresses are relocations.
{
    objdump --dynamic-reloc "$program"
    objdump --disassemble --demangle --no-show-raw-insn --wide "$program"
} | python3 perf/code.py
