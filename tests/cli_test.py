#!/usr/bin/env python3
"""Model programs and the fuzzer on the command line: output, exit statuses, one line a mistake.

usage: cli_test.py HEDDLE [unittest arguments]
"""

import concurrent.futures
import json
import os
import random
import re
import resource
import subprocess
import unittest

import command
from command import SECONDS, Files, heddle, output

KEYS = ("schema command program size algorithm complete executions blocked merged transitions"
        " outcomes deadlocks failures schedule seconds peak_rss_kb").split()
ALGORITHMS = ("none source optimal observers merging merging-live published-context"
              " published-optimal-context published-optimal-context-observers").split()


def model(*arguments, status=0):
    return json.loads(output("model", "--json", *arguments, status=status))


class Json(Files):
    def test_keys_are_these_in_this_order(self):
        for algorithm in ALGORITHMS:
            result = model("running-example", "--algorithm", algorithm)
            keys = [*KEYS]
            if algorithm == "merging":
                keys[keys.index("outcomes"):keys.index("outcomes")] = ["states", "edges"]
            self.assertEqual(list(result), keys)
            self.assertEqual(result["algorithm"], algorithm)
        result = model("pi", "--size", "3", "--oracle")
        self.assertEqual(list(result), [*KEYS, "lost"])
        self.assertEqual([result[k] for k in ("program", "size", "lost")], ["pi", 3, 0])

    def test_counts_of_the_running_example(self):
        expected = {"none": 30, "source": 12, "optimal": 12, "observers": 11,
                    "published-context": 6, "published-optimal-context": 6,
                    "published-optimal-context-observers": 4}
        for algorithm, executions in expected.items():
            result = model("running-example", "--algorithm", algorithm)
            self.assertEqual(result["executions"], executions, algorithm)
            self.assertEqual(result["size"], None)
            self.assertIs(result["complete"], True)

    def test_order_does_not_matter(self):
        for seed in "1", "2", "18446744073709551615":
            result = model("running-example", "--algorithm", "optimal", "--order", "random",
                           "--seed", seed)
            self.assertEqual(result["executions"], 12)

    def test_names_that_are_not_text(self):
        path = self.file(b"\xff\n.txt", "var x\nthread p: x = 1\n")
        self.assertIn("\ufffd\n.txt", model("--file", path)["program"])

    def test_published_algorithms_may_lose(self):
        program, published = "counterexample-2023-observers", "published-optimal-context-observers"
        result = model(program, "--oracle", "--algorithm", published)
        self.assertGreater(result["lost"], 0)
        self.assertEqual(model(program, "--oracle")["lost"], 0)


class Status(Files):
    def test_finding(self):
        self.assertEqual(model("two-lock-deadlock", status=1)["deadlocks"], 1)
        failing = self.file("p", "var x\nthread p: $0 = x; claim $0 == 1\n")
        self.assertIn("failures", output("model", "--file", failing, status=1))

    def test_limit(self):
        for algorithm in ALGORITHMS:
            result = model("running-example", "--algorithm", algorithm, "--executions", "3",
                           status=3)
            self.assertIs(result["complete"], False)
            # A run that ends in a known state is a run, too.
            merged = result["merged"] if algorithm == "merging" else 0
            self.assertEqual(result["executions"] + merged, 3)
        self.assertIn("stopped by --executions",
                      output("model", "pi", "--executions", "3", status=3))

    def test_a_finding_counts_more_than_a_limit(self):
        output("model", "two-lock-deadlock", "--executions", "2", status=1)

    def test_help_and_version(self):
        self.assertRegex(output("--version"), r"\Aheddle \d+\.\d+\.\d+\n\Z")
        self.assertIn("fuzz", output("--help"))
        for option in "--schedule", "--oracle", *ALGORITHMS:
            self.assertIn(option, output("model", "--help"))
        self.assertEqual(heddle().returncode, 2)

    def test_list_and_show(self):
        families = re.findall(r"^(\S+) ", output("model", "--list"), re.MULTILINE)
        self.assertIn("running-example", families)
        for family in families:
            arguments = "--algorithm", "optimal", "--executions", "40"
            shown = self.file(family, output("model", family, "--show"))
            there, here = (json.loads(heddle("model", "--json", *which, *arguments).stdout)
                           for which in ([family], ["--file", shown]))
            for key in "executions", "transitions", "outcomes", "deadlocks", "complete":
                self.assertEqual(here[key], there[key], (family, key))


