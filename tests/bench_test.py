#!/usr/bin/env python3
"""heddle bench and the programs it measures, bench/compare-peers and bench/report.

usage: bench_test.py HEDDLE [unittest arguments]
"""

import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import jsonschema

import command
from command import ROOT, Files, heddle, output

PROGRAMS = ROOT / "bench/programs"
SCHEMA = json.loads((ROOT / "docs/json-schema.json").read_text(encoding="utf-8"))
NATIVE = "optimal,observers"
# Of each, the executions of the smallest size.
STRUCTURES = {"treiber-stack": 40, "michael-scott-queue": 12, "ticket-lock": 6, "mpmc-ring": 2,
              "seqlock": 3, "chase-lev-deque": 22, "rcu-list": 3, "thread-pool": 36}


def suite():
    lines = [line.split("\t") for line in (PROGRAMS / "suite.tsv").read_text().splitlines()
             if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def rows_of(*arguments, status=0):
    result = json.loads(output("bench", *arguments, "--json", status=status))
    jsonschema.validate(result, SCHEMA)
    assert result["command"] == "bench"
    return result["rows"]


class Programs(unittest.TestCase):
    def test_each_is_in_the_suite(self):
        sources = {f.name for f in PROGRAMS.iterdir() if f.suffix in (".c", ".cpp")}
        self.assertEqual(sources, {row["file"] for row in suite()})

    def test_of_papers_agree_with_the_model_and_with_the_papers(self):
        models = {row["name"]: row["model"] for row in suite()}
        rows = rows_of("--smallest", "--algorithms", NATIVE)
        papers = [row["name"] for row in suite() if row["suite"] == "papers"]
        self.assertEqual([row["program"] for row in rows], [p for p in papers for _ in range(2)])
        for row in rows:
            with self.subTest(program=row["program"], algorithm=row["algorithm"]):
                self.assertEqual((row["of"], row["status"]), ("program", "complete"))
                self.assertIn(row["agreement"], ("equal", "nothing"))
                if models[row["program"]] == "-":
                    continue
                size = ["--size", str(row["size"])] if row["size"] else []
                # The model of the running example has the assertion that fails.
                run = heddle("model", models[row["program"]], *size, "--algorithm",
                             row["algorithm"], "--json")
                model = json.loads(run.stdout)
                self.assertEqual((row["executions"], row["blocked"]),
                                 (model["executions"], model["blocked"]))

    def test_structures_are_explored(self):
        rows = rows_of("--suite", "structures", "--smallest", "--algorithms", NATIVE)
        self.assertEqual({row["status"] for row in rows}, {"complete"})
        for algorithm in NATIVE.split(","):
            self.assertEqual({row["program"]: row["executions"] for row in rows
                              if row["algorithm"] == algorithm}, STRUCTURES)

    def test_scaling_has_as_many_runs_as_it_says(self):
        rows = rows_of("--suite", "scaling", "--smallest", "--algorithms", "optimal")
        self.assertEqual([row["executions"] for row in rows], [4096, 4096, 1024])


class Output(Files):
    def test_text(self):
        text = output("bench", "fib", "pi", "--smallest", "--algorithms",
                      "optimal,merging,published-context")
        lines = text.splitlines()
        self.assertEqual(lines[0].split(), ["program", "algorithm", "of", "executions", "blocked",
                                            "merged", "time", "runs/s", "memory", "published"])
        self.assertRegex(text, r"(?m)^fib\(2\) +optimal +program +2 +0 +0 +\d+\.\d{3} s +\d+ +"
                               r"\d+ MB  = 2$")
        self.assertRegex(text, r"(?m)^fib\(2\) +merging +program +1 +0 +1 ")
        self.assertRegex(text, r"(?m)^pi\(5\) +published-context +model +16 .* 9, 16 \(1\)$")
        self.assertRegex(text, r"(?m)^\(1\) The 2023 paper has 16")
        self.assertRegex(lines[-1], r"^6 rows: .* 0 stopped after 10 s, 0 not tried")

    def test_markdown(self):
        lines = output("bench", "pi", "--smallest", "--markdown", "--algorithms",
                       "optimal,published-context").splitlines()
        table = [line for line in lines if line.startswith("|")]
        self.assertEqual({line.count("|") for line in table}, {11})
        self.assertEqual(len(table), 4)
        self.assertRegex(table[1], r"^\|( -+:? \|)+$")
        self.assertIn("1. The 2023 paper has 16", "\n".join(lines))

    def test_without_algorithms_those_run_that_lose_nothing(self):
        self.assertEqual([row["algorithm"] for row in rows_of("fib", "--smallest")],
                         ["source", "optimal", "observers", "merging", "merging-live"])

    def test_programs_without_a_model_have_the_native_algorithms(self):
        rows = rows_of("apr", "--smallest")
        self.assertEqual([row["algorithm"] for row in rows], ["optimal", "observers", "merging"])
        self.assertEqual({row["of"] for row in rows}, {"program"})

    def test_several_engines_have_the_same_counts(self):
        rows = rows_of("floatingread", "--algorithms", NATIVE, "-j", "2")
        self.assertEqual([row["executions"] for row in rows if row["algorithm"] == "optimal"],
                         [120, 720, 5040, 40320])
        self.assertEqual({row["agreement"] for row in rows}, {"equal"})
        # A large one takes more than the moment for which one engine explores alone.
        largest = [row["engines"] for row in rows if row["algorithm"] == "optimal"][-1]
        self.assertEqual(largest, 2)
        run = heddle("bench", "fib", "--smallest", "--algorithms", "optimal", "-j", "2", "--verbose")
        self.assertRegex(run.stderr.decode(), r"^heddle: \d engines?, \d+ parts?; ")

    def test_time_limit(self):
        # 12 writers have 12! traces.
        for algorithm, of in ("optimal", "program"), ("source", "model"):
            rows = rows_of("lastwrite-dif", "--algorithms", algorithm, "--time", "0.3", status=3)
            self.assertEqual([row["size"] for row in rows], [4, 8, 12, 16])
            self.assertEqual(rows[0]["status"], "complete")
            self.assertEqual([row["status"] for row in rows].count("stopped"), 1)
            self.assertEqual(rows[3]["status"], "not-tried")
            stopped = next(row for row in rows if row["status"] == "stopped")
            self.assertEqual(stopped["of"], of)
            self.assertEqual(stopped["executions"] > 0, of == "program")
            self.assertEqual(stopped["agreement"], "nothing")
        text = output("bench", "lastwrite-dif", "--algorithms", "source", "--time", "0.3", status=3)
        self.assertRegex(text, r"(?m)^lastwrite-dif\(\d+\) +source +model +- +- +- +> 0\.3 s ")
        self.assertRegex(text, r"(?m)^lastwrite-dif\(16\) .* not tried ")
        self.assertRegex(text, r"1 stopped after 0\.3 s, \d not tried since a smaller size was\n\Z")

    def test_misuse(self):
        self.misuse("bench", "--suite", "tables", says=["'tables'", "papers, structures or scaling"])
        self.misuse("bench", "--algorithms", "optimal,best", says=["'best'", "observers"])
        self.misuse("bench", "pie", says=["unknown program 'pie'", "boundedbuffer"])
        self.misuse("bench", "--time", "0", says="--time")
        self.misuse("bench", "--json", "--markdown", says="cannot be combined")


class OtherTables(Files):
    """A heddle that has other programs and tables beside it."""

    def setUp(self):
        super().setUp()
        built = Path(command.binary()).parent
        for file in built.iterdir():
            if file.name in ("include", "heddle_pass.so", "libheddle_rt.so",
                             "heddle_channels.o"):
                os.symlink(file, Path(self.directory, file.name))
        shutil.copy(command.binary(), self.directory)
        self.programs = Path(shutil.copytree(PROGRAMS, Path(self.directory, "programs")))

    def bench(self, *arguments):
        return subprocess.run([Path(self.directory, "heddle"), "bench", *arguments], check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=command.SECONDS)

    def edit(self, file, old, new):
        text = (self.programs / file).read_text()
        self.assertIn(old, text)
        (self.programs / file).write_text(text.replace(old, new))

    def test_unknown_difference_is_a_finding(self):
        self.edit("published.tsv", "\tpi\tN=5\toptimal\t120", "\tpi\tN=5\toptimal\t119")
        done = self.bench("pi", "--smallest", "--algorithms", "optimal")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^pi\(5\) .* 119 DIFFERS$")
        self.assertIn(" 1 differ,", done.stdout)

    def test_known_difference_must_be_the_one_that_is_known(self):
        self.edit("published_differences.tsv", "(CDPOR1)\t16\t", "(CDPOR1)\t17\t")
        done = self.bench("pi", "--smallest", "--algorithms", "published-context")
        self.assertEqual(done.returncode, 1)
        self.assertIn("9, 16 DIFFERS", done.stdout)

    def test_wrong_program_is_a_finding(self):
        self.edit("pi.c", "sum < 3.2", "sum < 3.1")
        done = self.bench("pi", "--smallest", "--algorithms", "optimal")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^pi\(5\) .* FINDING$")

    def test_broken_tables_are_refused(self):
        self.edit("suite.tsv", "papers\tpi\t", "papers\t")
        done = self.bench("pi")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Aheddle: .*suite\.tsv: not a row[^\n]*\n\Z")

    def test_model_that_there_is_not_is_refused(self):
        for old, new in ("\tfib\tfib\t2,", "\tfib\tfib\t1,"), ("\tpi\tpi,Pi\t", "\tpie\tpi\t"):
            self.edit("suite.tsv", old, new)
        for name, says in ("fib", "fib(1)"), ("pi", "pi(5)"):
            done = self.bench(name, "--smallest", "--algorithms", "source", "--json")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"unknown model program {says}", done.stderr)

    def test_program_that_does_not_compile_is_refused(self):
        self.edit("pi.c", "int main", "int main main")
        done = self.bench("pi", "--smallest")
        self.assertEqual(done.returncode, 2)
        self.assertIn("heddle: ", done.stderr)


