#!/usr/bin/env python3
"""Runs findings under gdb, with commands as a user would type them.

usage: gdb_test.py HEDDLE
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import program_files
import shards


# Thread-local variables, a fault, and threads that are in different functions.
FAULT = """
#include <pthread.h>
#include <stdatomic.h>
static _Thread_local int mine;
static atomic_int turn;
static int* volatile nowhere;
static void* first(void* unused) {
  mine = 11;
  turn = 1;
  return unused;
}
static void* second(void* unused) {
  int local = 22;
  mine = local;
  while (turn != 1) {
  }
  *nowhere = local + mine;
  return unused;
}
int main(void) {
  pthread_t a, b;
  mine = 33;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


class Failed(Exception):
    pass


class Session:
    def __init__(self, heddle, directory, source, name):
        self.heddle, self.directory, self.name = heddle, directory, name
        (directory / f"{name}.c").write_text(source, encoding="utf-8")
        self.run([heddle, "cc", f"{name}.c", "-o", name])
        self.run([heddle, "run", f"./{name}"])

    def run(self, command, text=""):
        environment = dict(os.environ, LC_ALL="C.UTF-8", HOME=str(self.directory), COLUMNS="300")
        return subprocess.run([str(c) for c in command], cwd=self.directory, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=environment, timeout=3000, check=False).stdout

    def gdb(self, *commands):
        """What gdb says to each of the commands, and first to none."""
        marked = "".join(f"echo \\n<<{k}>>\\n\n{c}\n" for k, c in enumerate(commands))
        out = self.run([self.heddle, "replay", f"./{self.name}", "--gdb"], marked)
        parts = re.split(r"<<\d+>>", out)
        if len(parts) != len(commands) + 1:
            raise Failed(f"{len(parts)} parts: {out}")
        return parts


def expect(text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text):
            raise Failed(f"there is no /{pattern}/ in:\n{text}")


def check_deadlock(heddle, directory):
    source = program_files.find("two_locks.c").read_text(encoding="utf-8")
    s = Session(heddle, directory, source, "deadlock")
    begin, absent, threads, stack, back, events, found, after, other = s.gdb(
        "heddle thread 2", "heddle threads", "heddle thread 0", "heddle back", "heddle events",
        "continue", "heddle threads", "heddle thread 2")
    expect(begin, r"heddle: event \d+, thread 1: lock [ab]", r"pthread_mutex_lock")
    expect(absent, "thread 2 has not begun: it has no frames")
    expect(threads, r"  thread 0: join thread 1", r"\* thread \d: running")
    expect(stack, r"in main \(\)", r"pthread_join")
    expect(back, r"pthread_mutex_lock")
    expect(events, r"=> +\d+  thread \d: lock [ab]", r"thread 1: blocked locking")
    expect(found, r"heddle: .*is blocked locking '[ab]'.*\[deadlock\]")
    expect(after, r"thread 1: lock [ab]", r"thread 2: lock [ab]")
    expect(other, r"pthread_mutex_lock")


def check_going_on(heddle, directory):
    """From event to event, to the finding, and once more from the start. What gdb does to look at a
    thread is undone before the program continues."""
    source = program_files.find("lost_update.c").read_text(encoding="utf-8")
    s = Session(heddle, directory, source, "update")
    parts = s.gdb("heddle start", "heddle thread 1", "heddle next", "heddle thread 9",
                  "heddle thread x", "continue", "print x", "continue", "heddle threads")
    begin, again, ended, end, absent, wrong, found, value, over, gone = parts
    first = re.search(r"heddle: event (\d+), thread 0", begin)
    if first is None or first[0] not in again:
        raise Failed(f"it does not begin where it began: {begin}\n{again}")
    expect(ended, "thread 1 has ended: it has no frames")
    expect(end, r"heddle: assertion .* failed \[assertion\]")
    expect(absent, "there is no thread 9")
    expect(wrong, "'x' is not a number")
    expect(found, "exited with code 01")
    expect(gone, "the program is not running")
    del value, over


def check_fault(heddle, directory):
    """A fault stops where it is; each thread has its own frames and thread-local variables."""
    s = Session(heddle, directory, FAULT, "fault")
    parts = s.gdb("continue", 'print $tls("mine")', "print local", "heddle thread 0",
                  'print $tls("mine")', "heddle back", 'print $tls("mine") + 1', 'print mine',
                  'print $tls("turn")', "info threads", "continue", "continue")
    (_, fault, own, local, other, mine, back, own_again, refused, no_such, threads, found,
     over) = parts
    expect(fault, "SIGSEGV", r"second \(")
    expect(own, r"= 22")
    expect(other, r"in main \(\)")
    expect(mine, r"= 33")
    expect(back, r"second \(")
    expect(own_again, r"= 23")
    expect(refused, "Cannot find thread-local")
    expect(no_such, "'turn' is no thread-local variable")
    expect(local, r"= 22|optimized out")
    expect(threads, r"\* 1 ")
    expect(found, r"heddle: segmentation fault.* \[signal\]")
    expect(over, "exited with code 01")


def check_without_gdb(heddle, directory):
    """One line says what is missing."""
    s = Session(heddle, directory, FAULT, "without")
    done = subprocess.run([str(heddle), "replay", "./without", "--gdb"], cwd=directory,
                          env=dict(os.environ, PATH="/nonexistent"), capture_output=True, text=True,
                          check=False, timeout=3000)
    if done.returncode != 2 or "gdb is not installed" not in done.stderr:
        raise Failed(f"status {done.returncode}: {done.stderr}")
    del s


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    shards.add_argument(parser)
    arguments = parser.parse_args()
    if shutil.which("gdb") is None:
        print("gdb is not installed")
        return 1
    failures = 0
    checks = shards.part([check_deadlock, check_going_on, check_fault, check_without_gdb],
                         arguments.shard)
    for check in checks:
        with tempfile.TemporaryDirectory() as name:
            try:
                check(arguments.heddle.resolve(), Path(name).resolve())
            except (Failed, subprocess.TimeoutExpired) as error:
                failures += 1
                print(f"FAIL  {check.__name__}: {error}")
    print(f"{len(checks)} checks, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