class Misuse(Files):
    def test_names_are_listed(self):
        self.misuse("model", "pi", "--algorithm", "best",
                    says=["invalid value 'best' for '--algorithm' (expected none, ", *ALGORITHMS])
        self.misuse("fuzz", "--algorithm", "optimal,best", says=["invalid value 'best'", *ALGORITHMS])
        self.misuse("fuzz", "--shape", "round",
                    says=["invalid value 'round' for '--shape'", "single accesses", "mixed"])
        self.misuse("model", "nothing",
                    says=["unknown model program 'nothing'", "pi", "lock-server", "readers"])
        self.misuse("model", "pi", "--order", "up", says="invalid value 'up' for '--order' (expected leftmost or random)")

    def test_options(self):
        self.misuse("model", says="which model program?")
        self.misuse("frobnicate", says="unknown command 'frobnicate' (see heddle --help)")
        self.misuse("model", "pi", "--frobnicate", says="--frobnicate")
        self.misuse("model", "pi", "--size", "0", says="pi has sizes from 1 to 60, not 0")
        self.misuse("model", "pi", "--size", "61", says="pi has sizes from 1 to 60, not 61")
        self.misuse("model", "pi", "--size", "x", says="invalid value 'x' for '--size' (expected a number)")
        self.misuse("model", "pi", "--size", "-1", says="invalid value '-1' for '--size'")
        self.misuse("model", "pi", "--size", "9" * 11, says="not 99999999999")
        self.misuse("model", "pi", "--size", "9" * 30, says="for '--size' (expected a number)")
        self.misuse("model", "pi", "--size", says="--size")
        self.misuse("model", "pi", "--order", "", says="invalid value '' for '--order'")
        self.misuse("model", "running-example", "--size", "3", says="running-example has no size")
        self.misuse("model", "pi", "--order", "random", "--algorithm", "source",
                    says="'--order random' is for algorithms that can run in any order, not source")
        self.misuse("model", "pi", "lock", says="heddle model does not take 'lock'")
        self.misuse("fuzz", "pi", says="heddle fuzz does not take 'pi'")
        for seconds in "0", "-1", "nan", "x":
            self.misuse("fuzz", "--seconds", seconds, says="--seconds")

    def test_files(self):
        good = self.file("good", "var x\nthread p: x = 1\n")
        self.misuse("model", "--file", "/nowhere/p.txt", says="no such file: '/nowhere/p.txt'")
        self.misuse("model", "pi", "--file", good, says="not both")
        self.misuse("model", "--size", "3", "--file", good, says="--size is for built-in")
        self.misuse("model", "--file", self.file("bad", "var x\nthread p: y = 1\n"),
                    says="line 2: 'y' is neither")
        self.misuse("model", "--file", self.file("empty", ""), says="line 1: unexpected end of file")
        self.misuse("model", "--file", self.directory, says="")
        loop = self.file("loop", "thread p: fence; L: goto L\n")
        self.misuse("model", "--file", loop, says="thread p loops without taking a step")
        if os.geteuid() != 0:  # root reads everything
            os.chmod(good, 0)
            self.misuse("model", "--file", good, says="cannot read")

    def test_schedules(self):
        def refused(schedule, says):
            self.misuse("model", "two-lock-deadlock", "--schedule", schedule, says=says)
        refused("0 1", "not a schedule: at character 1: expected 'heddle-schedule'")
        refused("heddle-schedule 1: 0 x", "at character 22: expected a thread's number")
        refused("heddle-schedule 1: 0 1 1",
                "two-lock-deadlock diverges from the schedule at step 3: thread q is blocked: lock")
        refused("heddle-schedule 1: 0 0 0 0 0", "step 5: thread p has ended")
        refused("heddle-schedule 1: 2", "step 1: there is no thread 2")
        refused("heddle-schedule 1: 0.1", "step 1: thread p has 1 alternative(s) here")
        refused("@/nowhere/schedule", "no such file: '/nowhere/schedule'")

    def test_output_that_may_not_grow(self):
        path = self.file("out", "")
        with open(path, "wb") as out:
            run = heddle("model", "--list", stdout=out, preexec_fn=lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (100, 100)))
        self.assertEqual(run.returncode, 2, run)
        self.assertEqual(run.stderr, b"heddle: cannot write the output: File too large\n")

    def test_output_that_cannot_be_written(self):
        def refused(run):
            self.assertEqual(run.returncode, 2, run.args)
            self.assertRegex(run.stderr, rb"\Aheddle: cannot write the output: [^\n]+\n\Z")
        for words in (["model", "--list"], ["model", "pi"], ["model", "pi", "--json"],
                        ["--version"], ["--help"], ["model", "pi", "--size", "60", "--show"],
                        ["model", "pi", "--schedule", "heddle-schedule 1:"]):
            refused(subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', command.binary(), *words],
                                   check=False, stderr=subprocess.PIPE, timeout=SECONDS))
            with open("/dev/full", "wb") as full:
                refused(heddle(*words, stdout=full))


