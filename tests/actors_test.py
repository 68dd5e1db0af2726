#!/usr/bin/env python3
"""Builds the programs in tests/actors with compilers other than heddle, and runs them: <heddle/actors.h> is an
implementation by itself. Also with ThreadSanitizer, and where two files of a program include it.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 3000  # for anything that is run here: long enough for any machine
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pthread", "-I", str(ROOT / "include")]
CXX = ["-std=c++20", *WARNINGS]
SANITIZERS = [[], ["-fsanitize=thread"], ["-fsanitize=address,undefined"]]


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=SECONDS)


def build_and_run(directory, compiler, flags, sources):
    program = directory / "program"
    built = run([compiler, *flags, "-g", "-O1", *sources, "-o", program])
    if built.returncode != 0:
        return built.stderr
    result = run([program])
    return "" if result.returncode == 0 and result.stdout.endswith("ok\n") and not result.stderr else \
        f"status {result.returncode}: {result.stdout}{result.stderr}"


def main():
    sources = ROOT / "tests" / "actors"
    failures, count = 0, 0
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        other = directory / "other.cpp"
        other.write_text("#include <heddle/actors.hpp>\nheddle::process other() { return heddle::self(); }\n")
        jobs = [("gcc", WARNINGS, [sources / "plain.c"]), ("clang", WARNINGS, [sources / "plain.c"])]
        for compiler in ("g++", "clang++"):
            jobs += [(compiler, CXX, [file, other]) for file in sorted(sources.glob("*.cpp"))]
        for compiler, flags, files in jobs:
            if shutil.which(compiler) is None:
                print(f"left out: {compiler} is missing")
                continue
            for sanitizer in SANITIZERS if compiler == "g++" else SANITIZERS[:1]:
                count += 1
                if failure := build_and_run(directory, compiler, [*flags, *sanitizer], files):
                    failures += 1
                    print(f"FAIL  {compiler} {' '.join(sanitizer)} {files[0].name}: {failure}")
    print(f"{count} programs run, {failures} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