FAKE = """#!{python}
import sys
open({log!r}, "a").write(" ".join(sys.argv[1:]) + "\\n")
print({says!r})
sys.exit({status})
"""


class Peers(Files):
    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.directory, "log")

    def fake(self, name, says, status=0):
        path = self.file(name, FAKE.format(python=sys.executable, log=self.log, says=says,
                                           status=status))
        os.chmod(path, 0o755)

    def compare(self, *arguments, path="", **variables):
        environment = {"PATH": path, "HEDDLE": command.binary(), **variables}
        # Heddle finds the compiler on PATH.
        environment["PATH"] += ":/usr/bin:/bin"
        return subprocess.run([sys.executable, ROOT / "bench/compare-peers", *arguments],
                              check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=command.SECONDS, env=environment)

    def test_none(self):
        done = self.compare()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(re.findall("left out", done.stdout)), 2)
        self.assertIn("nothing to compare with", done.stdout)

    def test_both(self):
        self.fake("nidhuggc", "Trace count: 24\nAssume-blocked trace count: 3\nNo errors")
        self.fake("genmc", "Number of complete executions explored: 4\n"
                           "Number of blocked executions seen: 2")
        done = self.compare("lastwrite-dif", "--smallest", "--rounds", "2", path=self.directory)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"\Alastwrite-dif\(4\)\n"
                                      r"  heddle optimal +24 +[\d.]+ s\n"
                                      r"  nidhugg optimal +24\+3 +[\d.]+ s +[\d.]+ x\n"
                                      r"  heddle observers +4 +[\d.]+ s\n"
                                      r"  nidhugg observers +24\+3 +[\d.]+ s +[\d.]+ x\n"
                                      r"  genmc +4\+2 +[\d.]+ s +[\d.]+ x\n\Z")
        with open(self.log, encoding="utf-8") as log:
            calls = log.read().splitlines()
        file = str(PROGRAMS / "lastwrite.c")
        nidhugg = "-DDIF -DN=4 -- --sc --{} --disable-mutex-init-requirement " + file
        genmc = "--sc -- -DDIF -DN=4 " + file
        self.assertEqual(calls, [nidhugg.format("optimal")] * 2
                         + [nidhugg.format("observers"), genmc] * 2)

    def test_named_by_a_variable_and_failing(self):
        self.fake("other", "no", status=1)
        done = self.compare("pi", "--smallest", "--rounds", "1",
                            GENMC=os.path.join(self.directory, "other"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("nidhugg is not on PATH", done.stdout)
        self.assertRegex(done.stdout, r"(?m)^  genmc +fails \(status 1\)$")

    def test_misuse(self):
        done = self.compare("treiber-stack")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no program 'treiber-stack' in C", done.stderr)


def measured(program, size, algorithm, executions, **more):
    """A row of what heddle bench prints."""
    return {"program": program, "size": size, "algorithm": algorithm, "of": "program",
            "status": "complete", "executions": executions, "blocked": 0, "merged": 0, "states": 0,
            "events": 30 * executions, "seconds": 0.5, "peak_rss_kb": 5000, "published": [],
            "agreement": "nothing"} | more


ROWS = {
    "papers": [measured("pi", 5, "optimal", 120, published=["120"], agreement="equal"),
               measured("pi", 9, "optimal", 1234, status="stopped", published=["timeout 150 s"]),
               measured("pi", 10, "optimal", 0, status="not-tried"),
               measured("pi", 5, "merging", 1, blocked=2, merged=40, states=60)],
    "published": [measured("pi", 5, "published-context", 16, of="model", published=["9", "16"],
                           agreement="explained", reason="Another program.")],
    "structures": [measured("ticket-lock", 2, "optimal", 6, blocked=10)],
    "scaling": [measured(f"scaling-{what}", size, "optimal", 1000 * size) for size in (2, 4)
                for what in ("events", "threads", "conflicts")],
}
STAND_IN = """#!{python}
import json, sys
if sys.argv[1:] == ["--version"]:
    print("heddle 1.2.3")
    sys.exit()
suite = sys.argv[sys.argv.index("--suite") + 1]
if suite == "papers" and "--algorithms" in sys.argv:
    suite = "published"
print(json.dumps({{"time": 10, "rows": {rows!r}[suite]}}))
sys.exit(3)
"""


class Report(Files):
    def setUp(self):
        super().setUp()
        self.document = Path(shutil.copy(ROOT / "docs/benchmarks.md", self.directory))

    def report(self, *arguments):
        stand_in = self.file("heddle", STAND_IN.format(python=sys.executable, rows=ROWS))
        os.chmod(stand_in, 0o755)
        return subprocess.run([sys.executable, ROOT / "bench/report", "--docs", self.directory,
                               "--data", self.directory, *arguments], check=False, text=True,
                              capture_output=True, timeout=command.SECONDS,
                              env={**os.environ, "HEDDLE": os.fsdecode(stand_in)})

    def test_is_written_between_the_marks(self):
        before = self.document.read_text(encoding="utf-8")
        done = self.report()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        text = self.document.read_text(encoding="utf-8")
        for row in ("| pi(5) | **120** | 1 | 16 ≠ 9 (1) |", "| pi(9) | > 1,234 |  |  |",
                    "| pi(10) | · |  |  |", "| pi(5) | 120 | · | 1 | 42 | 60 | 0.500 s | 9, 16 |  |", "1. Another program.",
                    "| ticket-lock(2) | `optimal` | 6 | 10 | 0 | 11 | 0.500 s | 32 | 5 MB |",
                    "| races | 2 | 250.0 µs | 4 | 125.0 µs |"):
            self.assertIn(row, text)
        self.assertIn("with Heddle 1.2.3 in", text)

        def prose(of):
            return re.sub(r"(<!-- begin \w+ -->).*?(?=<!-- end)", r"\1\n", of, flags=re.DOTALL)
        self.assertEqual(prose(text), prose(before))
        curves = xml.parse(Path(self.directory, "scaling.svg")).getroot()
        self.assertEqual(len(curves.findall(".//{*}polyline")), 3)
        self.assertEqual(len(curves.findall(".//{*}circle")), 6)
        # And again, from what was measured.
        self.assertEqual(self.report("--render").returncode, 0)
        self.assertEqual(self.document.read_text(encoding="utf-8"), text)

    def test_mark_that_is_missing(self):
        self.document.write_text("Nothing.\n", encoding="utf-8")
        done = self.report()
        self.assertEqual(done.returncode, 1)
        self.assertIn("must have one part 'machine', and has 0", done.stderr)
        self.assertEqual(self.document.read_text(encoding="utf-8"), "Nothing.\n")


if __name__ == "__main__":
    command.main()
