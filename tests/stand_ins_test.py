#!/usr/bin/env python3
"""Runs each program in tests/stand_ins by itself and under Heddle, and compares what they print.

What stands in for a function of the C library must do what that does. The programs print what their
calls return, and have one behaviour only: one thread, or threads that are ordered. Built by plain
clang they say what is right; built by Heddle, the first schedule, and every other there is, must
print the same.

    // cflags: ...    given to both compilers
    // options: ...   given to heddle run

    usage: stand_ins_test.py HEDDLE [PROGRAM...] [--show]
"""

import argparse
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(r"^// (cflags|options): (.*?)\s*$", re.MULTILINE)
CLANG = {".c": ["clang-19"], ".cpp": ["clang++-19", "-std=c++20"]}
DRIVER = {".c": ["cc"], ".cpp": ["c++", "-std=c++20"]}
FIRST_SCHEDULE = "heddle-schedule 1:"


class Failure(Exception):
    pass


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=3000, **more)


def build(command):
    built = run(command)
    if built.returncode != 0:
        raise Failure(built.stderr)


def printed(result):
    """The lines that are results: see tests/stand_ins/show.h."""
    lines = [line for line in result.splitlines() if line.startswith("> ")]
    if not lines:
        raise Failure(f"nothing is printed: {result[-400:]}")
    return lines


def check(heddle, source, directory, show):
    settings = {"cflags": [], "options": []}
    for key, value in LINE.findall(source.read_text()):
        settings[key].extend(shlex.split(value))
    plain, hooked = (directory / f"{source.name}.{kind}" for kind in ("plain", "hooked"))
    flags = ["-pthread", "-w", "-I", ROOT / "include", source, *settings["cflags"]]
    build([*CLANG[source.suffix], *flags, "-o", plain])
    build([heddle, *DRIVER[source.suffix], *flags, "-o", hooked])
    native = run([plain])
    wanted = printed(native.stdout)
    first = run([heddle, "run", hooked, *settings["options"], "--schedule", FIRST_SCHEDULE],
                cwd=directory)
    got = printed(first.stdout)
    if show:
        print(*got, sep="\n")
    if got != wanted:
        pairs = [f"  natively {w!r}, under heddle {g!r}" for w, g in
                 zip(wanted + ["nothing"] * len(got), got + ["nothing"] * len(wanted)) if w != g]
        more = [f"  and {len(pairs) - 20} more"] if len(pairs) > 20 else []
        raise Failure("\n".join(["other lines are printed:", *pairs[:20], *more]))
    explored = run([heddle, "run", hooked, *settings["options"]], cwd=directory)
    if (explored.returncode == 0) != (native.returncode == 0):
        raise Failure(f"natively status {native.returncode}, explored {explored.returncode}: "
                      f"{explored.stdout[-400:]}{explored.stderr[-400:]}")
    return len(got)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--show", action="store_true", help="print what the programs print")
    arguments = parser.parse_args()
    programs = [p.resolve() for p in arguments.programs] or sorted(
        p for p in (ROOT / "tests" / "stand_ins").iterdir() if p.suffix in CLANG)
    failures = 0
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        heddle = arguments.heddle.resolve()
        for source, future in [(p, pool.submit(check, heddle, p, Path(directory), arguments.show))
                               for p in programs]:
            try:
                print(f"ok    {source.name:<32}{future.result()} lines")
            except (Failure, subprocess.TimeoutExpired) as error:
                failures += 1
                print(f"FAIL  {source.name}: {error}")
            sys.stdout.flush()
    print(f"{len(programs)} programs, {failures} failures")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
