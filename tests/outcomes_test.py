#!/usr/bin/env python3
"""What programs tell heddle_outcome: the same set with every algorithm, in every mode.

usage: outcomes_test.py HEDDLE
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "examples/native/store-buffering.c"

# It comes to its outcome, fails before it, or ends in a deadlock.
ENDS = r"""
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
atomic_int first;
void *crossed(void *p) {
  int none = 0;
  atomic_compare_exchange_strong(&first, &none, 2);
  pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return p;
}
void tell(void) { heddle_outcome((unsigned)first); }
int main(void) {
  pthread_t t;
  int none = 0;
  atexit(tell);
  pthread_create(&t, 0, crossed, 0);
  atomic_compare_exchange_strong(&first, &none, 1);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  pthread_join(t, 0);
  assert(first == 1);
  return 0;
}
"""

TWICE = r"""
#include <heddle/heddle.h>
int main(void) { heddle_outcome(1); heddle_outcome(1); return 0; }
"""

MODES = [["--algorithm", "none"], ["--algorithm", "source"], ["--algorithm", "optimal"], [],
         ["--order", "random"], ["--savepoints", "always", "--repeat-every", "1"],
         ["--savepoints", "never"], ["--isolate", "fork"], ["--all-visible"]]


def run(heddle, *words, cwd):
    return subprocess.run([heddle, *map(str, words)], cwd=cwd, capture_output=True, text=True)


def outcomes(heddle, program, *options, cwd):
    done = run(heddle, "run", program, "--json", "--keep-going", *options, cwd=cwd)
    result = json.loads(done.stdout)
    assert result["complete"], result
    assert sum(o["runs"] for o in result["outcomes"]) == result["executions"], result
    return {(o["value"], o["finding"]) for o in result["outcomes"]}


def main():
    heddle = str(Path(sys.argv[1]).resolve())
    failures = 0
    with tempfile.TemporaryDirectory() as directory:
        for name, text in [("ends.c", ENDS), ("twice.c", TWICE)]:
            Path(directory, name).write_text(text)
        cases = [
            (EXAMPLE, {(1, None), (10, None), (11, None)}),
            ("ends.c", {(1, None), (None, "assertion"), (None, "deadlock")}),
        ]
        for source, expected in cases:
            built = run(heddle, "cc", source, "-o", "program", cwd=directory)
            assert built.returncode == 0, built.stderr
            for mode in MODES:
                got = outcomes(heddle, "./program", *mode, cwd=directory)
                if got != expected:
                    failures += 1
                    print(f"{source} {mode}: expected {expected}, got {got}")
            # What was told before it was stopped is there when it is taken up again.
            run(heddle, "run", "./program", "--keep-going", "--executions", 1, "--checkpoint", "c",
                cwd=directory)
            got = outcomes(heddle, "./program", "--resume", "c", cwd=directory)
            if got != expected:
                failures += 1
                print(f"{source} resumed: expected {expected}, got {got}")
        twice = run(heddle, "check", "twice.c", cwd=directory)
        if twice.returncode != 2 or "second call of heddle_outcome" not in twice.stderr:
            failures += 1
            print(f"twice: {twice}")
    print(f"outcomes: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
