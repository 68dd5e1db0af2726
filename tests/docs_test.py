#!/usr/bin/env python3
"""Runs the commands that the documentation shows, and compares what they print.

usage: docs_test.py HEDDLE [--without-native | --update] [--shard K/N]
       docs_test.py --self-test

HEDDLE is the program that takes the place of ./heddle; without native execution, the commands that
need it are left out. --update writes what they print into the documents, where it differs. Of an
output with `...`, the lines before the first and behind the last are brought up to date. Commands
and exit statuses are not: what is wrong with them is for an author to decide.

The documents are README.md, examples/README.md and all of docs that show commands. In each, a fenced block marked `console` shows commands and what they print:

    $ ./heddle model two-lock-deadlock
    # exit status 1
    two-lock-deadlock, observers: ...

A line that starts with `$ ` is a command: `./heddle ...`, or `cat FILE`. `$ ./test` is skipped. The
commands of a document are run one after the other, in a directory that has all that is at the root
of the repository and gets what they make; where their output names it, the document has
/path/to/heddle. If the next line is `# exit status N`, that is its exit status, else 0. All lines up
to the next command are its output, stdout and stderr together; where there are none, it may print
anything, and a line `...` stands for any lines. Numbers in lines of time and memory, and numbers of
seconds, are not compared. Output is that for 80 columns of UTF-8.

Prints one line for each error and the number of commands run; exits with 1 on errors.
"""

import argparse
import contextlib
import difflib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import shards

MARK = "console"  # of a block with commands

FENCE = re.compile(r"^(`{3,})(.*)$")
STATUS = re.compile(r"^# exit status (\d+)$")
MEASURED = re.compile(r'^\s*"?(?:time|memory|seconds|peak_rss_kb)"?:?\s')
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
SECONDS_TAKEN = re.compile(r"\b\d+\.\d{3} s\b")
PLACE = "/path/to/heddle"
NATIVE = {"cc", "c++", "run", "check", "compare", "replay"}

SECONDS = 3000  # for one command: long enough for any machine


class Command:
    def __init__(self, line, text):
        self.line = line
        self.text = text
        self.status = 0
        self.output = []
        self.output_line = 0  # of the document, where the output begins


def console_blocks(text):
    """Yields (line number, lines) of each block marked `console`."""
    fence, marked, start, lines = None, False, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None:
            if match:
                fence, marked, start, lines = match[1], match[2].strip() == MARK, number, []
        elif match and match[1] == fence and not match[2].strip():
            if marked:
                yield start, lines
            fence = None
        else:
            lines.append(line)
    if fence is not None:
        raise ValueError(f"{start}: this block does not end")


def commands(text):
    """The commands of a document."""
    found = []
    for start, lines in console_blocks(text):
        current, first = None, False
        for number, line in enumerate(lines, start + 1):
            if line.startswith("$ "):
                current, first = Command(number, line[2:].strip()), True
                found.append(current)
                continue
            if current is None:
                raise ValueError(f"{number}: there is output before the first command")
            status = STATUS.match(line)
            if status and first:
                current.status = int(status[1])
            else:
                if not current.output:
                    current.output_line = number
                current.output.append(line)
            first = False
    return found


def without_measurements(lines):
    return [NUMBER.sub("N", line) if MEASURED.match(line) else SECONDS_TAKEN.sub("N s", line)
            for line in lines]


def differences(documented, printed):
    """Where what was printed is not what is documented, as a list of lines."""
    documented, printed = without_measurements(documented), without_measurements(printed)
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + r"\n"
                      for line in documented)
    if re.fullmatch(pattern, "".join(line + "\n" for line in printed)):
        return []
    return list(difflib.unified_diff(documented, printed, "documented", "printed", lineterm="", n=0))


