"""Reads a disassembly (objdump -dCw --no-show-raw-insn) from stdin and judges the kernels' entries in it.

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
    (r"__rust_(no_alloc|alloc|dealloc|realloc)|mi_(free|malloc)|::dealloc|::alloc", "the lists' own memory"),
    (r"memcpy|memmove|memset", "pairs left over move to the front of the stage; few bytes, once in sixteen pairs"),
    (r"__tls_get_addr|thread::local|LocalKey|lazy_or_eager|thread_local|register_dtor|lazy::Storage", "the lists of this thread, once a batch"),
    (r"drop_in_place|Lists.*(take|default)|mem::replace", "the lists change hands, once a batch"),
    (r"is_touched|segments_within|segment::", "the verdict on integers: pairs too near to call in f32"),
    (r"Sink.*::hit|::hit\b|body_contact|toi::|or_earlier|is_before", "a hit"),
    (r"touch_overlong|Scene.*::judge|decide", "cold parts of the batch itself"),
    (r"_Unwind_Resume", "unwinding; never taken"),
]

HEADER = re.compile(r"^[0-9a-f]+ <(.+)>:$")
CALL = re.compile(r"\scall\s+(?:[0-9a-f]+ <(.+)>|(.*))$")


def functions(lines):
    """Name and instructions of each function."""
    name, body = None, []
    for line in lines:
        line = line.rstrip("\n")
        header = HEADER.match(line)
        if header:
            if name:
                yield name, body
            name, body = header.group(1), []
        elif name and "\t" in line:
            body.append(line)
    if name:
        yield name, body


def calls(body):
    """What is called, and how often it is named. A register's target is an indirect call."""
    found = Counter()
    for line in body:
        call = CALL.search(line)
        if call:
            found[re.sub(r"\+0x[0-9a-f]+$", "", call.group(1) or f"indirect: {call.group(2)}")] += 1
    return found


def reason(callee):
    return next((why for pattern, why in COLD if re.search(pattern, callee)), None)


def judge(name, body, register, higher, least):
    """Prints what is known of one entry; what is wrong with it."""
    own = sum(f"%{register}" in line for line in body)
    faults = [f"only {own} instructions use {register}"] if own < least else []
    faults += [f"it uses {other}" for other in higher if any(f"%{other}" in line for line in body)]
    print(f"{name}\n    {len(body)} instructions, {own} of them on {register}")
    for callee, times in sorted(calls(body).items()):
        why = reason(callee)
        print(f"    {times:3} x {callee[:110]}: {why or 'UNKNOWN'}")
        if why is None:
            faults.append(f"it calls {callee}")
    return faults


def main():
    wrong, seen = [], Counter()
    for name, body in functions(sys.stdin):
        for entry, register, higher, least in LEVELS:
            if re.search(rf"::{entry}\b", name):
                seen[entry] += 1
                wrong += [f"{entry}: {fault}" for fault in judge(name, body, register, higher, least)]
    wrong += [f"{entry} is not in the program" for entry, *_ in LEVELS if not seen[entry]]
    if wrong:
        sys.exit("\n" + "\n".join(sorted(set(wrong))) + "\nInline it, or name it in COLD of perf/code.py with the reason.")
    print(f"\n{sum(seen.values())} entries use the registers of their level and call nothing hot")


main()
