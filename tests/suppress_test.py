#!/usr/bin/env python3
"""Data races that are suppressed: none is reported that is, all that are not are, and what a
suppressed race leads to is explored.

usage: suppress_test.py HEDDLE
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

# Two threads of legacy code race with each other and, if there are some, with others. All of them
# race at the same place, with the same memory.
COUNTER = r"""
#include <assert.h>
#include <pthread.h>
int counter;
static void bump(void) { counter = counter + 1; }
static void *legacy_work(void *p) { bump(); return p; }
static void *fresh_work(void *p) { bump(); return p; }
int main(void) {
  pthread_t t[4];
  int n = 0;
  for (int i = 0; i < LEGACY; ++i) pthread_create(&t[n++], 0, legacy_work, 0);
  for (int i = 0; i < FRESH; ++i) pthread_create(&t[n++], 0, fresh_work, 0);
  while (n > 0) pthread_join(t[--n], 0);
  assert(counter > WRONG);
  return 0;
}
"""

# The first race of the run is suppressed, the second is not.
TWO = r"""
#include <pthread.h>
int noise, wanted;
static void log_it(void) { ++noise; }
static void *work(void *p) { log_it(); ++wanted; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""

# The same stacks race with two variables.
SAME = r"""
#include <pthread.h>
int noise, wanted;
static void *work(void *p) {
  int *const all[] = {&noise, &wanted};
  for (int i = 0; i < 2; ++i) ++*all[i];
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""

# A use of what another thread frees: that it may come too late stays a finding.
FREED = r"""
#include <pthread.h>
#include <stdlib.h>
static int *shared;
static void *careless(void *p) { *shared = 1; return p; }
int main(void) {
  pthread_t a;
  shared = malloc(sizeof *shared);
  pthread_create(&a, 0, careless, 0);
  free(shared);
  pthread_join(a, 0);
  return 0;
}
"""

LIBRARY = r"""
#include <cassert>
#include <locale>
#include <regex>
#include <sstream>
#include <thread>
static int text(const char* s) {
  const auto& facet = std::use_facet<std::ctype<char>>(std::locale());
  std::ostringstream out;
  out << facet.widen('a') << facet.narrow('b', '?') << std::endl;
  return std::regex_match(s, std::regex("[a-c]+x")) && out.str() == "ab\n";
}
int main() {
  std::thread t([] { assert(text("abx")); });
  assert(text("cx"));
  t.join();
}
"""

MODES = [["--algorithm", "source"], ["--algorithm", "optimal"], [], ["--order", "random"],
         ["--savepoints", "always", "--repeat-every", "1"], ["--savepoints", "never"],
         ["--isolate", "fork"], ["--keep-going"]]


class Test:
    def __init__(self, heddle, directory):
        self.heddle = heddle
        self.directory = Path(directory)
        self.failures = 0

    def run(self, *words):
        return subprocess.run([self.heddle, *map(str, words)], cwd=self.directory,
                              capture_output=True, text=True)

    def build(self, name, source, *flags):
        suffix = ".cpp" if "#include <thread>" in source else ".c"
        (self.directory / (name + suffix)).write_text(source)
        built = self.run("c++" if suffix == ".cpp" else "cc", *flags, name + suffix, "-o", name)
        assert built.returncode == 0, built.stderr

    def suppressions(self, text, name="s.supp"):
        (self.directory / name).write_text(text)
        return name

    def expect(self, what, got, wanted):
        if got != wanted:
            self.failures += 1
            print(f"{what}: expected {wanted}, got {got}")

    def explore(self, program, text, *options):
        """The verdict or the kinds of the findings, and what was suppressed."""
        words = [] if text is None else ["--suppress", self.suppressions(text)]
        done = self.run("run", f"./{program}", "--json", *words, *options)
        if done.returncode == 2:
            return done.stderr.strip(), []
        result = json.loads(done.stdout)
        kinds = {f["kind"] for f in result["findings"]}
        return " ".join(sorted(kinds)) or result["verdict"], result["suppressed"]

    def counters(self):
        for name, legacy, fresh, wrong in [("two", 2, 0, 0), ("lost", 2, 0, 1), ("mixed", 1, 2, 0)]:
            self.build(name, COUNTER, f"-DLEGACY={legacy}", f"-DFRESH={fresh}", f"-DWRONG={wrong}")
        self.expect("no suppression", self.explore("two", None)[0], "data-race")
        for mode in MODES:
            verdict, by = self.explore("two", "# known\n\n  race:legacy_work\n", *mode)
            self.expect(f"suppressed {mode}", verdict, "verified")
            self.expect("by", [(s["from"], s["pattern"]) for s in by],
                        [("s.supp:3", "race:legacy_work")])
            # What it leads to is there: a lost update.
            self.expect(f"lost update {mode}", self.explore("lost", "race:legacy_work", *mode)[0],
                        "assertion")
            # Those that race with each other are not meant.
            self.expect(f"others {mode}", self.explore("mixed", "race:legacy_work", *mode)[0],
                        "data-race")

    def patterns(self):
        for text, suppressed in [
                ("race:bump", True), ("race_top:bump", True), ("race_top:legacy", False),
                ("race:^legacy", True), ("race:^gacy", False), ("race:l*k$", True),
                ("race:legacy$", False), ("race:^counter$", True), ("race_top:counter", False),
                ("race:two.c", True), ("race:other.c", False), ("race:^bump$\nrace:x", True),
                ("race:nothing", False), ("called_from_lib:libfoo.so", False), ("", False)]:
            self.expect(text, self.explore("two", text)[0],
                        "verified" if suppressed else "data-race")
        files = self.suppressions("race:nothing", "a.supp") + "," + self.suppressions("race:bump")
        done = self.run("run", "./two", "--suppress", files)
        self.expect("two files", "suppressed races: 2 (by s.supp:1 race:bump)" in done.stdout
                    or done.stdout, True)

    def mistakes(self):
        for text, message in [("race:x\nrice:y", "s.supp:2: unknown kind of suppression 'rice'"),
                              ("race", "s.supp:1: expected KIND:PATTERN"),
                              ("\nrace:  ", "s.supp:2: missing pattern")]:
            said = self.explore("two", text)[0]
            self.expect(text, message in said or said, True)
        done = self.run("run", "./two", "--suppress", "absent.supp")
        self.expect("no such file", done.returncode, 2)
        done = self.run("run", "./two", "--suppress",
                        self.suppressions("race:bump\ndeadlock:legacy"))
        self.expect("not applied", "warning: s.supp:2: 'deadlock:legacy' is not applied"
                    in done.stdout or done.stdout, True)

    def others(self):
        self.build("races", TWO)
        self.expect("the second", self.explore("races", "race:^wanted$")[0], "data-race")
        self.expect("the first", self.explore("races", "race:log_it")[0], "data-race")
        self.expect("both", self.explore("races", "race:work")[0], "verified")
        self.build("same", SAME)
        self.expect("a variable", self.explore("same", "race:^noise$")[0], "data-race")
        self.expect("both", self.explore("same", "race:^noise$\nrace:^wanted$")[0], "verified")
        self.build("freed", FREED)
        self.expect("freed", self.explore("freed", "race:careless")[0], "use-after-free")
        self.build("library", LIBRARY, "-std=c++20")
        verdict, by = self.explore("library", None)
        self.expect("libstdc++", verdict, "verified")
        self.expect("libstdc++", {s["from"] for s in by}, {"the built-in list"})

    def replays(self):
        file = self.suppressions("race:legacy_work", "with space.supp")
        self.run("run", "./lost", "--suppress", file)
        done = self.run("replay", "./lost")
        self.expect("replay", "counter > WRONG" in done.stdout or done.stdout + done.stderr, True)
        self.expect("replay", done.returncode, 1)
        self.run("run", "./two", "--suppress", file, "--executions", 2, "--checkpoint", "c")
        done = self.run("run", "./two", "--resume", "c", "--json")
        result = json.loads(done.stdout)
        self.expect("resumed", result["verdict"], "verified")
        whole = self.run("run", "./two", "--suppress", file, "--json")
        self.expect("resumed", result["executions"], json.loads(whole.stdout)["executions"])


def main():
    with tempfile.TemporaryDirectory() as directory:
        test = Test(str(Path(sys.argv[1]).resolve()), directory)
        for part in (test.counters, test.patterns, test.mistakes, test.others, test.replays):
            part()
    if test.failures:
        sys.exit(f"{test.failures} failures")


if __name__ == "__main__":
    main()
