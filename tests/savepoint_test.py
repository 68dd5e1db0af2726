#!/usr/bin/env python3
"""Runs continue from savepoints: the beginning of the program is not run again, and nothing else
changes.

    savepoint_test.py HEDDLE
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

# (pwrite to a file that is appended to leaves its position alone, which belongs to the state.)
PROGRAM = r"""
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static int log_file;
__attribute__((constructor)) static void open_log(void) {
  log_file = open(getenv("LOG"), O_WRONLY | O_APPEND);
}

static atomic_int x;
static void* worker(void* argument) {
  int* sum = argument;
  for (int i = 0; i < 5; ++i) *sum += atomic_fetch_add(&x, 1);
  return 0;
}

int main(void) {
  if (pwrite(log_file, "b", 1, 0) != 1) return 1;
  int* sums = calloc(2, sizeof(int));
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, worker, &sums[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  if (pwrite(log_file, "e", 1, 0) != 1) return 1;
  const int all = sums[0] + sums[1];
  free(sums);
  return all != 45;
}
"""

# A file that is open cannot be put back to where it was.
OPEN_FILE = PROGRAM.replace("int* sums = calloc",
                            'int kept = open("/dev/null", O_RDONLY);\n  int* sums = calloc').replace(
                                "free(sums);", "close(kept);\n  free(sums);")


class Checker:
    def __init__(self, heddle, directory):
        self.heddle = heddle
        self.directory = Path(directory)
        self.failures = 0

    def expect(self, what, holds):
        print(("ok    " if holds else "FAIL  ") + what)
        self.failures += not holds

    def explore(self, source, *options):
        """What was found, how often main began and how often it came to its end."""
        file, program = self.directory / "program.c", self.directory / "program"
        log = self.directory / "log"
        file.write_text(source)
        log.write_text("")
        subprocess.run([self.heddle, "cc", file, "-o", program], check=True)
        result = subprocess.run([self.heddle, "run", program, "--json", "--algorithm", "optimal",
                                 *options], env=dict(os.environ, LOG=str(log)),
                                capture_output=True, text=True, check=False)
        out = json.loads(result.stdout)
        text = log.read_text()
        return out, text.count("b"), text.count("e")


def main():
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(Path(sys.argv[1]).resolve(), directory)
        seen = {}
        for when in ("never", "worthwhile", "always"):
            out, begun, ended = checker.explore(PROGRAM, "--savepoints", when)
            seen[when] = begun
            checker.expect(f"{when}: verified in 252 executions",
                           (out["verdict"], out["executions"]) == ("verified", 252))
            # One is made twice, and some before the number of threads is known.
            checker.expect(f"{when}: each run comes to its end: {ended}", ended == seen["never"])
        runs = seen["never"]
        checker.expect(f"never: each run begins at the beginning: {runs}", 253 <= runs <= 257)
        # How many depends on whether the next request is there in time.
        checker.expect(f"always: many do not: {seen['always']}", 2 <= seen["always"] <= .9 * runs)

        out, begun, _ = checker.explore(PROGRAM, "--savepoints", "always", "--repeat-every", "1")
        checker.expect(f"each run is repeated from the beginning: {begun}", begun >= 252)
        checker.expect("and does the same", out["verdict"] == "verified")

        out, begun, _ = checker.explore(OPEN_FILE, "--savepoints", "always")
        checker.expect(f"with an open file, all begin at the beginning: {begun}", begun == runs)
        checker.expect("and the verdict is the same",
                       (out["verdict"], out["executions"]) == ("verified", 252))
        return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
