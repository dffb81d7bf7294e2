"""Reads relocations and a disassembly (objdump -R, objdump -dCw --no-show-raw-insn) from stdin and judges the kernels in it.

Each kernel is an instance of the one entry of its level. Its code has to use no registers of a higher level and may
call only what is named in COLD; all kernels of a level together have to use the registers of their level. A kernel
whose operations were not inlined shows here as a list of calls, and by its counts.
"""

import re
import sys
from collections import Counter

# Entry, its registers, registers of the levels above it, and in how many instructions of all its kernels its own stand
# at least. (A kernel over the eight lanes of a block has no use for registers of sixteen.)
LEVELS = [("avx2::enter", "ymm", ["zmm"], 300), ("avx512::enter", "zmm", [], 100)]

# Calls that may stand in an entry, each with its reason.
COLD = [
    (r"panic|slice_index_fail|unwrap_failed|expect_failed|option::.*fail|slice_error|assert_failed|len_mismatch", "a panic; never taken"),
    (r"columns::grow", "columns that grow, in the first ticks"),
    (r"RawVec|raw_vec|grow_one|handle_error|do_reserve", "a list of candidates that grows, in the first ticks"),
    (r"^__rust_|^mi_|^alloc::alloc::", "the lists' own memory, when a thread begins and ends"),
    (r"memset", "a list is made longer, once a pass"),
    (r"motion::(load|store)_last", "the last rows of a column, once a phase"),
    (r"add_wide", "heads whose reach covers more than two tiles along an axis: giants"),
    (r"__tls_get_addr|thread::local|LocalKey|lazy_or_eager|thread_local|register_dtor|lazy::Storage", "the lists of this thread, once a batch"),
    (r"drop_in_place|Lists.*(take|default)|mem::replace", "the lists change hands, once a batch"),
    (r"is_touched|segments_within|segment::", "the verdict on integers: pairs too near to call in f32"),
    (r"Sink.*::hit|::hit\b|body_contact|toi::|or_earlier|is_before", "a hit"),
    (r"Scene.*::meet::", "two fronts in reach of each other, without vectors"),
    (r"touch_overlong", "segments longer than a cell: hardly ever there"),
    (r"_Unwind_Resume", "unwinding; never taken"),
]

RELOCATION = re.compile(r"^([0-9a-f]{16}) R_X86_64_(?:RELATIVE\s+\*ABS\*\+0x([0-9a-f]+)|\w+\s+(\S+))")
HEADER = re.compile(r"^([0-9a-f]+) <(.+)>:$")
# The address of a function that is called more than once may be kept in a register.
KEPT = re.compile(r"\smov\s+0x[0-9a-f]+\(%rip\),(%r\w+)\s+# ([0-9a-f]+) ")
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

    def callee(self, call, kept):
        near, slot, other = call.groups()
        slot = slot or kept.get((other or "").removeprefix("*"))
        if near:
            return re.sub(r"\+0x[0-9a-f]+$", "", near)
        target = self.table.get(int(slot, 16)) if slot else None
        return self.starts.get(target, target) or f"indirect: {other or slot}"

    def calls(self, body):
        """What is called, and how often it is named."""
        kept, calls = {}, Counter()
        for line in body:
            if move := KEPT.search(line):
                kept[move.group(1)] = move.group(2)
            elif call := CALL.search(line):
                calls[str(self.callee(call, kept))] += 1
        return calls


def reason(callee):
    return next((why for pattern, why in COLD if re.search(pattern, callee)), None)


def judge(program, name, body, register, higher):
    """Prints what is known of one kernel; how many instructions use the registers, and what is wrong with it."""
    own = sum(f"%{register}" in line for line in body)
    faults = [f"it uses {other}" for other in higher if any(f"%{other}" in line for line in body)]
    print(f"{name}\n    {len(body)} instructions, {own} of them on {register}")
    for callee, times in sorted(program.calls(body).items()):
        why = reason(callee)
        print(f"    {times:3} x {callee[:110]}: {why or 'UNKNOWN'}")
        if why is None:
            faults.append(f"it calls {callee}")
    return own, faults


def main():
    wrong, kernels, used = [], Counter(), Counter()
    program = Program(sys.stdin)
    for name, body in program.functions:
        for entry, register, higher, _ in LEVELS:
            if f"::{entry}" in name:
                own, faults = judge(program, name, body, register, higher)
                kernels[entry] += 1
                used[entry] += own
                wrong += [f"{entry}: {fault}" for fault in faults]
    for entry, register, _, least in LEVELS:
        if not kernels[entry]:
            wrong.append(f"{entry} is not in the program")
        elif used[entry] < least:
            wrong.append(f"{entry}: only {used[entry]} instructions of its {kernels[entry]} kernels use {register}")
    if wrong:
        sys.exit("\n" + "\n".join(sorted(set(wrong))) + "\nInline it, or name it in COLD of perf/code.py with the reason.")
    print(f"\n{sum(kernels.values())} kernels use the registers of their level and call nothing hot")


main()
