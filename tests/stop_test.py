#!/usr/bin/env python3
"""Explorations that are stopped: by limits and by Ctrl-C; and resumed.

usage: stop_test.py HEDDLE
"""

import json
import os
import pty
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HEDDLE = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
ROOT = Path(__file__).resolve().parent.parent

# Three ways to fail, and many that do not.
WRONG = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, y, z;
static void* work(void* p) {
  int seen = x;
  x = seen + 1;
  if (y++ == 2 && seen == 0) abort();
  z = (int)(long)p;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long k = 0; k < 3; ++k) pthread_create(&t[k], 0, work, (void*)k);
  for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
  assert(x != 1);
  assert(z != 0);
}
"""


# Some runs do not come back.
HANGS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* p) {
  if (x == 1)
    for (unsigned long k = 1;; k *= 5) __asm__ volatile("" : "+r"(k));
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  x = 2;
  pthread_join(t, 0);
}
"""

# Runs take long, and after the first of them, what main reads is learned to be seen.
SLOW = """
#include <pthread.h>
static int x;
static void* work(void* p) {
  __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);
  return p;
}
int main(void) {
  for (unsigned long k = 1; k < 60000000; ++k) __asm__ volatile("" : "+r"(k));
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return x == 2;
}
"""


def processes_of(program):
    out = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                out.append(int(entry.name))
        except OSError:
            pass
    return out


