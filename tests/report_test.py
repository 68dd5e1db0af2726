#!/usr/bin/env python3
"""Reports as people see them: in a terminal, in narrow and wide ones, and in a pipe.

usage: report_test.py HEDDLE [--update]

For some findings of each kind, what is shown at 80 and at 200 columns is compared with the files in
tests/data/reports; --update writes them. Then the promises that hold for every report are checked,
and failure files: written, replayed, damaged, and where there is no room for them.
"""

import difflib
import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

import program_files

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "reports"

# Program and options of heddle run.
SHOWN = [
    ("lost_update.c", []),
    ("two_locks.c", []),
    ("cond_missed_signal.c", []),
    ("race_plain_counter.c", []),
    ("use_after_free.c", []),
    ("double_free.c", []),
    ("treiber_free.cpp", []),
    ("choose_combination.c", []),
    ("barrier_too_few.c", []),
    ("exit_status.c", []),
    ("abort.c", []),
    ("lock_not_atomic.cpp", []),
    ("fib_bench_reached.c", ["--races", "explore"]),
    ("grandchildren.c", []),
    ("gate_lost_signal.cpp", []),
]
ESCAPE = re.compile(r"\033\[[0-9;]*m")
SECONDS = re.compile(r"\b\d+\.\d{3} s\b")


class Failed(Exception):
    pass


