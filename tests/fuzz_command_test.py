#!/usr/bin/env python3
"""heddle fuzz --native on the command line: what it prints, and that its programs are programs.

usage: fuzz_command_test.py HEDDLE
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HEDDLE = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None


def heddle(*words, cwd=None):
    return subprocess.run([HEDDLE, *map(str, words)], cwd=cwd, capture_output=True, text=True)


class FuzzNative(unittest.TestCase):
    def test_all_ways_agree(self):
        done = heddle("fuzz", "--native", "--programs", 30, "--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual(result["programs"], 30)
        self.assertGreaterEqual(result["explorations"], 6)
        self.assertGreaterEqual(result["compared_waits"], 1)
        self.assertNotIn("difference", result)

    def test_the_same_seed_is_the_same_programs(self):
        show = ["fuzz", "--native", "--show", "--programs", 20]
        first = heddle(*show, "--seed", 3).stdout
        self.assertEqual(first, heddle(*show, "--seed", 3).stdout)
        self.assertNotEqual(first, heddle(*show, "--seed", 4).stdout)

    def test_programs_can_be_checked(self):
        shown = json.loads(
            heddle("fuzz", "--native", "--show", "--programs", 16, "--json").stdout)["shown"]
        self.assertEqual(len({p["shape"] for p in shown}), 15)
        with tempfile.TemporaryDirectory() as directory:
            for program in shown:
                Path(directory, "p.cpp").write_text(program["program"])
                for bound in [], ["-DBOUND=3"]:
                    done = heddle("check", "p.cpp", "-std=c++20", "-mcx16", "-w", *bound, "--json",
                                  "--keep-going", "--executions", 50, cwd=directory)
                    self.assertIn(done.returncode, (0, 1, 3), program["program"] + done.stderr)
                    self.assertIn("outcomes", json.loads(done.stdout))

    def test_one_shape(self):
        shown = json.loads(heddle("fuzz", "--native", "--show", "--programs", 5, "--shape",
                                  "waiting with locks", "--json").stdout)["shown"]
        self.assertEqual({p["shape"] for p in shown}, {"waiting with locks"})

    def test_misuse(self):
        for words, says in [
            (["--native", "--algorithm", "optimal"], "all are compared"),
            (["--native", "--shape", "heap"], "is a shape of model programs"),
            (["--shape", "waiting with locks"], "is a shape of compiled programs"),
            (["--native", "--show"], "--show takes --programs"),
        ]:
            done = heddle("fuzz", *words)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