def run(command, heddle, directory):
    """Runs a command: what is wrong with how it went, and what it printed, as lists of lines."""
    words = shlex.split(command.text)
    if words[:1] == ["./heddle"]:
        words[0] = heddle
    elif words[:1] != ["cat"]:
        return [f"'{command.text}' is neither ./heddle nor cat"], []
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "80"}
    try:
        done = subprocess.run(words, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
                              env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        return [str(error)], []
    text = done.stdout.decode("utf-8", "replace").replace(str(directory), PLACE)
    printed = text.rstrip("\n").split("\n")
    wrong = []
    if done.returncode != command.status:
        wrong = [f"exit status {done.returncode}, not {command.status}"]
        wrong += [] if command.output else printed
    return wrong, printed


def shown(command):
    """The output that the document shows."""
    return "\n".join(command.output).rstrip("\n").split("\n")


def brought_up_to_date(documented, printed):
    """What to show of what was printed, where this was shown before."""
    gaps = [i for i, line in enumerate(documented) if line.strip() == "..."]
    if not gaps:
        return printed
    behind = len(documented) - gaps[-1] - 1
    return (printed[:gaps[0]] + documented[gaps[0]:gaps[-1] + 1]
            + printed[len(printed) - behind:])


def write_outputs(path, outputs):
    """Puts outputs, as pairs of a command and its lines, in the place of those shown."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for command, new in reversed(outputs):
        start = command.output_line - 1
        lines[start:start + len(command.output)] = [line + "\n" for line in new]
    path.write_text("".join(lines), encoding="utf-8")


@contextlib.contextmanager
def directory_like(root):
    """A directory that has what is in this one, and can be written to."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name).resolve()
        for entry in root.iterdir():
            (directory / entry.name).symlink_to(entry)
        yield directory


def is_native(command):
    return shlex.split(command.text)[:1] == ["./heddle"] and command.text.split()[1] in NATIVE


def documents_of(root):
    """README.md, and what else shows commands."""
    others = [*root.glob("examples/*.md"), *sorted(root.glob("docs/*.md"))]
    return ["README.md", *(str(path.relative_to(root)) for path in others
                           if f"```{MARK}" in path.read_text(encoding="utf-8"))]


def check(root, documents, heddle, native=True, update=False):
    """Runs the commands of the documents and prints what is wrong; returns the exit status."""
    errors = count = 0
    for name in documents:
        try:
            todo = commands((root / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            print(f"{name}: {error}")
            errors += 1
            continue
        todo = [c for c in todo if c.text != "./test"]
        if not any(c.text.startswith("./heddle") for c in todo):
            print(f"{name}: no console block runs ./heddle")
            errors += 1
        outdated = []
        with directory_like(root) as directory:
            for command in todo:
                if not native and is_native(command):
                    continue
                count += 1
                wrong, printed = run(command, heddle, directory)
                if command.output and printed:
                    differs = differences(shown(command), printed)
                    new = brought_up_to_date(shown(command), printed)
                    if update and differs and not differences(new, printed):
                        outdated.append((command, new))
                    else:
                        wrong += differs
                if wrong:
                    errors += 1
                    print(f"{name}:{command.line}: $ {command.text}")
                    for line in wrong:
                        print(f"    {line}")
        write_outputs(root / name, outdated)
        for command, _ in outdated:
            print(f"{name}:{command.line}: $ {command.text}: written")
    print(f"{count} commands run, {errors} errors")
    return 1 if errors else 0


# A stand-in for heddle, and documents with the errors that must be found in them.
STAND_IN = """#!/bin/sh
echo "$*"
case $1 in
  measure) printf '  time         0.123 s, 4 runs\\n  "seconds": 1.5e-05,\\n  executions 3\\n' ;;
  complain) echo "it is wrong" >&2; exit 2 ;;
  cc) pwd; echo "took 1.234 s"; touch made ;;
esac
"""
FENCED = "text\n```console\n{}\n```\nmore\n"
SELF_TESTS = [
    ("$ ./heddle a 'b c'\na b c", 0),
    ("$ ./heddle a\nb", 1),
    ("$ ./heddle a\na\nb", 1),
    ("$ ./heddle a\n$ ./test\n$ ./heddle b\nb", 0),
    ("$ ./heddle a\n# exit status 0", 0),
    ("$ ./heddle a\n# exit status 2", 1),
    ("$ ./heddle complain", 1),
    ("$ ./heddle complain\n# exit status 2", 0),
    ("$ ./heddle complain\n# exit status 2\ncomplain\nit is wrong", 0),
    ("$ ./heddle complain\ncomplain\nit is wrong", 1),
    ("$ ./heddle measure\nmeasure\n  time         9.999 s, 77 runs\n  \"seconds\": 3,\n"
     "  executions 3", 0),
    ("$ ./heddle measure\nmeasure\n  time         9.999 s, 77 runs\n  \"seconds\": 3,\n"
     "  executions 4", 1),
    ("$ ./heddle measure\nmeasure\n  time         9.999 h, 77 runs\n  \"seconds\": 3,\n"
     "  executions 3", 1),
    ("$ ./heddle cc\ncc\n/path/to/heddle\ntook 9.876 s\n$ cat made", 0),
    ("$ ./heddle cc\ncc\n/path/to/heddle\ntook 9.876 ms\n$ cat made", 1),
    ("$ ./heddle cc\n...\ntook 9.876 s", 0),
    ("$ ./heddle cc\n...", 0),
    ("$ ./heddle cc\n...\nnot this", 1),
    ("$ ./heddle cc\n...\n/path/to/heddle", 1),
    ("$ ./heddle a\na\n$ cat doc.md", 0),
    ("$ ./heddle a\na\n$ ls", 1),
    ("$ cat doc.md", 1),
    ("output\n$ ./heddle a", 1),
    ("$ ./test", 1),
    ("$ ./heddle a\na\n```\n```\nmore", 0),
    ("$ ./heddle a\na\n```\n```sh", 0),
    ("$ ./heddle a\na\n```\n```sh\n```", 1),
]


# Documents before and after --update, and whether errors are left.
UPDATES = [
    ("$ ./heddle a\nb\n$ ./heddle c\nc", "$ ./heddle a\na\n$ ./heddle c\nc", 0),
    ("$ ./heddle a\nb\nc\n$ ./heddle complain\n# exit status 2\nno",
     "$ ./heddle a\na\n$ ./heddle complain\n# exit status 2\ncomplain\nit is wrong", 0),
    ("$ ./heddle a", "$ ./heddle a", 0),
    ("$ ./heddle complain\nb", "$ ./heddle complain\ncomplain\nit is wrong", 1),
    ("$ ./heddle cc\nbb\n...", "$ ./heddle cc\ncc\n...", 0),
    ("$ ./heddle cc\n...\ntook 5.000 h", "$ ./heddle cc\n...\ntook 1.234 s", 0),
    ("$ ./heddle cc\ncc\n...\ntook 5.000 s", "$ ./heddle cc\ncc\n...\ntook 5.000 s", 0),
    ("$ ./heddle cc\nx\n...\ny\n...\nz", "$ ./heddle cc\nx\n...\ny\n...\nz", 1),
]


def update_failures(root, stand_in):
    """The number of documents that --update does not leave as it should."""
    failures = 0
    for before, after, status in UPDATES:
        (root / "doc.md").write_text(FENCED.format(before), encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            got = check(root, ["doc.md"], str(stand_in), update=True)
        text = (root / "doc.md").read_text(encoding="utf-8")
        if got != status or text != FENCED.format(after):
            failures += 1
            print(f"expected {status}, got {got} and:\n{text}")
    return failures


def self_test():
    """Checks that this program reports what it must; returns the exit status."""
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        stand_in = root / "stand_in"
        stand_in.write_text(STAND_IN, encoding="utf-8")
        stand_in.chmod(0o755)
        cases = [(FENCED.format(text), status) for text, status in SELF_TESTS]
        cases += [("no block\n", 1), ("```\n$ ./heddle a\n```\n", 1), ("", 1)]
        for text, status in cases:
            (root / "doc.md").write_text(text, encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()) as output:
                got = check(root, ["doc.md"], str(stand_in))
            if got != status:
                failures += 1
                print(f"expected {status}, got {got}:\n{text}{output.getvalue()}")
        with contextlib.redirect_stdout(io.StringIO()):
            if check(root, ["absent.md"], str(stand_in)) != 1:
                failures += 1
        failures += update_failures(root, stand_in)
    print(f"self-test: {len(cases) + 1 + len(UPDATES)} cases, {failures} failures")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("--without-native", action="store_true")
    parser.add_argument("--update", action="store_true")
    shards.add_argument(parser)
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parent.parent
    return check(root, shards.part(documents_of(root), arguments.shard),
                 str(arguments.heddle.resolve()), native=not arguments.without_native,
                 update=arguments.update)


if __name__ == "__main__":
    sys.exit(main())
