#!/usr/bin/env python3
"""All of Heddle's sources are formatted by .clang-format.

usage: format_test.py [--fix]

Programs under test are not: their lines are what tests refer to.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OURS = ["src", "include", "tests", "bench"]
PROGRAMS = [ROOT / "tests/programs", ROOT / "tests/stand_ins", ROOT / "bench/programs",
            ROOT / "bench/native"]


def sources():
    found = (path for name in OURS for path in (ROOT / name).rglob("*")
             if path.suffix in (".cpp", ".hpp", ".h"))
    return sorted(p for p in found if not any(p.is_relative_to(q) for q in PROGRAMS))


def main():
    how = ["-i"] if "--fix" in sys.argv[1:] else ["--dry-run", "-Werror"]
    files = sources()
    done = subprocess.run(["clang-format-19", *how, *files], check=False)
    print(f"{len(files)} files")
    if done.returncode != 0:
        print("not formatted; tests/format_test.py --fix does it")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
