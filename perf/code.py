"""Reads relocations and a disassembly (objdump -R, objdump -dCw --no-show-raw-insn) from stdin and judges the kernels' entries in it.

For each entry of a level: its code has to use the registers of its level and none of a higher one, and may call only
what is named in COLD. A kernel whose operations were not inlined shows here as a list of calls, and by its counts.
"""

import re
import sys
from collections import Counter

# Entry, its registers, registers of the levels above it, and how many instructions with its own there are at least.
LEVELS = [("passes_avx2", "ymm", ["zmm"], 60), ("passes_avx512", "zmm", [], 40)]

# Calls that may stand in an entry, each with its reason.
COLD = [
    (r"panic|slice_index_fail|unwrap_failed|expect_failed|option::.*fail|slice_error|assert_failed|len_mismatch", "a panic; never taken"),
    (r"RawVec|raw_vec|grow_one|handle_error|do_reserve", "a list of candidates that grows, in the first ticks"),
    (r"^__rust_|^mi_|^alloc::alloc::", "the lists' own memory, when a thread begins and ends"),
    (r"memcpy|memmove|memset", "pairs left over move to the front of the stage; few bytes, once in sixteen pairs"),
    (r"__tls_get_addr|thread::local|LocalKey|lazy_or_eager|thread_local|register_dtor|lazy::Storage", "the lists of this thread, once a batch"),
    (r"drop_in_place|Lists.*(take|default)|mem::replace", "the lists change hands, once a batch"),
    (r"is_touched|segments_within|segment::", "the verdict on integers: pairs too near to call in f32"),
    (r"Sink.*::hit|::hit\b|body_contact|toi::|or_earlier|is_before", "a hit"),
    (r"touch_overlong", "segments longer than a cell: hardly ever there"),
    (r"_Unwind_Resume", "unwinding; never taken"),
]

RELOCATION = re.compile(r"^([0-9a-f]{16}) R_X86_64_(?:RELATIVE\s+\*ABS\*\+0x([0-9a-f]+)|\w+\s+(\S+))")
HEADER = re.compile(r"^([0-9a-f]+) <(.+)>:$")
CALL = re.compile(r"\scall\s+(?:[0-9a-f]+ <(.+)>|\*0x[0-9a-f]+\(%rip\)\s+# ([0-9a-f]+) .*|(.*))$")


class Program:
    """Functions by name (one name may have several), where each starts, and what the table of far calls points to."""

    def __init__(self, lines):
        self.functions, self.starts, self.table = [], {}, {}
        for line in map(str.rstrip, lines):
            if relocation := RELOCATION.match(line):
                slot, address, symbol = relocation.groups()
                self.table[int(slot, 16)] = symbol or int(address, 16)
            elif header := HEADER.match(line):
                self.starts[int(header.group(1), 16)] = header.group(2)
                self.functions.append((header.group(2), []))
            elif self.functions and "\t" in line:
                self.functions[-1][1].append(line)

    def callee(self, call):
        near, slot, other = call.groups()
        if near:
            return re.sub(r"\+0x[0-9a-f]+$", "", near)
        target = self.table.get(int(slot, 16)) if slot else None
        return self.starts.get(target, target) or f"indirect: {other or slot}"

    def calls(self, body):
        """What is called, and how often it is named."""
        return Counter(str(self.callee(call)) for call in map(CALL.search, body) if call)


def reason(callee):
    return next((why for pattern, why in COLD if re.search(pattern, callee)), None)


def judge(program, name, body, register, higher, least):
    """Prints what is known of one entry; what is wrong with it."""
    own = sum(f"%{register}" in line for line in body)
    faults = [f"only {own} instructions use {register}"] if own < least else []
    faults += [f"it uses {other}" for other in higher if any(f"%{other}" in line for line in body)]
    print(f"{name}\n    {len(body)} instructions, {own} of them on {register}")
    for callee, times in sorted(program.calls(body).items()):
        why = reason(callee)
        print(f"    {times:3} x {callee[:110]}: {why or 'UNKNOWN'}")
        if why is None:
            faults.append(f"it calls {callee}")
    return faults


def main():
    wrong, seen = [], Counter()
    program = Program(sys.stdin)
    for name, body in program.functions:
        for entry, register, higher, least in LEVELS:
            if re.search(rf"::{entry}\b", name):
                seen[entry] += 1
                wrong += [f"{entry}: {fault}" for fault in judge(program, name, body, register, higher, least)]
    wrong += [f"{entry} is not in the program" for entry, *_ in LEVELS if not seen[entry]]
    if wrong:
        sys.exit("\n" + "\n".join(sorted(set(wrong))) + "\nInline it, or name it in COLD of perf/code.py with the reason.")
    print(f"\n{sum(seen.values())} entries use the registers of their level and call nothing hot")


main()
