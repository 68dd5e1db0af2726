#!/usr/bin/env python3
"""Compiles each program in the folders of tests/programs, explores it, and compares with what its
comments say.

    // expect: verified [optimal=N] [observers=N]
    // expect: finding KIND [or KIND...] [line N [or N...]]
                                                 N may be `here`: the line with the comment `// here`
    // expect: warning PART OF ITS TEXT             with verified; others than these are a failure
    // expect: limit PART OF ITS TEXT               with verified; others may be there
    // expect: incomplete PART OF A LIMIT           with `finding endless` where the step limit ended it
    // expect: vacuous PART OF A LIMIT              no run was complete
    // expect: misuse PART OF THE MESSAGE           the exit status is 2
    // allow: PART OF A WARNING                     which may come or not
    // options: ...                                 given to heddle run
    // cflags: ...                                  given to heddle cc
    // args: ...                                    given to the program
    // runs: one                                    explored once only, for it takes long

Each is explored with every algorithm, leftmost first and in random order, which must give the same
verdict and, for optimal, the same number of executions. The schedules of a finding and of the first
run are replayed, each by two processes, which must show the same. A directory with a CMakeLists.txt
is one program, and its comments are in main.cpp. Where runs are cut off in loops that wait, to let
such loops go round once more must show the same.

    --std STD  C++ programs are compiled by this standard; those that do not compile are left out
    --levels   what is verified has the same number of executions at -O0, -O1 and -O2, and in C and
               C++ where there are both
    --isolate  each run in a process of its own gives the same
    --visible  where races are explored, what is learned to be visible finds the same as everything
               being visible
    --merging  state merging gives the same verdict, and the findings that are expected
    --dead     dead values make no difference: with others in their places, the same is explored
    --shard K/N  the K-th of N parts
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import program_files
import shards

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(r"^// (expect|allow|options|cflags|args|runs): (.*?)\s*$", re.MULTILINE)
ALGORITHMS = ["optimal", "observers"]
RANDOM = ["--order", "random", "--seed", "7"]
SECONDS = 3000  # for anything that is run here: long enough for any machine
STEP_BY_STEP = 60  # executions of programs that are also explored that way
# Each run continues from the middle of another, if it can; many are compared with what they do from
# the beginning.
REWOUND = {"optimal": ["--savepoints", "always", "--repeat-every", "3"],
           "observers": ["--savepoints", "always", "--repeat-every", "7"]}
STATUS = {"verified": 0, "finding": 1, "incomplete": 3, "vacuous": 3, "misuse": 2}
KINDS = {
    "assertion", "abort", "terminate", "signal", "exit", "deadlock", "data-race", "use-after-free",
    "double-free", "invalid-free", "out-of-bounds", "stack-overflow", "lock-misuse",
    "message-misuse", "livelock", "endless", "died", "nondeterminism"}
# Programs that state merging does not explore as others do, each with the reason.
NOT_MERGED = {"long_run.c": "digests of thousands of messages at thousands of steps take too long"}
# Folders of programs whose states are the same each time that a run is repeated, where a warning that
# they differ is a failure; and the exceptions, each with the reason. More is explored then, nothing lost.
STATES_REPEAT = {"merged", "locks", "atomics", "conditions"}
STATES_DIFFER = {"condition_any_shared.cpp": "not found out yet: slots of frames of a library"}
NO_REPLAY = {"endless", "nondeterminism"}
FIRST_SCHEDULE = "heddle-schedule 1:"


class Failure(Exception):
    pass


@dataclass
class Expectation:
    verdict: str = ""
    kinds: set = field(default_factory=set)  # one of these, and no other
    lines: set = field(default_factory=set)  # each finding is at one of these, if there are any
    counts: dict = field(default_factory=dict)  # of executions, by algorithm
    text: str = ""  # of the limit, or of the misuse
    warnings: list = field(default_factory=list)
    limits: list = field(default_factory=list)
    allowed: list = field(default_factory=list)
    options: list = field(default_factory=list)
    cflags: list = field(default_factory=list)
    args: list = field(default_factory=list)
    once: bool = False

    def add(self, text, source):
        what, _, rest = text.partition(" ")
        if what == "warning":
            self.warnings.append(rest)
            return
        if what == "limit":
            self.limits.append(rest)
            return
        if what not in STATUS:
            raise Failure(f"cannot read 'expect: {text}'")
        # An incomplete exploration can have a finding as well: that a run did not end.
        if what != "finding" or not self.verdict:
            self.verdict = what
        if what == "verified":
            self.counts = {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", rest)}
            if set(self.counts) - set(ALGORITHMS):
                raise Failure(f"cannot read 'expect: {text}'")
        elif what == "finding":
            kinds, _, lines = rest.partition(" line ")
            self.kinds = set(kinds.split(" or "))
            if self.kinds - KINDS:
                raise Failure(f"there is no kind {self.kinds - KINDS}")
            if lines:
                self.lines = {line_of_mark(source) if line == "here" else int(line)
                              for line in lines.split(" or ")}
        else:
            self.text = rest


def line_of_mark(source):
    marked = [n for n, line in enumerate(source.splitlines(), 1) if line.endswith("// here")]
    if len(marked) != 1:
        raise Failure(f"{len(marked)} lines have the comment '// here'")
    return marked[0]


def main_source(program):
    return program / "main.cpp" if program.is_dir() else program


def expectation(program):
    source = main_source(program).read_text()
    out = Expectation()
    for key, value in LINE.findall(source):
        if key == "expect":
            out.add(value, source)
        elif key == "allow":
            out.allowed.append(value)
        elif key == "runs":
            out.once = value == "one"
        else:
            getattr(out, key).extend(shlex.split(value))
    if not out.verdict:
        raise Failure("there is no expectation")
    return out


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=SECONDS, **more)


@dataclass
class Tester:
    heddle: Path
    directory: Path
    standard: str = "c++20"

    def work_directory(self, source, name=""):
        out = self.directory / (source.name.replace(".", "_") + name)
        out.mkdir(exist_ok=True)
        return out

    def build(self, source, wanted, *more):
        """The executable of a program, in a directory of its own."""
        directory = self.work_directory(source, "".join(more))
        if source.is_dir():
            return self.build_with_cmake(source, directory, *more)
        program = directory / "program"
        if program.exists():
            return program
        compiler = ["cc"] if source.suffix == ".c" else ["c++", f"-std={self.standard}"]
        built = run([self.heddle, *compiler, *more, "-Wall", "-I", ROOT / "include", source, "-o",
                     program, *wanted.cflags])
        if built.returncode != 0:
            raise Failure(built.stderr)
        return program

    def build_with_cmake(self, source, directory, *more):
        environment = dict(os.environ, CC=f"{self.heddle} cc", CXX=f"{self.heddle} c++")
        flags = " ".join(more)
        for command in (["cmake", "-S", source, "-B", directory, f"-DCMAKE_CXX_FLAGS={flags}"],
                        ["cmake", "--build", directory]):
            built = run(command, env=environment)
            if built.returncode != 0:
                raise Failure(built.stdout + built.stderr)
        return directory / "program"

    def run_program(self, program, wanted, *more):
        arguments = ["--", *wanted.args] if wanted.args else []
        return run([self.heddle, "run", program, *wanted.options, *more, *arguments],
                   cwd=program.parent)

    def explore(self, program, wanted, algorithm, *more):
        result = self.run_program(program, wanted, "--algorithm", algorithm, "--json", *more)
        if result.returncode not in STATUS.values() or result.returncode == STATUS["misuse"]:
            raise Failure(f"status {result.returncode}: {result.stderr.strip()}")
        try:
            out = json.loads(result.stdout)
        except json.JSONDecodeError as error:
            raise Failure(f"no JSON: {error}: {result.stdout[-300:]}") from error
        if result.returncode != STATUS[out["verdict"]]:
            raise Failure(f"status {result.returncode} with {out['verdict']}")
        return out

    def replay(self, program, wanted, schedule):
        """What two processes show of a schedule, which must be the same."""
        file = program.with_suffix(".schedule")
        file.write_text(schedule)
        results = [self.run_program(program, wanted, "--schedule", f"@{file}") for _ in range(2)]
        shown = [(r.returncode, r.stdout, r.stderr) for r in results]
        if shown[0] != shown[1]:
            raise Failure(f"two replays of '{schedule}' differ: {shown}")
        return results[0]

    def check_replay(self, program, wanted, finding):
        """The schedule of a finding leads to it."""
        result = self.replay(program, wanted, finding["schedule"])
        message = finding["message"].replace("\n", "\n    ")
        if result.returncode != 1 or f"error: {message} [{finding['kind']}]" not in result.stdout:
            raise Failure(f"the replay differs, status {result.returncode}: "
                          f"{result.stdout[-300:]} {result.stderr}")

    def check_misuse(self, program, wanted):
        result = self.run_program(program, wanted)
        if result.returncode != STATUS["misuse"] or wanted.text not in result.stderr:
            raise Failure(f"status {result.returncode}: {result.stderr} {result.stdout[-300:]}")
        return result.stderr.strip()

    def check(self, source):
        wanted = expectation(source)
        program = self.build(source, wanted)
        if wanted.verdict == "misuse":
            return self.check_misuse(program, wanted)
        seen = {}
        for algorithm in ALGORITHMS[:1] if wanted.once else ALGORITHMS:
            for order in ([],) if wanted.once else (REWOUND[algorithm], RANDOM):
                out = self.explore(program, wanted, algorithm, *order)
                where = " ".join([algorithm, *order])
                compare(out, wanted, source, where)
                comparable = algorithm == "optimal" or order is not RANDOM
                count = wanted.counts.get(algorithm, seen.get(algorithm, out["executions"]))
                if wanted.verdict == "verified" and comparable and out["executions"] != count:
                    raise Failure(f"{where}: {out['executions']} executions, not {count}")
                seen.setdefault(algorithm, out["executions"])
            if out["findings"] and out["findings"][0]["kind"] not in NO_REPLAY:
                self.check_replay(program, wanted, out["findings"][0])
        if not wanted.kinds & NO_REPLAY:
            self.replay(program, wanted, FIRST_SCHEDULE)
        if wanted.verdict == "verified" and not wanted.once and seen["optimal"] <= STEP_BY_STEP:
            out = self.explore(program, wanted, "source")
            compare(out, wanted, source, "source")
            if out["executions"] < seen["optimal"]:
                raise Failure(f"source needs less than optimal: {out['executions']}, {seen}")
        if out["blocked"] != 0 and not wanted.once and "--waiting-rounds" not in wanted.options:
            out = self.explore(program, wanted, "observers", "--waiting-rounds", "2")
            compare(out, wanted, source, "with waiting rounds")
        if wanted.verdict == "verified" and seen.get("observers", 0) > seen["optimal"]:
            raise Failure(f"observers needs more than optimal: {seen}")
        return seen

    def check_levels(self, source):
        wanted = expectation(source)
        if wanted.verdict != "verified":
            return None
        counts = {}
        for level in ("-O0", "-O1", "-O2"):
            program = self.build(source, wanted, level)
            for algorithm in ALGORITHMS:
                out = self.explore(program, wanted, algorithm)
                compare(out, wanted, source, f"{level} {algorithm}")
                counts.setdefault(algorithm, []).append(out["executions"])
        if any(len(set(of)) != 1 for of in counts.values()):
            raise Failure(f"the levels differ: {counts}")
        return {algorithm: of[0] for algorithm, of in counts.items()}

    def check_isolated(self, source):
        wanted = expectation(source)
        program = self.build(source, wanted)
        if wanted.verdict == "misuse":
            return None
        results = []
        for mode in ("none", "fork"):
            out = self.explore(program, wanted, "optimal", f"--isolate={mode}")
            compare(out, wanted, source, mode)
            results.append((out["verdict"], kinds_of(out),
                            out["executions"] if wanted.verdict == "verified" else 0))
        if results[0] != results[1]:
            raise Failure(f"isolated, it differs: {results}")
        return results[0]

    def check_merging(self, source):
        wanted = expectation(source)
        if wanted.verdict == "misuse" or source.name in NOT_MERGED:
            return None
        program = self.build(source, wanted)
        every = "1024" if wanted.once else "1"
        seen = []
        for order in ([], RANDOM):
            if source.parent.name not in STATES_REPEAT or source.name in STATES_DIFFER:
                wanted.allowed.append("left different memory")
            out = self.explore(program, wanted, "merging", "--repeat-every", every, *order)
            compare(out, wanted, source, " ".join(["merging", *order]))
            seen.append([out[key] for key in ("executions", "blocked", "merged")])
        return seen

    def check_dead(self, source):
        wanted = expectation(source)
        if wanted.verdict == "misuse":
            return None
        program = self.build(source, wanted)
        seen = []
        for algorithm in [*ALGORITHMS, "merging"]:
            if algorithm == "merging" and source.name in NOT_MERGED:
                continue
            out = self.explore(program, wanted, algorithm)
            wanted.allowed.append("left different memory")
            compare(out, wanted, source, f"{algorithm}, dead values replaced")
            seen.append(out["executions"])
        return seen

    def check_and_make_visible(self, source):
        result = self.check(source)
        self.check_visible(source)
        return result

    def check_visible(self, source):
        wanted = expectation(source)
        # Recursion without end takes endless steps if each of its accesses is one, and what is not
        # deterministic differs anyway.
        if wanted.verdict == "misuse" or wanted.once or wanted.kinds & {"nondeterminism",
                                                                        "stack-overflow"}:
            return None
        wanted.options = [o for o in wanted.options if not o.startswith("--races")]
        program = self.build(source, wanted)
        results = []
        for more in ([], ["--all-visible"]):
            out = self.explore(program, wanted, "observers", "--races=explore", "--keep-going",
                               *more)
            results.append((out["verdict"],
                            sorted({(f["kind"], f["line"]) for f in out["findings"]})))
        # Loops that wait may not be seen to do so if each of their accesses is a step.
        if results[1] != ("incomplete", [e for e in results[1][1] if e[0] == "endless"]) and (
                results[0] != results[1]):
            raise Failure(f"what is learned to be visible is not enough: {results}")
        return results[0]


def kinds_of(out):
    return sorted({f["kind"] for f in out["findings"]})


def compare(out, wanted, source, where):
    """What was explored has the verdict, the findings and the warnings that it should."""
    kinds = set(kinds_of(out))
    if out["verdict"] != wanted.verdict or not kinds <= wanted.kinds or bool(kinds) != bool(wanted.kinds):
        raise Failure(f"{where}: {out['verdict']} {out['findings']}")
    for finding in out["findings"] if wanted.lines else []:
        name, line = Path(finding["file"]).name, finding["line"]
        if name != main_source(source).name or line not in wanted.lines:
            raise Failure(f"{where}: {finding['kind']} at {name}:{line}, not at {wanted.lines}")
    if wanted.verdict in ("incomplete", "vacuous"):
        limits = json.dumps({key: value for key, value in out.items() if key != "program"})
        if wanted.text not in limits:
            raise Failure(f"{where}: no '{wanted.text}' in {limits[-300:]}")
    if wanted.verdict == "verified":
        for text in wanted.limits:
            if not any(text in limit for limit in out["limits"]):
                raise Failure(f"{where}: no limit '{text}': {out['limits']}")
        warnings = [json.dumps(warning) for warning in out.get("warnings", [])]
        for text in wanted.warnings:
            if not any(text in warning for warning in warnings):
                raise Failure(f"{where}: no warning '{text}': {warnings}")
        for warning in warnings:
            if not any(text in warning for text in [*wanted.warnings, *wanted.allowed]):
                raise Failure(f"{where}: {warning}")


def twins(counts):
    """The programs that are there in C and in C++ but have different counts."""
    by_stem = {}
    for source, count in counts.items():
        by_stem.setdefault(source.stem, []).append((source.name, count))
    return [both for both in by_stem.values() if len({str(count) for _, count in both}) > 1]


def compiles(source, standard):
    return run(["clang++-19", f"-std={standard}", "-fsyntax-only", "-w", "-I", ROOT / "include",
                source, *expectation(source).cflags]).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("programs", nargs="*", type=Path)
    parser.add_argument("--levels", action="store_true")
    parser.add_argument("--isolate", action="store_true")
    parser.add_argument("--visible", action="store_true")
    parser.add_argument("--merging", action="store_true")
    parser.add_argument("--dead", action="store_true")
    parser.add_argument("--std", default="c++20")
    parser.add_argument("--jobs", type=int, default=2)
    shards.add_argument(parser)
    arguments = parser.parse_args()
    if arguments.dead:
        os.environ["HEDDLE_DEAD_VALUES"] = "replace"
    programs = [p.resolve() for p in arguments.programs] or program_files.all_programs()
    if arguments.std != "c++20":
        programs = [p for p in programs if p.suffix == ".cpp" and compiles(p, arguments.std)]
    programs = shards.part(programs, arguments.shard)
    failures, counts = [], {}

    def note_failure(text):
        failures.append(text)
        print(f"FAIL  {text}")

    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(arguments.jobs) as pool:
        tester = Tester(arguments.heddle.resolve(), Path(directory), arguments.std)
        check = (tester.check_levels if arguments.levels else
                 tester.check_isolated if arguments.isolate else
                 tester.check_merging if arguments.merging else
                 tester.check_dead if arguments.dead else
                 tester.check_and_make_visible if arguments.visible else tester.check)
        for source, future in [(source, pool.submit(check, source)) for source in programs]:
            try:
                result = future.result()
                if result is not None:
                    counts[source] = result
                    print(f"ok    {source.name:<32}{result}")
            except (Failure, subprocess.TimeoutExpired, KeyError, ValueError) as error:
                note_failure(f"{source.name}: {error}")
            sys.stdout.flush()
    for both in twins(counts) if arguments.levels else []:
        note_failure(f"the languages differ: {both}")
    print(f"{len(programs)} programs, {len(failures)} failures")
    for text in failures:  # again, for logs of which only the end is kept
        print(f"FAIL  {text}")
    return 1 if failures or not programs else 0


if __name__ == "__main__":
    sys.exit(main())
