#!/usr/bin/env python3
"""Workers that are killed or stopped from outside cost time, and change nothing else.

usage: faults_test.py HEDDLE [--kills N] [--seed N] [PART OF A NAME...]

Explores programs of all kinds, each undisturbed and then with its worker processes killed and
stopped at moments that come by chance, as soon as they are there included. What comes out must be
the same: the verdict, the counts, and what was found. Nothing may be left behind. No time is
measured: who has been disturbed often enough is left in peace.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import program_files

# With the sanitizers, heddle would be checked for leaks at its end by a process of its own, which
# what is done here disturbs as well: it would never end.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

ROOT = Path(__file__).resolve().parent.parent
KEYS = "verdict", "complete", "executions", "blocked", "events", "warnings", "limits"
SIGNALS = [signal.SIGKILL] * 5 + [signal.SIGSTOP] * 2 + [signal.SIGTERM, signal.SIGSEGV, signal.SIGUSR1]

# Each thread reads what the others write: there are many orders.
MANY = r"""
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[2];
static void* work(void* unused) {
  for (int k = 0; k < STEPS; ++k) atomic_fetch_add(&x[k % 2], 1);
  return unused;
}
int main(void) {
  pthread_t t[3];
  for (int k = 0; k < 3; ++k) pthread_create(&t[k], 0, work, 0);
  for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
}
"""

# Runs that take a while between two steps.
SLOW = r"""
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* unused) {
  x++;
  for (long k = 0; k < 50000000; ++k) __asm__ volatile("" : "+r"(k));
  x++;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  pthread_join(t, 0);
}
"""

# Before main, too.
LATE = r"""
#include <atomic>
#include <thread>
static std::atomic<int> x;
static int start() {
  for (long k = 0; k < 100000000; ++k) asm volatile("" : "+r"(k));
  return 1;
}
static int ready = start();
int main() {
  std::thread t([] { x++; });
  x += ready;
  t.join();
}
"""

# name, source, compiled with, explored with
CASES = [
    ("many optimal", MANY, ["-DSTEPS=5"], ["--algorithm", "optimal"]),
    ("many random", MANY, ["-DSTEPS=5"], ["--algorithm", "optimal", "--order", "random", "--seed", "3"]),
    ("many from the beginning", MANY, ["-DSTEPS=5"], ["--savepoints", "never", "--algorithm", "optimal"]),
    ("many isolated", MANY, ["-DSTEPS=2"], ["--isolate", "fork", "--algorithm", "optimal"]),
    ("many step by step", MANY, ["-DSTEPS=2"], ["--algorithm", "source"]),
    ("many repeated", MANY, ["-DSTEPS=4"], ["--repeat-every", "2", "--algorithm", "optimal"]),
    ("slow", SLOW, [], []),
    ("slow isolated", SLOW, [], ["--isolate", "fork"]),
    ("late", LATE, [], []),
    ("queue", program_files.find("queue_michael_scott.cpp"), [], []),
    ("races explored", program_files.find("races_explored.c"), [], ["--races", "explore"]),
    ("condition", program_files.find("cond_broadcast.c"), [], []),
    ("data race", program_files.find("race_vector.cpp"), [], []),
    ("lost update", program_files.find("lost_update.c"), [], ["--keep-going"]),
    ("assertion", ROOT / "examples" / "native" / "bounded-queue.cpp", [], ["--keep-going"]),
    ("deadlock isolated", ROOT / "examples" / "native" / "bounded-queue.cpp", [], ["--isolate", "fork"]),
    ("dies", program_files.find("dies_after_exchange.cpp"), [], ["--keep-going"]),
    ("dies beside others", program_files.find("dies_beside_others.c"), [], ["--keep-going"]),
    ("overwrites", program_files.find("overwrites_channel.c"), [], []),
    ("in parts", MANY, ["-DSTEPS=4"], ["--algorithm", "optimal"]),
]


def children(pid):
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def work_of(pid):
    """The processor's time that it has used, in ticks; less than 0 if there is none, or waits."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12]) if fields[0] in "RTt" else -1
    except OSError:
        return -1


def descendants(pid):
    out = children(pid)
    for child in out:
        out.extend(children(child))
    return out


def alive(program):
    """The processes of this program."""
    out = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                out.append(int(entry.name))
        except OSError:
            pass
    return out


