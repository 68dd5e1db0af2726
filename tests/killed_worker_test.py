#!/usr/bin/env python3
"""A worker that is killed from outside costs a restart, and nothing else.

Explores a program whose exploration takes some seconds, and kills its worker again and again, each
time after it has done some work. The result must be the same as without.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Each thread reads what the others write: there are many orders.
PROGRAM = r"""
#include <pthread.h>
#include <stdatomic.h>
enum { threads = 3, steps = 5 };
static atomic_int x[2];
static void* work(void* unused) {
  for (int k = 0; k < steps; ++k) atomic_fetch_add(&x[k % 2], 1);
  return unused;
}
int main(void) {
  pthread_t t[threads];
  for (int k = 0; k < threads; ++k) pthread_create(&t[k], 0, work, 0);
  for (int k = 0; k < threads; ++k) pthread_join(t[k], 0);
}
"""
KILLS = 3


def command(heddle, program, *more):
    return [heddle, "run", program, "--json", "--algorithm", "optimal", *more]


def children(pid):
    try:
        return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def work_of(pid):
    """The processor time that a process has used, in ticks; 0 if there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])
    except OSError:
        return 0


def kill_workers(explorer):
    """Kills a worker, waits for the next to have worked, and so on. How many were killed."""
    killed = 0
    while killed < KILLS and explorer.poll() is None:
        for worker in children(explorer.pid):
            if work_of(worker) >= 5:
                os.kill(worker, signal.SIGKILL)
                killed += 1
        time.sleep(.005)
    return killed


def result_of(text):
    out = json.loads(text)
    return {key: out[key] for key in ("verdict", "complete", "executions", "blocked", "events",
                                      "findings")}


def check(heddle, program, *options):
    undisturbed = subprocess.run(command(heddle, program, *options), capture_output=True, text=True,
                                 check=True, timeout=600)
    with subprocess.Popen(command(heddle, program, *options), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as explorer:
        killed = kill_workers(explorer)
        text, errors = explorer.communicate(timeout=600)
    what = " ".join(options) or "no options"
    if killed < KILLS:
        return [f"{what}: it ended after {killed} kills: the exploration is too short to test this"]
    if explorer.returncode != 0:
        return [f"{what}: status {explorer.returncode}: {errors}{text}"]
    if result_of(text) != result_of(undisturbed.stdout):
        return [f"{what}: {result_of(text)}, and undisturbed {result_of(undisturbed.stdout)}"]
    print(f"ok    {what}: {killed} workers killed, {result_of(text)['executions']} executions")
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    heddle = parser.parse_args().heddle.resolve()
    with tempfile.TemporaryDirectory() as directory:
        source, program = Path(directory, "many.c"), Path(directory, "many")
        source.write_text(PROGRAM)
        subprocess.run([heddle, "cc", source, "-o", program], check=True)
        failures = [*check(heddle, program), *check(heddle, program, "--order", "random", "--seed", "3")]
    for failure in failures:
        print(f"FAIL  {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
