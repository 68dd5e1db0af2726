#!/usr/bin/env python3
"""Heddle's sources pass the checks of .clang-tidy.

usage: tidy_test.py BUILD [--seconds N | --all] [--jobs N] [FILE...]

Checks the FILEs or else all sources of the build directory BUILD, those changed last first, until N
seconds are over (default 60), or with --all until all are checked. What passed is remembered in
BUILD/tidy by the contents of the file and of all it includes, so that each call goes further.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"
# What clang refuses and GCC, with which the runtime is built, does not: a function of the C library
# that is defined again without saying that it does not throw.
GCC_ONLY = re.compile("exception specification in declaration does not match")


def output(command, cwd=ROOT):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True,
                          check=False)
    return done.stdout if done.returncode == 0 else ""


def included(build):
    """The files of ours from which each object was made, by the path of its first one."""
    out = {}
    for block in output(["ninja", "-t", "deps"], build).split("\n\n"):
        paths = [(build / line.strip()).resolve() for line in block.splitlines()[1:]]
        ours = [path for path in paths if path.is_relative_to(ROOT)]
        if ours:
            out[ours[0]] = ours
    return out


def changed_last_first(sources):
    """Uncommitted ones, then by the latest commit that has them, then by name."""
    names = output(["git", "status", "--porcelain", "--no-renames"]).splitlines()
    order = [line[3:] for line in names] + output(
        ["git", "log", "-n", "200", "--format=", "--name-only"]).splitlines()
    rank = {}
    for name in order:
        rank.setdefault(ROOT / name, len(rank))
    return sorted(sources, key=lambda path: (rank.get(path, len(rank)), path))


class Checker:
    def __init__(self, build, until):
        self.build, self.until = build, until
        self.memory = build / "tidy"
        self.memory.mkdir(exist_ok=True)
        self.included = included(build)
        self.how = output([TIDY, "--version"]) + (ROOT / ".clang-tidy").read_text()

    def key(self, source):
        text = hashlib.sha256(self.how.encode())
        for path in self.included.get(source, [source]):
            text.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
        return self.memory / text.hexdigest()

    def check(self, source):
        """'' if it passes, None if there was no time, or else what is wrong."""
        passed = self.key(source)
        if passed.exists():
            return ""
        if time.monotonic() > self.until:
            return None
        # GCC is the compiler; clang knows neither all of its warnings nor its options.
        done = subprocess.run([TIDY, "-p", self.build, "--quiet", "--extra-arg=-w",
                               "--extra-arg=-Wno-unknown-warning-option", source],
                              capture_output=True, text=True, check=False)
        errors = [line for line in (done.stdout + done.stderr).splitlines()
                  if re.search(r": (?:fatal )?error: ", line) and not GCC_ONLY.search(line)]
        if done.returncode < 0 or errors:
            return "\n".join(errors) or f"{source}: {TIDY} died: {done.stderr[-500:]}"
        passed.touch()
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_intermixed_args()
    build = arguments.build.resolve()
    sources = {Path(c["file"]) for c in json.loads((build / "compile_commands.json").read_text())}
    if arguments.files:
        sources &= {path.resolve() for path in arguments.files}
    if not sources:
        parser.error("there are no sources")
    until = float("inf") if arguments.all else time.monotonic() + arguments.seconds
    checker = Checker(build, until)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(checker.check, changed_last_first(sources)))
    wrong = [text for text in results if text]
    print(*wrong, sep="\n")
    print(f"{len(sources)} files: {results.count('')} pass, {len(wrong)} fail, "
          f"{results.count(None)} not checked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
