#!/usr/bin/env python3
"""Shows that tests notice broken rules: mutants of Heddle.

usage: mutants.py [OPTION...] [TEXT...]

tests/mutants.txt has the rules. Each of those whose name or file contains one of the TEXTs (without
any, each rule) is broken in a copy of the sources, and what has to notice that is run: it must fail.

    --check      break nothing; only see that each rule is where it is said to be
    --list       print the names of the rules that would be broken
    --table      break each entry of the dependence table as well (tests/mutants.cpp)
    --by NAME    only rules noticed by: fuzz, native fuzz, counts, ...
    --seconds N  how long each may take to be noticed by a fuzzer (default 60)
    --jobs N     how many at a time, each in a copy of its own (default 1)

The exit status is 0 if all are noticed, 1 if not, and 2 if a rule is not found or does not build.
"""

import argparse
import queue
import re
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

import program_files

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "tests" / "mutants.txt"
KEYS = ("rule", "file", "from", "to", "by")


class BadRule(Exception):
    pass


def fuzz(*more):
    return lambda seconds: ["build/test/heddle", "fuzz", "--seconds", seconds, *more]


def count_runs(_):
    """Runs the programs that have expected counts of what is saved."""
    names = ["spin_round_variables.cpp", "spin_calls_loop.cpp",
             *(p.name for p in program_files.all_programs() if p.match("cond_*.c"))]
    return [sys.executable, "tests/native_test.py", "build/test/heddle",
            *(program_files.find(name).relative_to(ROOT) for name in names)]


def test_cubes(_):
    """Runs the tests of cubes of compiled programs, once they are built."""
    return ["sh", "-c", "ninja -C build/test heddle_tests || exit 2; "
                        "exec build/test/tests/heddle_tests --gtest_filter='NativeCubes.*'"]


def runtime_tests(_):
    """Runs the tests of what is dead in machine code, and of effects, once they are built."""
    return ["sh", "-c", "ninja -C build/test heddle_runtime_tests || exit 2; "
                        "exec build/test/tests/runtime/heddle_runtime_tests "
                        "--gtest_filter='Liveness.*:CallSites.*:Slots.*:DeadValues.*:EffectsTest.*'"]


def merging_tests(_):
    """Programs that show a broken rule in few orders only, each in many."""
    return ["build/test/tests/heddle_tests", "--gtest_filter=Merging.*"]


def plain_tests(_):
    return ["build/test/tests/heddle_tests", "--gtest_filter=Plain*"]


def stretches_tests(_):
    return ["build/test/tests/runtime/heddle_runtime_tests", "--gtest_filter=Stretches*"]


def merged_programs(_):
    """Explores the programs whose data races are behind known states."""
    return [sys.executable, "tests/native_test.py", "--merging", "build/test/heddle",
            *sorted(p.relative_to(ROOT) for p in program_files.all_programs()
                    if p.parent.name == "merged")]


def broker_tests(seconds):
    """Some broken rules make a job wait for ever."""
    return ["timeout", seconds, "build/test/tests/heddle_tests", "--gtest_filter=Broker*",
            "--gtest_fail_fast"]


def dispatcher_tests(seconds):
    """Some broken rules make an exploration endless."""
    return ["timeout", seconds, "build/test/tests/heddle_tests", "--gtest_filter=Dispatcher*"]


def portions_tests(_):
    return ["build/test/tests/heddle_tests", "--gtest_filter=Portions*"]


def cluster_tests(_):
    return [sys.executable, "-W", "ignore", "tests/cluster_test.py", "build/test/heddle", "WorkTest"]


ON_MODELS = ["--algorithm", "optimal,observers,source,merging"]
# Commands, run in a copy, that fail with status 1 or 70 if they notice; 124 is that of `timeout`. A
# crash is noticed by all.
NOTICED_BY = {
    "fuzz": fuzz(*ON_MODELS),
    "fuzz of data-dependent accesses": fuzz(*ON_MODELS, "--shape", "data-dependent accesses"),
    "fuzz of merging": fuzz("--algorithm", "merging"),
    "fuzz of merging-live": fuzz("--algorithm", "merging-live"),
    "fuzz of data races": fuzz("--algorithm", "merging", "--shape", "plain accesses"),
    "merging tests": merging_tests,
    "plain tests": plain_tests,
    "stretches tests": stretches_tests,
    "merged programs": merged_programs,
    "native fuzz": fuzz("--native"),
    "counts": count_runs,
    "cubes": test_cubes,
    "runtime tests": runtime_tests,
    "broker tests": broker_tests,
    "dispatcher tests": dispatcher_tests,
    "portions tests": portions_tests,
    "cluster tests": cluster_tests,
}
NOTICED = {1, 70, 124}
IN_RUNTIME_TESTS = {"stretches tests"}
IN_UNIT_TESTS = {"broker tests", "dispatcher tests", "merging tests", "plain tests",
                 "portions tests"}


