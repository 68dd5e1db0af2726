#!/usr/bin/env python3
"""Shows why states of a compiled program differ, where fewer are expected.

    HEDDLE_STATES=/tmp/states build/test/heddle run PROGRAM --algorithm merging
    tools/states.py /tmp/states.*              how many states there would be without each kind of part
    tools/states.py /tmp/states.* --part KIND  states that differ in parts of this kind only, and where

A kind is as the first form prints it ("stack of 3", "effects of 1"), or its first word, for all
threads. That states differ in nothing else does not mean that they should not: whether what
differs matters to the program is for the reader to judge.
"""

import argparse
import collections
import re
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STACKS, STACK_SIZE, THREADS = 0x200000000000, 8 << 20, 64
HEAP, ARENA_SIZE = 0x210000000000, 256 << 20
OF_THREADS = {"thread", "pending", "registers", "effects", "start", "rounds", "read", "failure", "polling",
              "change", "hold", "time"}
REGISTERS = "id from rbx rbp r12 r13 r14 r15 control".split()


def kinds():
    text = (ROOT / "src/runtime/kernel/state_hash.hpp").read_text()
    return re.findall(r"\w+", re.search(r"enum class Of[^{]*{(.*?)}", text, re.DOTALL)[1])


class Names:
    """The functions that addresses are in, by the maps of the worker."""

    def __init__(self, maps):
        self.code = []
        self.known = {}
        starts = {}
        for line in maps.splitlines():
            words = line.split()
            begin, end = (int(n, 16) for n in words[0].split("-"))
            if len(words) > 5 and words[5].startswith("/"):
                starts.setdefault(words[5], begin - int(words[2], 16))
                if "x" in words[1]:
                    self.code.append((begin, end, words[5], starts[words[5]]))

    def of(self, address):
        if address not in self.known:
            self.known[address] = self.find(address)
        return self.known[address]

    def find(self, address):
        for begin, end, path, start in self.code:
            if begin <= address < end:
                with open(path, "rb") as file:
                    moved = file.read(17)[16] == 3  # not an executable at fixed addresses
                out = subprocess.run(["addr2line", "-Cfie", path,
                                      hex(address - 1 - (start if moved else 0))],
                                     capture_output=True, text=True, check=False).stdout.split("\n")
                return f"{out[0]} {' '.join(out[1:2]).rpartition('/')[2]}"
        return None


def region(address):
    if 0 <= address - STACKS < STACK_SIZE * THREADS:
        return f"stack of {(address - STACKS) // STACK_SIZE}"
    arena = (address - HEAP) // ARENA_SIZE
    if 0 <= arena < THREADS:
        return f"blocks of {arena}"
    return "storage of threads" if arena == THREADS + 1 else "variables"


def read(path, of):
    """The states of a file, each as a dictionary of parts; and the maps."""
    data = Path(path).read_bytes()
    size, = struct.unpack_from("<Q", data)
    maps, at = data[8:8 + size].decode(), 8 + size
    states = {}
    while at < len(data):
        events, thread, first, second, count, _ = struct.unpack_from("<6Q", data, at)
        at += 48
        parts = []
        for _ in range(count):
            kind, address, length = struct.unpack_from("<3Q", data, at)
            content = data[at + 24:at + 24 + length]
            at += 24 + length
            if kind == 0:
                parts.append((region(address), address, content))
            else:
                words = struct.unpack(f"<{length // 8}Q", content)
                name = of[kind] + (f" of {words[0]}" if of[kind] in OF_THREADS else "")
                parts.append((name, 0, words))
        states.setdefault((first, second), (events, thread, parts))
    return list(states.values()), maps


def key(state, left_out):
    return hash(frozenset(collections.Counter(
        part for part in state[2] if not left_out(part[0])).items()))


def show_table(states):
    names = sorted({part[0] for state in states for part in state[2]})
    groups = sorted({name.split()[0] for name in names})
    print(f"{len(states)} states; without:")
    for name in groups + [n for n in names if n not in groups]:
        left = len({key(s, lambda n: n == name or n.split()[0] == name) for s in states})
        if left != len(states):
            print(f"{left:8}  {name}")


def words_of(part):
    if isinstance(part[2], tuple):
        return {k: word for k, word in enumerate(part[2])}
    content = part[2] + bytes(-len(part[2]) % 8)
    return {part[1] + 8 * k: word
            for k, (word,) in enumerate(struct.iter_unpack("<Q", content))}


def frame_of(address, words, names):
    """The return address above a word of a stack, which is that of the function it belongs to."""
    for at in range(address + 8, address + 2048, 8):
        if (name := names.of(words.get(at, 0))) is not None:
            return f"+{at - address} {name}"
    return ""


def show_difference(a, b, left_out, names):
    mine, theirs = (collections.Counter(p for p in s[2] if left_out(p[0])) for s in (a, b))
    only = [sorted((x - y).elements(), key=lambda p: p[:2]) for x, y in ((mine, theirs), (theirs, mine))]
    print(f"after {a[0]} and {b[0]} events, the last by threads {a[1]} and {b[1]}:")
    for p, q in zip(*only):
        one, other = words_of(p), words_of(q)
        for at in sorted(one.keys() | other.keys()):
            if one.get(at) != other.get(at):
                where = (frame_of(at, one, names) if p[0].startswith("stack") else
                         REGISTERS[at] if p[0].startswith("registers") and at < 9 else "")
                print(f"  {p[0]} {at:#x}: {one.get(at, 0):#x} {other.get(at, 0):#x} {where}")
    for which, rest in zip((1, 2), (only[0][len(only[1]):], only[1][len(only[0]):])):
        for p in rest:
            print(f"  only in {which}: {p[0]} {p[1]:#x} {p[2] if isinstance(p[2], tuple) else ''}")


def show_part(states, name, most, names):
    def left_out(part):
        return part == name or part.split()[0] == name
    alike = collections.defaultdict(list)
    for state in states:
        alike[key(state, left_out)].append(state)
    groups = [g for g in alike.values() if len(g) > 1]
    print(f"{sum(len(g) - 1 for g in groups)} states more, in {len(groups)} groups")
    for group in groups[:most]:
        for other in group[1:3]:
            show_difference(group[0], other, left_out, names)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--part")
    parser.add_argument("--most", type=int, default=5, help="groups that are shown")
    arguments = parser.parse_args()
    states, maps = [], ""
    for file in arguments.files:
        more, maps = read(file, kinds())
        states += more
    if arguments.part is None:
        show_table(states)
    else:
        show_part(states, arguments.part, arguments.most, Names(maps))


if __name__ == "__main__":
    sys.exit(main())