class Replay(Files):
    deadlock = "heddle-schedule 1: 0 1"

    def test_shows_steps_and_who_waits(self):
        shown = output("model", "two-lock-deadlock", "--schedule", self.deadlock, status=1)
        self.assertEqual(re.sub(" +", " ", shown).splitlines(),
                         [" 1 p lock m", " 2 q lock n", " p is blocked: lock n", " q is blocked: lock m"])
        shown = output("model", "two-lock-deadlock", "--schedule", "heddle-schedule 1: 1 1")
        self.assertEqual(len(shown.splitlines()), 8)
        self.assertEqual(shown.count("+"), 6)  # those that the schedule did not tell

    def test_reads_a_file(self):
        path = os.fsdecode(self.file("schedule", self.deadlock + "\n"))
        self.assertEqual(
            output("model", "two-lock-deadlock", "--schedule", "@" + path, status=1),
            output("model", "two-lock-deadlock", "--schedule", self.deadlock, status=1))

    def test_takes_alternatives(self):
        path = self.file("p", "var x\nthread p: $0 = choose 3; x = $0\n")
        shown = output("model", "--file", path, "--schedule", "heddle-schedule 1: 0.2")
        self.assertIn("choose 2 of 3", shown)
        self.misuse("model", "--file", path, "--schedule", "heddle-schedule 1: 0.3",
                    says="step 1: thread p has 3 alternative(s) here")


class Fuzz(unittest.TestCase):
    def test_finds_nothing(self):
        result = json.loads(output("fuzz", "--seconds", "2", "--json"))
        self.assertEqual(list(result),
                         ["schema", "command", "programs", "traces", "seconds", "algorithms"])
        self.assertGreater(result["programs"], 50)
        self.assertEqual(sorted(result["algorithms"]), sorted(ALGORITHMS[1:]))
        for algorithm, counts in result["algorithms"].items():
            self.assertEqual(list(counts), ["executions", "blocked", "merged", "lossy_programs"])
            if not algorithm.startswith("published"):
                self.assertEqual(counts["lossy_programs"], 0)

    def test_is_repeatable(self):
        def counts(*more):
            result = json.loads(output("fuzz", "--programs", "40", "--json", *more))
            return result["programs"], result["algorithms"]
        self.assertEqual(counts("--seed", "5"), counts("--seed", "5"))
        self.assertNotEqual(counts("--seed", "5"), counts("--seed", "6"))
        self.assertEqual(list(counts("--algorithm", "optimal")[1]), ["optimal"])

    def test_shows_its_programs(self):
        shown = output("fuzz", "--show", "--programs", "30")
        self.assertEqual(shown.count("# "), 30)
        self.assertEqual(shown, output("fuzz", "--show", "--programs", "30"))
        self.assertIn("# messages, seed ", shown)
        refused = heddle("fuzz", "--show")
        self.assertEqual((refused.returncode, b"--programs" in refused.stderr), (2, True))


class AnyArguments(Files):
    """Whatever is on the command line, heddle ends with one of its statuses."""

    def vocabulary(self):
        names = "running-example two-lock-deadlock pi readers lock-server fib counterexample-2017"
        valid = ["model", "fuzz", "help", "explain", "compare", "--model", "deadlock",
                 *names.split(), *ALGORITHMS, "--algorithm", "--size", "--seed",
                 "--order", "random", "leftmost", "--json", "--oracle", "--list", "--show",
                 "--schedule", "heddle-schedule 1: 0 1", "--file", "1", "2", "3", "--help",
                 "--version", "--programs", "--seconds", "0.01",
                 self.file("p", "var x\nthread p: x = 1\nthread q: $0 = x\n")]
        broken = ["", " ", "-", "--", "---", "-1", "0", "18446744073709551615", "9" * 40, "1e9",
                  "nan", "--size=", "--size=2", "--order=random", "--json=no", "-j", "@", "@/",
                  "/", "/dev/null", "\n", "\u00fc", b"\xff\xfe", b"--\xff", b"\xc3\x28",
                  "x" * 5000, "heddle-schedule 1: 0.9", "heddle-schedule", "%s%n", "modle",
                  "--algorithm=", "@/dev/null", "$0", "{}", "{0}"]
        return valid, broken

    @staticmethod
    def arguments(rng, valid, broken):
        words = [rng.choice(valid if rng.random() < .8 else broken)
                 for _ in range(rng.randrange(7))]
        if rng.random() < .7:
            start = rng.choice(["model", "model pi", "model two-lock-deadlock", "compare",
                                "compare --model pi", "check", "run", "explain", "help"])
            words = [*start.split(), *words]
        # Nothing that would take long.
        if "fuzz" in words:
            return [*words, "--programs", "1", "--seconds", "0.01"]
        return words if words[:1] in (["help"], ["explain"]) else [*words, "--executions", "5"]

    def check(self, arguments):
        run = heddle(*arguments, cwd=self.directory)
        message = run.stderr.decode(errors="replace")
        self.assertIn(run.returncode, (0, 1, 2, 3), ([a[:99] for a in arguments], message[:999]))
        if run.returncode == 2 and not run.stdout:  # behind what a compiler has to say
            self.assertRegex(message, r"(\A|\n)heddle: [^\n]+\n\Z", arguments)
        return run.returncode

    def test_none_crashes(self):
        rng = random.Random(1)
        valid, broken = self.vocabulary()
        rounds = [self.arguments(rng, valid, broken) for _ in range(2000)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            statuses = list(pool.map(self.check, rounds))
        self.assertEqual(set(statuses), {0, 1, 2, 3})
        self.assertGreater(statuses.count(0), 50)


if __name__ == "__main__":
    command.main()