class Disturber(threading.Thread):
    """Disturbs the processes that an engine started, a number of times."""

    def __init__(self, engine, times, chance):
        super().__init__()
        self.engine, self.times, self.chance, self.done = engine, times, chance, Counter()

    def run(self):
        while self.times > 0 and self.engine.poll() is None:
            # At once, or when it has done some work.
            if self.chance.random() < .7:
                time.sleep(self.chance.random() ** 3 * .3)
            victims = descendants(self.engine.pid)
            if not victims:
                time.sleep(.0005)
                continue
            number, victim = self.chance.choice(SIGNALS), self.chance.choice(victims)
            if self.chance.random() < .2:  # all at the same place, as it were
                while 0 <= work_of(victim) < 8:
                    time.sleep(.001)
            try:
                os.kill(victim, number)
            except ProcessLookupError:
                continue
            self.done[number.name] += 1
            self.times -= 1


class Faults:
    def __init__(self, heddle, directory, kills, seed):
        self.heddle, self.directory, self.kills = heddle, directory, kills
        self.chance = random.Random(seed)
        self.done = Counter()

    def build(self, name, source, flags):
        directory = self.directory / name.replace(" ", "_")
        directory.mkdir()
        if isinstance(source, str):
            text, source = source, directory / ("main.cpp" if "<atomic>" in source else "main.c")
            source.write_text(text)
        compiler = ["cc"] if source.suffix == ".c" else ["c++", "-std=c++20"]
        subprocess.run([self.heddle, *compiler, *flags, "-I", ROOT / "include", source, "-o",
                        directory / "program"], check=True)
        return directory / "program"

    def explore(self, program, words, times):
        with subprocess.Popen([self.heddle, "run", program, "--json", "--deterministic", *words],
                              cwd=program.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as engine:
            disturber = Disturber(engine, times, self.chance)
            disturber.start()
            text, errors = engine.communicate()
            disturber.join()
        self.done += disturber.done
        if engine.returncode not in (0, 1, 3):
            raise AssertionError(f"status {engine.returncode}: {errors}")
        return json.loads(text), sum(disturber.done.values())

    def whole(self, program, words, times):
        out, disturbed = self.explore(program, words, times)
        return result_of(out), disturbed

    def in_parts(self, program, words, times):
        """Resumes with what is left until there is nothing."""
        file = program.parent / "checkpoint"
        more, disturbed = words, 0
        while True:
            out, times_of_it = self.explore(
                program, [*more, "--executions", "3000", "--checkpoint", file],
                min(2, times - disturbed))
            disturbed += times_of_it
            if out["complete"]:
                file.unlink()
                return result_of(out), disturbed
            more = ["--resume", file]

    def check(self, name, source, flags, words):
        program = self.build(name, source, flags)
        explore = self.in_parts if name == "in parts" else self.whole
        undisturbed, _ = self.whole(program, words, 0)
        files = sorted(program.parent.iterdir())
        times, rounds = self.kills, 0
        while times > 0 and rounds < 3 * self.kills:
            result, disturbed = explore(program, words, times)
            rounds += 1
            times -= disturbed
            if result != undisturbed:
                raise AssertionError(f"disturbed {disturbed} times: {result}\n"
                                     f"undisturbed: {undisturbed}")
            if sorted(program.parent.iterdir()) != files:
                raise AssertionError(f"left behind: {sorted(program.parent.iterdir())}")
            if alive(program):
                raise AssertionError(f"left behind: processes {alive(program)}")
        return (f"disturbed {self.kills - times} times in {rounds} explorations of "
                f"{undisturbed['executions']} executions")


def result_of(out):
    result = {key: out[key] for key in KEYS}
    result["findings"] = [{key: f[key] for key in ("kind", "message", "file", "line", "schedule")}
                          for f in out["findings"]]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--kills", type=int, default=100, help="in all")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    cases = [c for c in CASES if not arguments.names or any(n in c[0] for n in arguments.names)]
    failures = 0
    print(f"seed {arguments.seed}")
    with tempfile.TemporaryDirectory() as directory:
        faults = Faults(arguments.heddle.resolve(), Path(directory),
                        -(-arguments.kills // len(cases)), arguments.seed)
        for case in cases:
            try:
                print(f"ok    {case[0]}: {faults.check(*case)}", flush=True)
            except AssertionError as error:
                failures += 1
                print(f"FAIL  {case[0]}: {error}", flush=True)
    print(f"{len(cases)} programs, disturbed by {dict(faults.done)}, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
