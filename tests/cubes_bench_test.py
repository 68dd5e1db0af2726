#!/usr/bin/env python3
"""The simulation of many engines, on what was recorded (bench/cubes_bench.cpp).

usage: cubes_bench_test.py CUBES_BENCH [unittest arguments]
"""

import csv
import itertools
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "bench/data/cubes.txt"
# Counted runs of the whole, by what the programs are (src/interp/families*.cpp) or the papers say.
WHOLE = {"readers 11 optimal": 2**11, "floatingread 6 optimal": 5040, "indexer 14 optimal": 512,
         "filesystem 23 optimal": 1024, "boundedbuffer 6 optimal": 924,
         "floatingread 8 observers": 8 * 2**7 + 1, "lastzero 9 optimal": 1536,
         "lastzero 9 observers": 1536, "lock-server 5 optimal": 5040}
ENGINES = [2**k for k in range(1, 11)]
# Three times of a run each, but the shortest not for indexer and filesystem, which take longer.
SUBJECTS = 3 * len(WHOLE) - 2


def simulate(file, *numbers):
    return subprocess.run([PROGRAM, file, *map(str, numbers)], check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


class Recorded(unittest.TestCase):
    def test_wholes_are_those_of_the_programs(self):
        whole = {}
        for line, below in itertools.pairwise(DATA.read_text(encoding="utf-8").splitlines()):
            if line.startswith("= "):
                depth, counted, discarded = below.split()[:3]
                self.assertEqual((depth, discarded), ("0", "0"))
                whole[line[2:]] = int(counted)
        self.assertEqual(whole, WHOLE)

    def test_halves_that_do_not_add_up_are_refused(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "cubes.txt")
            lines = DATA.read_text(encoding="utf-8").splitlines()
            at = next(k for k, line in enumerate(lines) if line.startswith("1 "))
            fields = lines[at].split()
            # One more in a half, and one less in what was discarded: as many runs.
            fields[1], fields[2] = str(int(fields[1]) - 1), str(int(fields[2]) + 1)
            lines[at] = " ".join(fields)
            file.write_text("\n".join(lines), encoding="utf-8")
            done = simulate(file, 1)
            self.assertEqual(done.returncode, 2)
            self.assertIn("do not add up", done.stderr)
            self.assertEqual(simulate(Path(directory, "none"), 1).returncode, 2)


class Simulated(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = simulate(DATA, 20)
        cls.rows = list(csv.DictReader(cls.done.stdout.splitlines(), delimiter="\t"))

    def test_work_is_conserved_and_no_engine_does_more_than_it_can(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, ""))
        same = {}
        for row in self.rows:
            key = row["program"], row["algorithm"], row["run_us"]
            same.setdefault(key, []).append(row)
        self.assertEqual(len(same), SUBJECTS)
        for key, rows in same.items():
            with self.subTest(key):
                self.assertEqual(len({row["counted"] for row in rows}), 1)
                self.assertEqual(sorted(int(row["engines"]) for row in rows),
                                 sorted(2 * ENGINES))
                for row in rows:
                    # What is not counted is made, too; nothing but that takes time on one engine.
                    made = 1 / (1 - float(row["thrown_away"]))
                    self.assertLess(float(row["efficiency"]) * made, 1.005)
                    self.assertGreaterEqual(float(row["thrown_away"]), 0)

    def test_many_engines_are_worth_having(self):
        # That all of the simulation is one engine's is what a broken rule would look like.
        for row in self.rows:
            if (row["program"], row["engines"]) == ("readers(11)", "16") and \
                    float(row["run_us"]) < 100:
                self.assertGreater(float(row["speedup"]), 2, row)

    def test_64_engines_for_an_hour(self):
        # In virtual time: the same on every machine.
        done = simulate(DATA, 3600, 64)
        efficient = {}
        for row in csv.DictReader(done.stdout.splitlines(), delimiter="\t"):
            self.assertEqual(row["engines"], "64")
            efficient.setdefault(row["by"], []).append(float(row["efficiency"]) >= 0.8)
        self.assertGreaterEqual(sum(efficient["local"]), 23)
        self.assertGreaterEqual(sum(efficient["broker"]), 23)

    def test_report(self):
        with tempfile.TemporaryDirectory() as directory:
            table = Path(directory, "table.tsv")
            table.write_text(self.done.stdout, encoding="utf-8")
            shutil.copy(ROOT / "docs/performance.md", directory)
            subprocess.run([sys.executable, ROOT / "bench/cubes_report", table, "--docs", directory],
                           check=True)
            text = Path(directory, "performance.md").read_text(encoding="utf-8")
            self.assertEqual(text.count("| readers(11), `optimal` |"), 9)
            curves = xml.parse(Path(directory, "cubes.svg")).getroot().findall(".//{*}polyline")
            self.assertEqual(len(curves), 2 * SUBJECTS)
            self.assertEqual({len(c.get("points").split()) for c in curves}, {len(ENGINES)})


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