def has_worked(pid, ticks=20):
    """Whether a process has used so much of a processor's time."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12]) >= ticks
    except OSError:
        return False


def wait_until(what, process=None):
    """Until it is so; a process must not end before."""
    while not what():
        assert process is None or process.poll() is None, "it has ended"
        time.sleep(.02)


def run(*words, cwd=None):
    return subprocess.run([str(HEDDLE), *map(str, words)], cwd=cwd, capture_output=True, text=True,
                          check=False, timeout=3000)


class Stopping(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.here = Path(cls.temporary.name)
        (cls.here / "wrong.c").write_text(WRONG)
        (cls.here / "hangs.c").write_text(HANGS)
        (cls.here / "slow.c").write_text(SLOW)
        source = ROOT / "bench" / "native" / "floating_read.c"
        for words in ([source, "-DN=6", "-o", "small"], [source, "-DN=8", "-o", "large"],
                      ["wrong.c", "-o", "wrong"], ["hangs.c", "-o", "hangs"],
                      ["slow.c", "-o", "slow"]):
            built = run("cc", *words, cwd=cls.here)
            assert built.returncode == 0, built.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def explore(self, *words):
        result = run("run", *words, "--json", cwd=self.here)
        self.assertIn(result.returncode, (0, 1, 3), result.stderr)
        return json.loads(result.stdout), result.returncode

    def in_parts(self, program, *words, runs):
        """The last of several explorations, each of which continues with what is left."""
        file = self.here / "c.checkpoint"
        out, status = self.explore(program, *words, "--executions", runs, "--checkpoint", file)
        parts = 1
        while not out["complete"]:
            self.assertIn(f"the limit of {runs} runs was reached", out["limits"][0])
            before = out["executions"] + out["blocked"]
            out, status = self.explore(program, "--resume", file, "--executions", runs,
                                       "--checkpoint", file)
            self.assertLessEqual(out["executions"] + out["blocked"], before + runs)
            parts += 1
        file.unlink(missing_ok=True)
        return out, status, parts

    def same(self, whole, parts):
        for key in ("verdict", "executions", "blocked", "events", "warnings", "limits"):
            self.assertEqual(whole[key], parts[key], key)
        found = [sorted((f["kind"], f["message"], f["line"]) for f in out["findings"])
                 for out in (whole, parts)]
        self.assertEqual(*found)

    def test_continues_after_each_finding(self):
        """From one finding to the next, and from the first to the end: the same as at once."""
        whole, _ = self.explore("./wrong", "--keep-going")
        kinds = sorted(f["kind"] for f in whole["findings"])
        self.assertGreater(len(kinds), 2)
        file = self.here / "f.checkpoint"
        out, status = self.explore("./wrong", "--checkpoint", file)
        self.assertEqual((len(out["findings"]), out["complete"], status), (1, False, 1))
        first = file.read_bytes()
        while not out["complete"]:
            before = len(out["findings"])
            out, status = self.explore("./wrong", "--resume", file, "--checkpoint", file)
            self.assertEqual(status, 1)
            self.assertEqual(len(out["findings"]), before + (0 if out["complete"] else 1))
        self.same(whole, out)
        file.write_bytes(first)
        out, _ = self.explore("./wrong", "--resume", file, "--keep-going")
        self.same(whole, out)

    def test_parts_are_the_whole(self):
        for algorithm in "optimal", "observers":
            for order in "leftmost", "random":
                words = "--algorithm", algorithm, "--order", order
                whole, status = self.explore("./small", *words)
                runs = 211 if algorithm == "optimal" else 41
                parts, again, count = self.in_parts("./small", *words, runs=runs)
                self.same(whole, parts)
                self.assertEqual((status, again), (0, 0))
                self.assertGreater(count, 20 if algorithm == "optimal" else 3)

    def test_findings_are_kept(self):
        words = "--keep-going", "--algorithm", "optimal"
        whole, status = self.explore("./wrong", *words)
        self.assertGreater(len(whole["findings"]), 2)
        parts, again, count = self.in_parts("./wrong", *words, runs=50)
        self.same(whole, parts)
        self.assertEqual((status, again), (1, 1))
        self.assertGreater(count, 3)

    def test_limits_are_named(self):
        for words, named in ((("--time", "0.3"), "the time limit of 0.3 s was reached"),
                             (("--memory", "1"), "the memory limit of 1 MB was reached"),
                             (("--executions", "7"), "the limit of 7 runs was reached")):
            out, status = self.explore("./large", "--algorithm", "optimal", *words)
            self.assertEqual((out["verdict"], out["complete"], status), ("incomplete", False, 3))
            self.assertEqual(out["limits"][0], named + ": not every schedule was explored")
        self.assertEqual(sorted(self.here.glob("large*")), [self.here / "large"])

    def test_limits_reached_while_something_is_learned(self):
        for seconds in (.6, 1, 1.4, 1.8, 2.2, 2.6):
            out, status = self.explore("./slow", "--savepoints", "never", "--time", seconds)
            self.assertIn((out["verdict"], status), (("incomplete", 3), ("verified", 0)))

    def start(self, *words, columns=80):
        """An exploration on a terminal, and what it writes to that."""
        control, terminal = pty.openpty()
        self.addCleanup(os.close, control)
        process = subprocess.Popen([HEDDLE, "run", *words], cwd=self.here, stdout=subprocess.PIPE,
                                   stderr=terminal, text=True, start_new_session=True,
                                   env=dict(os.environ, COLUMNS=str(columns)))
        os.close(terminal)
        return process, control

    def read_until(self, control, count):
        """What is shown until there are `count` lines of progress."""
        shown = b""
        while len(re.findall(rb"\d runs", shown)) < count:
            shown += os.read(control, 4096)
        return shown

    def test_interrupt(self):
        file = self.here / "large.checkpoint"
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            process, control = self.start("./large", "--algorithm", "optimal")
            with process:
                self.read_until(control, 1)
                os.killpg(process.pid, number)  # as a terminal does
                shown = process.communicate()[0]
            self.assertEqual(process.returncode, 3, shown)
            self.assertIn("interrupted: not every schedule was explored", shown)
            self.assertIn("heddle run ./large --resume large.checkpoint", shown)
            partial = int(re.search(r"incomplete: (\d+) executions", shown)[1])
            out, status = self.explore("./large", "--resume", file)
            self.assertEqual((out["executions"], out["events"], status), (362880, 6531840, 0))
            self.assertGreater(partial, 0)
            file.unlink()

    def test_runs_that_hang(self):
        program = self.here / "hangs"
        for isolate in "none", "fork":
            words = "./hangs", "--algorithm", "optimal", "--isolate", isolate
            out, status = self.explore(*words, "--time", "1")
            self.assertEqual((out["verdict"], status, out["findings"]), ("incomplete", 3, []))
            self.assertIn("the time limit of 1 s was reached", out["limits"][0])
            self.assertEqual(processes_of(program), [])
            for number in signal.SIGINT, signal.SIGHUP:
                with subprocess.Popen([HEDDLE, "run", *words, "--json", "--checkpoint", "h"],
                                      cwd=self.here, stdout=subprocess.PIPE, text=True) as process:
                    wait_until(lambda: any(map(has_worked, processes_of(program))), process)
                    process.send_signal(number)
                    out = json.loads(process.communicate()[0])
                self.assertEqual((out["verdict"], process.returncode), ("incomplete", 3))
                self.assertIn("interrupted", out["limits"][0])
                self.assertEqual(processes_of(program), [])
                # What was given up is still to be done.
                out, status = self.explore("./hangs", "--resume", "h", "--time", "1")
                self.assertEqual((out["verdict"], status), ("incomplete", 3))

    def test_nothing_outlives_the_engine(self):
        program = self.here / "hangs"
        for isolate in "none", "fork":
            for at_once in True, False:
                with subprocess.Popen([HEDDLE, "run", "./hangs", "--isolate", isolate],
                                      cwd=self.here) as process:
                    wait_until(lambda: processes_of(program) and
                               (at_once or any(map(has_worked, processes_of(program)))), process)
                    process.kill()
                wait_until(lambda: not processes_of(program))

    def test_checkpoints_meanwhile(self):
        whole, _ = self.explore("./large", "--algorithm", "optimal")
        file = self.here / "m.checkpoint"
        for order in "leftmost", "random":
            words = "./large", "--algorithm", "optimal", "--order", order
            process, control = self.start(*words, "--checkpoint", file, "--checkpoint-every", ".3")
            with process:
                self.read_until(control, 1)
                wait_until(file.exists, process)
                process.kill()
            out, status = self.explore("./large", "--resume", file)
            self.same(whole, out)
            self.assertEqual(status, 0)
            file.unlink()
        out, _ = self.explore("./small", "--checkpoint", file, "--checkpoint-every", ".001")
        self.assertEqual((out["verdict"], file.exists()), ("verified", False))

    def test_live_line(self):
        for columns in 80, 200:
            process, control = self.start("./large", "--algorithm", "optimal", columns=columns)
            with process:
                shown = self.read_until(control, 3)
                process.send_signal(signal.SIGINT)
                try:
                    while part := os.read(control, 4096):
                        shown += part
                except OSError:  # it is closed
                    pass
                process.communicate()
            (self.here / "large.checkpoint").unlink()
            lines = [line.replace("\x1b[K", "") for line in shown.decode().split("\r")]
            self.assertEqual(lines[-1], "")  # nothing stays
            for line in lines[1:-1]:
                self.assertRegex(line, r"^[\d,]+ runs\b.*?, [\d,]+/s, ")
                self.assertLess(len(line), columns)
            self.assertGreater(len(lines), 2)

    def test_damaged_checkpoints(self):
        file = self.here / "d.checkpoint"
        self.explore("./small", "--executions", "9", "--checkpoint", file)
        good = file.read_bytes()
        self.assertEqual(self.explore("./small", "--resume", file)[1], 0)
        chance = random.Random(1)
        for k in range(24):
            text = bytearray(good)
            if k % 3 == 0:
                del text[chance.randrange(len(text)):]
            else:
                for _ in range(k % 7 + 1):
                    text[chance.randrange(len(text))] = chance.choice(b'0129-,[]{}"ex ')
            file.write_bytes(text)
            result = run("run", "./small", "--resume", file, cwd=self.here)
            self.assertEqual(result.returncode, 0 if text == good else 2, result.stderr)
            self.assertEqual(result.stderr.count("\n"), result.returncode // 2, result.stderr)

    def test_refused(self):
        file = self.here / "e.checkpoint"
        self.explore("./small", "--executions", "9", "--checkpoint", file)
        for words, says in ((("./large", "--resume", file), "is of another build of ./large"),
                            (("./small", "--resume", "none"), "no such file: 'none'"),
                            (("./small", "--resume", self.here / "wrong.c"), "corrupt checkpoint"),
                            (("./small", "--time", "0"), "invalid value '0' for '--time'"),
                            (("./small", "--checkpoint", "/nowhere/c"), "cannot write")):
            result = run("run", *words, cwd=self.here)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(says, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