@dataclass
class Rule:
    rule: str
    file: str = ""
    by: str = ""
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)

    def check(self):
        if not (self.file and self.before and self.by in NOTICED_BY):
            raise BadRule(f"{self.rule}: it needs 'file', 'from' and 'by', one of {[*NOTICED_BY]}")

    def broken(self, text):
        """The text of its file, with the rule broken."""
        words = " ".join(self.before).split()
        pattern = re.compile(r"\s+".join(map(re.escape, words)))
        found = pattern.findall(text)
        if len(found) != 1:
            raise BadRule(f"{self.rule}: {self.file} has it {len(found)} times: {' '.join(words)}")
        return pattern.sub(lambda _: "\n".join(self.after), text)

    def break_in(self, directory):
        """Returns the file and its text as it was."""
        path = directory / "src" / self.file
        if not path.exists():
            raise BadRule(f"{self.rule}: there is no src/{self.file}")
        text = path.read_text(encoding="utf-8")
        path.write_text(self.broken(text), encoding="utf-8")
        return path, text


def read_rules(text):
    rules = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        value = value.removeprefix(" ")
        if not colon or key not in KEYS or (not rules and key != "rule"):
            raise BadRule(f"mutants.txt:{number}: cannot read '{line}'")
        if key == "rule":
            rules.append(Rule(value))
        elif key in ("from", "to"):
            (rules[-1].before if key == "from" else rules[-1].after).append(value)
        else:
            setattr(rules[-1], key, value)
    for rule in rules:
        rule.check()
    names = [rule.rule for rule in rules]
    if len(set(names)) != len(names):
        raise BadRule("two rules have one name")
    return rules


def check(rules):
    bad = 0
    for rule in rules:
        try:
            path = ROOT / "src" / rule.file
            rule.broken(path.read_text(encoding="utf-8"))
        except (BadRule, OSError) as error:
            print(error)
            bad += 1
    print(f"{len(rules)} rules, {bad} not found")
    return 2 if bad else 0


class Copy:
    """The sources with their own build, in a directory of their own."""

    def __init__(self, directory):
        self.directory = Path(directory)
        files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others",
                                "--exclude-standard"], cwd=ROOT, capture_output=True, check=True)
        present = [f for f in files.stdout.decode().split("\0") if f and (ROOT / f).exists()]
        packed = subprocess.run(["tar", "-c", "--null", "-T", "-"], cwd=ROOT, check=True,
                                input="\0".join(present).encode(), capture_output=True)
        subprocess.run(["tar", "-x"], cwd=directory, input=packed.stdout, check=True)
        self.run(["cmake", "-S", ".", "-B", "build/test", "-G", "Ninja", "-DHEDDLE_BENCH=OFF"])

    def run(self, command):
        return subprocess.run([str(word) for word in command], cwd=self.directory, check=False,
                              capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL)

    def build(self, target):
        built = self.run(["ninja", "-C", "build/test", target])
        if built.returncode != 0:
            raise BadRule(f"does not build: {built.stdout[-2000:]}")

    def notices(self, rule, seconds):
        """Whether the broken rule is noticed, and after how many programs."""
        path, right = rule.break_in(self.directory)
        try:
            self.build("heddle_tests" if rule.by in IN_UNIT_TESTS else
                       "heddle_runtime_tests" if rule.by in IN_RUNTIME_TESTS else "heddle")
            done = self.run(NOTICED_BY[rule.by](seconds))
        finally:
            path.write_text(right, encoding="utf-8")
        if done.returncode not in NOTICED | {0} and done.returncode > 0:
            raise BadRule(f"{rule.rule}: status {done.returncode}: {done.stderr[-500:]}")
        programs = re.search(r"^\d+ programs", done.stdout, re.MULTILINE)
        return done.returncode != 0, programs[0] if programs else "a crash"


def break_all(rules, arguments):
    """Returns the exit status."""
    statuses = {0}
    waiting = queue.SimpleQueue()
    for rule in rules:
        waiting.put(rule)

    def work():
        with tempfile.TemporaryDirectory() as directory:
            copy = Copy(directory)
            while True:
                try:
                    rule = waiting.get_nowait()
                except queue.Empty:
                    return
                statuses.add(break_one(copy, rule, arguments.seconds))

    threads = [threading.Thread(target=work) for _ in range(arguments.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(statuses)


def break_one(copy, rule, seconds):
    try:
        noticed, programs = copy.notices(rule, seconds)
    except BadRule as error:
        print(f"ERROR     {error}", flush=True)
        return 2
    print(f"noticed   {rule.rule} ({programs})" if noticed else f"SURVIVED  {rule.rule}", flush=True)
    return 0 if noticed else 1


def break_table(seconds):
    with tempfile.TemporaryDirectory() as directory:
        copy = Copy(directory)
        copy.build("mutants")
        return subprocess.run([copy.directory / "build/test/tests/mutants", str(seconds)],
                              check=False).returncode


def main():
    parser = argparse.ArgumentParser(usage="mutants.py [OPTION...] [TEXT...]", add_help=False)
    parser.add_argument("texts", nargs="*")
    parser.add_argument("--help", "-h", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--by", choices=NOTICED_BY)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.help:
        print(__doc__.strip())
        return 0
    try:
        rules = read_rules(RULES.read_text(encoding="utf-8"))
    except BadRule as error:
        print(error)
        return 2
    rules = [r for r in rules if arguments.by in (None, r.by)
             and any(text in r.rule or text in r.file for text in arguments.texts or [""])]
    if not rules:
        parser.error("no rule has this text")
    if arguments.list:
        print(*(f"{r.file}: {r.rule} [{r.by}]" for r in rules), sep="\n")
        return 0
    if arguments.check:
        return check(rules)
    status = break_table(arguments.seconds) if arguments.table else 0
    return max(status, break_all(rules, arguments))


if __name__ == "__main__":
    sys.exit(main())