def environment(**more):
    clean = {k: v for k, v in os.environ.items()
             if k not in ("COLUMNS", "NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "TERM")}
    return {**clean, "LC_ALL": "C.UTF-8", "TERM": "xterm", **more}


def run(command, cwd, env=None, **more):
    return subprocess.run([str(c) for c in command], cwd=cwd, env=env or environment(),
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3000,
                          check=False, **more)


def in_terminal(command, cwd, columns, env=None):
    """What the command writes to a terminal that is so wide."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen([str(c) for c in command], cwd=cwd, env=env or environment(),
                               stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
    os.close(slave)
    out = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(master)
    process.wait(timeout=3000)
    return out.decode("utf-8").replace("\r\n", "\n")


def width_of(line):
    return len(line)  # reports of these programs have no wide characters


class Tester:
    def __init__(self, heddle, directory, update):
        self.heddle, self.directory, self.update = heddle, directory, update

    def build(self, name):
        """A program of tests/programs, whose source is beside it."""
        program = self.directory / Path(name).stem
        if program.exists():
            return program
        shutil.copy(program_files.find(name), self.directory)
        compiler = ["cc"] if name.endswith(".c") else ["c++", "-std=c++20"]
        built = run([self.heddle, *compiler, name, "-o", program.name], self.directory)
        if built.returncode != 0:
            raise Failed(built.stderr)
        return program

    def report(self, name, *options, columns=80, **more):
        program = self.build(name)
        return in_terminal([self.heddle, "run", f"./{program.name}", *options], self.directory,
                           columns, **more)

    def piped(self, name, *options, **env):
        program = self.build(name)
        return run([self.heddle, "run", f"./{program.name}", *options], self.directory,
                   environment(**env))

    def check_golden(self, name, options, columns):
        text = self.report(name, *options, columns=columns)
        if "\033[" not in text:
            raise Failed("there is no colour in a terminal")
        plain = ESCAPE.sub("", text).replace(str(self.directory), "/path/to")
        # How many runs it took is the algorithm's affair.
        plain = "".join(line + "\n" for line in plain.splitlines()
                        if not line.startswith(("finding: ", "warning: ")))
        check_width(plain, columns)
        file = GOLDEN / f"{Path(name).stem}.{columns}.txt"
        if self.update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(plain, encoding="utf-8")
            return
        wanted = file.read_text(encoding="utf-8")
        if plain != wanted:
            raise Failed("\n".join(difflib.unified_diff(
                wanted.splitlines(), plain.splitlines(), file.name, "shown", lineterm="")))


def rows(text):
    """The lines of the trace: from the first empty line to the second."""
    lines = text.splitlines() + [""]
    begin = lines.index("")
    return lines[begin + 1:lines.index("", begin + 1)]


def check_width(text, columns):
    for line in rows(text):
        if width_of(line) > columns and not line.startswith("  block #"):
            raise Failed(f"{width_of(line)} columns, not {columns}: {line}")


def check_lost_update(t):
    text = ESCAPE.sub("", t.report("lost_update.c"))
    trace = rows(text)
    if len(trace) > 15:
        raise Failed(f"the trace has {len(trace)} lines:\n{text}")
    both_read = [line for line in trace if "read x → 0" in line]
    both_write = [line for line in trace if "write x = 1" in line]
    if len(both_read) != 2 or len(both_write) != 2 or "read x → 1" not in trace[-2]:
        raise Failed(f"the lost update is not shown:\n{text}")
    if "atomic_load(&x)" not in trace[-1]:
        raise Failed(f"the source is not shown:\n{text}")


def check_deadlock(t):
    text = ESCAPE.sub("", t.report("two_locks.c"))
    waits = [line for line in rows(text) if "blocked locking" in line]
    if len(waits) != 2 or not all(re.search(r"locking [ab], held by thread [12]", w) for w in waits):
        raise Failed(f"locks and holders are not named:\n{text}")


def check_plain_output(t):
    """No colour but in terminals, and not there if NO_COLOR is set; ASCII without UTF-8."""
    if "\033" in t.piped("lost_update.c").stdout:
        raise Failed("there is colour in a pipe")
    if "\033" in t.report("lost_update.c", env=environment(NO_COLOR="1")):
        raise Failed("there is colour in spite of NO_COLOR")
    if "→" not in t.piped("lost_update.c").stdout:
        raise Failed("there are no arrows though the locale has them")
    ascii_only = t.piped("lost_update.c", LC_ALL="C").stdout
    if not ascii_only.isascii() or "read x -> 0" not in ascii_only:
        raise Failed(f"this is not ASCII:\n{ascii_only}")


def check_widths(t):
    """COLUMNS counts, and whatever the width, nothing is wider; in the narrowest, each row names its
    thread."""
    for name in ("fib_bench_reached.c", "two_locks.c", "treiber_free.cpp"):
        for columns in (40, 50, 60, 72, 80, 100, 133, 200, 300):
            check_width(t.piped(name, COLUMNS=str(columns)).stdout, columns)
    narrow = rows(t.piped("treiber_free.cpp", COLUMNS="40").stdout)
    if not any(re.search(r"thread 1: read top", line) for line in narrow):
        raise Failed("the thread is not named:\n" + "\n".join(narrow))
    for odd in ("0", "x", "-3", "99999999999999999999"):
        check_width(t.piped("lost_update.c", COLUMNS=odd).stdout, 1000)


def check_hostile_source(t):
    """A line of source cannot do anything to the terminal."""
    name = "hostile.c"
    text = program_files.find("lost_update.c").read_text(encoding="utf-8")
    (t.directory / name).write_text(
        text.replace("assert(", "/* \033[31m\a\u202e */ assert(", 1), encoding="utf-8")
    built = run([t.heddle, "cc", name, "-o", "hostile"], t.directory)
    if built.returncode != 0:
        raise Failed(built.stderr)
    out = run([t.heddle, "run", "./hostile"], t.directory, environment(COLUMNS="200")).stdout
    if "\033" in out or "\a" in out or "\u202e" in out or "[31m" not in out:
        raise Failed(f"control characters are shown: {out!r}")


def switches(schedule):
    threads = [move.split(".")[0] for move in schedule.split(":")[1].split("|")[0].split()]
    return sum(a != b for a, b in zip(threads, threads[1:]))


def check_minimised(t):
    """However it was found, a lost update takes this: main, first, second, first, main."""
    program = t.build("lost_update.c")
    for seed in range(1, 9):
        out = run([t.heddle, "run", program, "--json", "--order", "random", "--seed", str(seed)], t.directory)
        found = json.loads(out.stdout)["findings"][0]
        if switches(found["schedule"]) > 4:
            raise Failed(f"seed {seed}: {found['schedule']}")


ENDS_BADLY = """#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
static atomic_int x, y;
static void* first(void* p) { for (int k = 0; k < 3; ++k) ++y; x = 1; return p; }
static void* second(void* p) { for (int k = 0; k < 3; ++k) ++y; if (x) END; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  return pthread_join(b, 0);
}
"""


def check_minimised_ends(t):
    """So are runs that kill the process, and those that are too long: main, first, main, second."""
    (t.directory / "ends.c").write_text(ENDS_BADLY, encoding="utf-8")
    for kind, end in ("died", "raise(SIGKILL)"), ("endless", "for (;;) ++y"):
        built = run([t.heddle, "cc", "ends.c", f"-DEND={end}", "-o", kind], t.directory)
        if built.returncode != 0:
            raise Failed(built.stderr)
        for seed in range(1, 5):
            out = run([t.heddle, "run", f"./{kind}", "--json", "--order", "random", "--seed",
                       str(seed), "--max-steps", "500"], t.directory)
            found = json.loads(out.stdout)["findings"][0]
            if found["kind"] != kind or switches(found["schedule"]) > 3:
                raise Failed(f"{kind}, seed {seed}: {found}")
            again = run([t.heddle, "replay", f"./{kind}", "--json"], t.directory)
            if not json.loads(again.stdout)["as_expected"]:
                raise Failed(f"{kind}, seed {seed}: the replay differs: {again.stdout}")


def check_replay(t):
    shown = t.piped("use_after_free.c")
    file = t.directory / "use_after_free.failure"
    if f"to replay: heddle replay ./use_after_free {file.name}" not in shown.stdout:
        raise Failed(f"how to replay it is not said:\n{shown.stdout}")
    again = run([t.heddle, "replay", "./use_after_free", file.name], t.directory)
    if again.returncode != 1 or rows(again.stdout) != rows(shown.stdout) or again.stderr:
        raise Failed(f"the replay differs:\n{again.stdout}{again.stderr}")
    default = run([t.heddle, "replay", "./use_after_free"], t.directory)
    if default.stdout != again.stdout:
        raise Failed("by default, another file is read")
    verbose = run([t.heddle, "replay", "./use_after_free", "--verbose"], t.directory).stdout
    if "create thread 1" not in verbose or "\n  thread 0:\n    main  /" not in verbose:
        raise Failed(f"verbose leaves something out:\n{verbose}")


def check_other_build(t):
    """Another build is tried, and the user is told."""
    t.piped("lost_update.c")
    source = program_files.find("lost_update.c").read_text(encoding="utf-8")
    work = t.directory / "other"
    work.mkdir()
    shutil.copy(t.directory / "lost_update.failure", work)
    (work / "lost_update.c").write_text(source + "\n\n", encoding="utf-8")
    run([t.heddle, "cc", "-DOTHER", "-O2", "lost_update.c", "-o", "lost_update"], work)
    again = run([t.heddle, "replay", "./lost_update"], work)
    if "not the build that failed" not in again.stderr or again.returncode not in (0, 1, 2):
        raise Failed(f"status {again.returncode}: {again.stdout}{again.stderr}")


def check_damaged_files(t):
    """One clear line each, and status 2."""
    t.piped("lost_update.c")
    good = (t.directory / "lost_update.failure").read_text(encoding="utf-8")
    bad = t.directory / "bad.failure"
    schedule = next(line for line in good.splitlines() if line.startswith("schedule"))
    for text in ("", "heddle", good[:len(good) // 2], good.replace("heddle-failure 1", "x"),
                 good.replace(schedule, "schedule 9*3"), good.replace(schedule, "schedule 0*99"),
                 good.replace("finding assertion", "finding nothing")):
        bad.write_text(text, encoding="utf-8")
        out = run([t.heddle, "replay", "./lost_update", bad.name], t.directory)
        if out.returncode != 2 or out.stdout or out.stderr.count("\n") != 1:
            raise Failed(f"{text!r}: status {out.returncode}: {out.stdout}{out.stderr}")
    out = run([t.heddle, "replay", "./lost_update", "absent.failure"], t.directory)
    if out.returncode != 2 or "absent.failure" not in out.stderr:
        raise Failed(f"status {out.returncode}: {out.stderr}")


def check_no_room(t):
    """The finding is shown, one line says why there is no file, and how to replay it without."""
    program = t.build("lost_update.c")
    out = run([t.heddle, "run", program], "/proc")
    if out.returncode != 1 or "assertion" not in out.stdout or out.stderr.count("\n") != 1:
        raise Failed(f"status {out.returncode}: {out.stdout}{out.stderr}")
    if "cannot write 'lost_update.failure'" not in out.stderr:
        raise Failed(out.stderr)
    if "--schedule 'heddle-schedule 1:" not in out.stdout:
        raise Failed(f"it cannot be replayed:\n{out.stdout}")


LIBRARY = """#include <pthread.h>
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
void enter(void) { pthread_mutex_lock(&inner); }
void leave(void) { pthread_mutex_unlock(&inner); }
"""
USES_LIBRARY = """#include <assert.h>
#include <pthread.h>
void enter(void); void leave(void);
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static void* first(void* p) {
  enter();
  pthread_mutex_lock(&outer); pthread_mutex_unlock(&outer);
  leave();
  return p;
}
int main(void) {
  pthread_t t;
  enter(); leave();
  enter(); leave();
  pthread_create(&t, 0, first, 0);
#ifdef DEADLOCK
  pthread_mutex_lock(&outer);
  enter(); leave();
  pthread_mutex_unlock(&outer);
#endif
  pthread_join(t, 0);
#ifndef DEADLOCK
  assert(0);
#endif
}
"""


def check_library_steps(t):
    """What a library does to its own is left out, but not if a deadlock is about it."""
    work = t.directory / "library"
    work.mkdir()
    (work / "library.c").write_text(LIBRARY, encoding="utf-8")
    (work / "user.c").write_text(USES_LIBRARY, encoding="utf-8")
    run(["cc", "-c", "library.c"], work)
    shown = run([t.heddle, "check", "user.c", "library.o"], work).stdout
    trace = "\n".join(rows(shown))
    if "inner" in trace or "… 4 events in libraries" not in trace or "lock outer" not in trace:
        raise Failed(f"steps of the library:\n{shown}")
    verbose = run([t.heddle, "replay", "./user.heddle", "--verbose"], work).stdout
    if verbose.count(" lock inner") != 3 or "in libraries" in verbose:
        raise Failed(f"verbose leaves something out:\n{verbose}")
    shown = run([t.heddle, "check", "-DDEADLOCK", "user.c", "library.o"], work).stdout
    trace = "\n".join(rows(shown))
    if "blocked locking inner, held by thread 1" not in trace or " lock inner" not in trace:
        raise Failed(f"the deadlock is not shown:\n{shown}")


def check_test_framework(t):
    """GoogleTest's own locks and counters are left out."""
    shutil.copy(ROOT / "examples/native/queue-test.cpp", t.directory)
    built = run([t.heddle, "c++", "-std=c++20", "queue-test.cpp", "-o", "queue-test",
                 "-lgtest_main", "-lgtest"], t.directory)
    if built.returncode != 0:
        raise Failed(built.stderr)
    shown = run([t.heddle, "run", "./queue-test", "--", "--gtest_throw_on_failure",
                 "--gtest_catch_exceptions=0"], t.directory).stdout
    trace = rows(shown)
    steps = [line for line in trace[2:] if re.match(r" +\d+  ", line)]
    if not steps or not all("lock queue.mutex_" in line for line in steps):
        raise Failed(f"there are other steps than those of the test:\n{shown}")
    if "✗ terminate" not in trace[-1] or "events in libraries" not in trace[-2]:
        raise Failed(f"the end is not shown:\n{shown}")


CHECKS = [check_lost_update, check_deadlock, check_plain_output, check_widths, check_hostile_source,
          check_minimised, check_minimised_ends, check_replay, check_other_build, check_damaged_files, check_no_room,
          check_library_steps, check_test_framework]


def main():
    if len(sys.argv) < 2 or sys.argv[2:] not in ([], ["--update"]):
        print(__doc__, file=sys.stderr)
        return 2
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        t = Tester(Path(sys.argv[1]).resolve(), Path(name).resolve(), len(sys.argv) == 3)
        todo = [(f"{program} {columns}", lambda p=program, o=options, c=columns: t.check_golden(p, o, c))
                for program, options in SHOWN for columns in (80, 200)]
        todo += [(check.__name__, lambda c=check: c(t)) for check in CHECKS]
        for title, check in todo:
            try:
                check()
            except (Failed, OSError, ValueError, subprocess.TimeoutExpired) as error:
                failures += 1
                print(f"FAIL  {title}: {error}")
    print(f"{len(todo)} checks, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
