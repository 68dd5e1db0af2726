#!/usr/bin/env python3
"""Several engines: what they report does not depend on their number, whatever happens to them.

usage: parallel_test.py HEDDLE
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "bench/programs"
HEDDLE = None


def run(*arguments, status=None, cwd=None):
    done = subprocess.run([HEDDLE, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          check=False)
    if status is not None:
        assert done.returncode == status, (arguments, done)
    return done


def result(*arguments, status=0, cwd=None):
    return json.loads(run(*arguments, "--json", status=status, cwd=cwd).stdout)


def counts(out):
    return {key: out[key] for key in ("verdict", "complete", "executions", "blocked")}


def whole(out):
    return counts(out) | {
        "outcomes": out["outcomes"],
        "findings": sorted((f["kind"], f["message"]) for f in out["findings"])}


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp())

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)

    def build(self, source, name, *flags):
        program = self.directory / name
        compiler = ["cc"] if str(source).endswith(".c") else ["c++", "-std=c++20"]
        run(*compiler, *flags, "-I", ROOT / "include", source, "-o", program, status=0)
        return program


class Models(Case):
    def test_any_number(self):
        # Each takes more than the moment for which one engine explores alone.
        for words in (["lastzero", "--size", "13"], ["readers", "--size", "15"],
                      ["floatingread", "--size", "8"], ["indexer", "--size", "15"]):
            for algorithm in ("optimal", "observers"):
                alone = result("model", *words, "--algorithm", algorithm, "-j", "1")
                for jobs in "2", "5":
                    out = result("model", *words, "--algorithm", algorithm, "-j", jobs)
                    for key in ("executions", "blocked", "transitions", "outcomes", "deadlocks",
                                "failures", "complete"):
                        self.assertEqual(out[key], alone[key], (words, algorithm, jobs, key))

    def test_limit(self):
        out = result("model", "readers", "--size", "15", "--executions", "20000", "-j", "3",
                     status=3)
        self.assertEqual(out["executions"] + out["blocked"], 20000)

    def test_memory_is_bounded(self):
        def peak(size, status):
            return result("model", "lastzero", "--size", size, "--algorithm", "optimal", "-j", "1",
                          "--executions", "200000", status=status)["peak_rss_kb"]

        # AddressSanitizer would keep what is freed.
        options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        with unittest.mock.patch.dict(os.environ, ASAN_OPTIONS=options):
            self.assertLess(peak("17", 3) - peak("5", 0), 92_000)

    def test_verbose(self):
        done = run("model", "readers", "--size", "15", "-j", "2", "--verbose", status=0)
        self.assertRegex(done.stderr, r"^heddle: 2 engines, \d+ parts; \d+ runs thrown away")


    def test_default(self):
        words = [HEDDLE, "model", "readers", "--size", "15", "--verbose"]
        for jobs, engines in ("3", 3), ("", len(os.sched_getaffinity(0))):
            done = subprocess.run(words, env=dict(os.environ, HEDDLE_JOBS=jobs), text=True,
                                  capture_output=True, check=True)
            self.assertTrue(done.stderr.startswith(f"heddle: {engines} engine"), done.stderr)
        wrong = subprocess.run(words, env=dict(os.environ, HEDDLE_JOBS="many"), text=True,
                               capture_output=True, check=False)
        self.assertEqual((wrong.returncode, "HEDDLE_JOBS" in wrong.stderr), (2, True))


class Compiled(Case):
    def test_any_number(self):
        for source, name, flags in (
                (PROGRAMS / "floatingread.c", "floatingread", ["-DN=7"]),
                (PROGRAMS / "treiber_stack.cpp", "treiber", ["-DN=3"]),
                (PROGRAMS / "lastzero.c", "lastzero", ["-DN=11"])):
            program = self.build(source, name, *flags)
            for algorithm in ("optimal", "observers"):
                alone = result("run", program, "--algorithm", algorithm, "-j", "1")
                self.assertEqual(alone["verdict"], "verified")
                for jobs in "2", "4":
                    out = result("run", program, "--algorithm", algorithm, "-j", jobs)
                    self.assertEqual(whole(out), whole(alone), (name, algorithm, jobs))

    def test_processors(self):
        """Engines stay on one processor each; the program is told of all."""
        source = self.directory / "processors.c"
        source.write_text("""
            #define _GNU_SOURCE
            #include <assert.h>
            #include <pthread.h>
            #include <sched.h>
            #include <stdatomic.h>
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            #define N 8
            atomic_int cell;
            void* set(void* n) { cell = (int)(long)n; return n; }
            int main(int argc, char** argv) {
              cpu_set_t told, one;
              assert(sched_getaffinity(0, sizeof told, &told) == 0);
              assert(CPU_COUNT(&told) == atoi(argv[1]));
              assert(syscall(SYS_sched_getaffinity, 0, sizeof told, &told) > 0);
              assert(CPU_COUNT(&told) == atoi(argv[1]));
              assert(pthread_getaffinity_np(pthread_self(), sizeof told, &told) == 0);
              assert(CPU_COUNT(&told) == atoi(argv[1]));
              CPU_ZERO(&one);
              for (int k = 0; !CPU_COUNT(&one); ++k) if (CPU_ISSET(k, &told)) CPU_SET(k, &one);
              assert(sched_setaffinity(0, sizeof one, &one) == 0);
              assert(sched_getaffinity(0, sizeof told, &told) == 0 && CPU_EQUAL(&told, &one));
              pthread_t t[N];
              for (long k = 0; k < N; ++k) pthread_create(&t[k], 0, set, (void*)k);
              for (int k = 0; k < N; ++k) pthread_join(t[k], 0);
            }""")
        program = self.build(source, "processors", "-O1")
        all_of_them = len(os.sched_getaffinity(0))
        for jobs in 1, max(all_of_them, 2):
            done = run("run", "--algorithm", "optimal", "-j", jobs, "--verbose", program,
                       all_of_them, status=0)
            self.assertRegex(done.stderr, f"^heddle: {jobs} engine")

    def finding(self):
        """A program with many runs, two findings, and both of them late."""
        source = self.directory / "late.c"
        source.write_text("""
            #include <assert.h>
            #include <pthread.h>
            #include <stdatomic.h>
            #include <heddle/heddle.h>
            static atomic_int x, y, seen;
            static void* adds(void* n) {
              for (int k = 0; k < 5; ++k) atomic_fetch_add(&x, 1), atomic_store(&y, (int)(long)n);
              return 0;
            }
            static void* reads(void* unused) {
              seen = atomic_load(&x) * 10 + atomic_load(&y);
              return unused;
            }
            int main(void) {
              pthread_t t[3];
              pthread_create(&t[0], 0, adds, (void*)1);
              pthread_create(&t[1], 0, adds, (void*)2);
              pthread_create(&t[2], 0, reads, 0);
              for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
              heddle_outcome((unsigned long)seen);
              assert(seen != 91);
              assert(seen != 82);
            }
        """, encoding="utf-8")
        return self.build(source, "late")

    def test_findings(self):
        program = self.finding()
        every = result("run", program, "--keep-going", "-j", "1", status=1)
        self.assertGreater(len(every["findings"]), 1)
        for jobs in "2", "4":
            out = result("run", program, "--keep-going", "-j", jobs, status=1)
            self.assertEqual(whole(out), whole(every))
        first = result("run", program, "-j", "1", status=1)
        for jobs in "2", "4":
            out = result("run", program, "--deterministic", "-j", jobs, status=1)
            self.assertEqual(out["findings"][0]["schedule"], first["findings"][0]["schedule"])
            self.assertEqual(whole(out), whole(first))

    def test_resumed_with_another_number(self):
        program = self.build(PROGRAMS / "floatingread.c", "resumed", "-DN=7")
        checkpoint = self.directory / "checkpoint"
        words = ["run", program, "--checkpoint", checkpoint, "--executions", "15000"]
        out = result(*words, "--algorithm", "optimal", "-j", "3", status=3)
        self.assertEqual(out["executions"], 15000)
        more = words + ["--resume", checkpoint]
        for jobs in "1", "2", "3", "1":
            if not checkpoint.exists():
                break
            out = json.loads(run(*more, "-j", jobs, "--json").stdout)
        out = result("run", program, "--resume", checkpoint) if checkpoint.exists() else out
        self.assertEqual(counts(out), {"verdict": "verified", "complete": True,
                                       "executions": 40320, "blocked": 0})

    def test_engines_that_are_killed(self):
        program = self.build(PROGRAMS / "floatingread.c", "killed", "-DN=8")
        with subprocess.Popen([HEDDLE, "run", program, "--algorithm", "optimal", "-j", "3",
                               "--json"], stdout=subprocess.PIPE, text=True) as heddle:
            kills = threading.Thread(target=self.disturb, args=(heddle,))
            kills.start()
            out = json.loads(heddle.communicate()[0])
            kills.join()
        self.assertEqual(counts(out), {"verdict": "verified", "complete": True,
                                       "executions": 362880, "blocked": 0})

    @staticmethod
    def disturb(heddle):
        """Kills engines and stops them, one after the other, as long as there are some."""
        tried = set()
        while heddle.poll() is None and len(tried) < 6:
            try:
                children = Path(f"/proc/{heddle.pid}/task/{heddle.pid}/children").read_text(
                    encoding="utf-8").split()
            except OSError:
                return
            for pid in map(int, children):
                try:
                    name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
                    if name == "heddle" and pid not in tried:
                        tried.add(pid)
                        os.kill(pid, signal.SIGSTOP if len(tried) % 3 == 0 else signal.SIGKILL)
                        break
                except OSError:
                    pass


class Merging(Case):
    """Parts have states in common, so counts do not add up. What is found does."""

    def found(self, out):
        return {"verdict": out["verdict"], "complete": out["complete"],
                "outcomes": {(o["value"], o["finding"]) for o in out["outcomes"]},
                "findings": sorted((f["kind"], f["message"]) for f in out["findings"])}

    def in_files(self, program, parts, *more):
        """What parts that are explored by themselves add up to."""
        lines = run("split", program, "-n", parts, "--algorithm", "merging", *more,
                    status=0).stdout.splitlines()
        files = []
        for number, line in enumerate(lines):
            files.append(self.directory / f"merging-{number}.json")
            done = run("run", program, "--cube", line, "--json", "--keep-going", cwd=self.directory)
            files[-1].write_text(done.stdout, encoding="utf-8")
        merged = json.loads(run("merge", *files, "--json").stdout)
        self.assertEqual(merged["cubes"], len(lines))
        return merged

    def alone(self, program, *more):
        return json.loads(run("run", program, "--algorithm", "merging", "--keep-going", "-j", "1",
                              *more, "--json", cwd=self.directory).stdout)

    def test_models(self):
        # There is nothing to merge in this one, so that others soon help.
        words = ["model", "readers", "--size", "15", "--algorithm", "merging"]
        alone = result(*words, "-j", "1")
        for jobs in "2", "5":
            out = result(*words, "-j", jobs)
            for key in "outcomes", "deadlocks", "failures", "complete":
                self.assertEqual(out[key], alone[key], (jobs, key))
        done = run(*words, "-j", "2", "--verbose", status=0)
        self.assertRegex(done.stderr, r"^heddle: 2 engines, ([2-9]|\d\d+) parts; ")

    def test_any_number(self):
        program = self.build(PROGRAMS / "lastzero.c", "lastzero", "-DN=11")
        alone = self.alone(program)
        self.assertEqual((alone["verdict"], alone["parts"]), ("verified", 1))
        out = result("run", program, "--algorithm", "merging", "-j", "3")
        self.assertEqual(self.found(out), self.found(alone))

    def test_files(self):
        for source, name, flags in ((PROGRAMS / "boundedbuffer.c", "buffer", ["-DN=6"]),
                                    (PROGRAMS / "treiber_stack.cpp", "stack", ["-DN=2"]),
                                    (PROGRAMS / "thread_pool.cpp", "pool", ["-DN=1"]),
                                    (PROGRAMS / "floatingread.c", "float", ["-DN=5", "-DDIF"])):
            program = self.build(source, name, *flags)
            alone = self.alone(program)
            self.assertEqual(alone["verdict"], "verified")
            for parts in "2", "7":
                self.assertEqual(self.found(self.in_files(program, parts)), self.found(alone), name)

    def test_findings(self):
        program = Compiled.finding(self)
        alone = self.alone(program)
        self.assertGreater(len(alone["findings"]), 1)
        self.assertEqual(self.found(self.in_files(program, "5")),
                         self.found(alone) | {"complete": False})

    def test_data_races_behind_known_states(self):
        """Both orders of the critical sections lead to one state, and one has the race."""
        source = self.directory / "behind.c"
        source.write_text("""
            #include <pthread.h>
            #include <stdatomic.h>
            static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
            static int u;
            static volatile int sink;
            static atomic_int x;
            static void* p(void* a) {
              pthread_mutex_lock(&m); sink = u; pthread_mutex_unlock(&m);
              return a;
            }
            static void* q(void* a) {
              pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
              atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
              u = 1;
              return a;
            }
            static void* adds(void* a) { atomic_fetch_add(&x, 1); return a; }
            int main(void) {
              pthread_t t[3];
              pthread_create(&t[0], 0, p, 0);
              pthread_create(&t[1], 0, q, 0);
              pthread_create(&t[2], 0, adds, 0);
              for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
            }
        """, encoding="utf-8")
        program = self.build(source, "behind", "-O1")
        alone = self.alone(program)
        self.assertEqual({f["kind"] for f in alone["findings"]}, {"data-race"})
        for parts in "2", "4", "8":
            merged = self.in_files(program, parts)
            self.assertEqual({f["kind"] for f in merged["findings"]}, {"data-race"})
            # Which of the two accesses comes first is no matter of the trace.
            pairs = [{frozenset([f["line"], *map(int, re.findall(r"c:(\d+)", f["message"]))])
                      for f in out["findings"]} for out in (merged, alone)]
            self.assertEqual(*pairs)

    def test_checkpoint(self):
        """What was complete is kept; a part that was being explored is begun again."""
        program = self.build(PROGRAMS / "lastzero.c", "checkpoint", "-DN=10")
        alone = self.alone(program)
        checkpoint = self.directory / "merging.checkpoint"
        # What takes longer than a twentieth of a second is split, so that something is kept.
        words = ["run", program, "--checkpoint", checkpoint, "--checkpoint-every", "0.05"]
        out = result(*words, "--algorithm", "merging", "--executions", "5000", "-j", "1", status=3)
        self.assertGreater(out["parts"], 1)
        self.assertGreater(out["open_states"], 0)
        for jobs in "1", "2":
            out = json.loads(run(*words, "--resume", checkpoint, "-j", jobs, "--executions", "1500",
                                 "--json").stdout)
        kept = result("run", program, "--resume", checkpoint, "-j", "2")
        self.assertEqual(self.found(kept), self.found(alone))

    def test_findings_of_a_part_that_is_begun_again(self):
        program = Compiled.finding(self)
        checkpoint = self.directory / "finding.checkpoint"
        words = ["run", program, "--checkpoint", checkpoint, "-j", "1"]
        wanted = len(self.alone(program)["findings"])
        run(*words, "--algorithm", "merging", status=1, cwd=self.directory)
        found = []
        for _ in range(wanted):
            out = result(*words, "--resume", checkpoint, status=1, cwd=self.directory)
            found.append(len(out["findings"]))
        self.assertEqual(found, [*range(2, wanted + 1), wanted])

    def test_killed_engines(self):
        program = self.build(PROGRAMS / "lastzero.c", "killed-merging", "-DN=11")
        alone = self.found(self.alone(program))
        with subprocess.Popen([HEDDLE, "run", program, "--algorithm", "merging", "-j", "3",
                               "--json"], stdout=subprocess.PIPE, text=True) as heddle:
            kills = threading.Thread(target=Compiled.disturb, args=(heddle,))
            kills.start()
            out = json.loads(heddle.communicate()[0])
            kills.join()
        self.assertEqual(self.found(out), alone)


class Chosen(Case):
    """--algorithm auto: two algorithms have turns, and the report says which one was complete."""

    def test_what_is_small_is_explored_with_observers(self):
        program = self.build(PROGRAMS / "floatingread.c", "small", "-DN=4")
        out = result("run", program, "--algorithm", "auto")
        self.assertEqual((out["algorithm"], out["chosen_by"]), ("observers", "auto"))
        self.assertEqual(whole(out), whole(result("run", program)))
        self.assertNotIn("chosen_by", result("run", program))
        shown = run("run", program, "--algorithm", "auto", status=0).stdout
        self.assertIn("(observers, chosen by auto)", shown)
        out = result("model", "pi", "--size", "4", "--algorithm", "auto", "--oracle")
        self.assertEqual((out["algorithm"], out["lost"]), ("observers", 0))

    def test_what_has_few_states_is_explored_with_merging(self):
        program = self.build(ROOT / "bench/native/mutex.c", "mutex", "-DN=6", "-DR=2")
        out = result("run", program, "--algorithm", "auto")  # of 7,484,400 traces
        self.assertEqual((out["algorithm"], out["verdict"]), ("merging", "verified"))
        self.assertLess(out["states"], 100_000)
        out = result("model", "pi", "--size", "12", "--algorithm", "auto")  # of 12!
        self.assertEqual((out["algorithm"], out["complete"]), ("merging", True))

    def test_stopped(self):
        program = self.build(ROOT / "bench/native/mutex.c", "large", "-DN=12", "-DR=9")
        checkpoint = self.directory / "chosen.checkpoint"
        for seconds in "1", "5":
            out = result("run", program, "--algorithm", "auto", "--time", seconds, "--checkpoint",
                         checkpoint, status=3)
            self.assertEqual(out["algorithm"], "observers")
            self.assertIn(f"the time limit of {seconds} s was reached: not every schedule was explored",
                          out["limits"])
        out = result("run", program, "--resume", checkpoint, "--executions", "10", status=3)
        self.assertEqual(out["algorithm"], "observers")
        out = result("run", program, "--algorithm", "auto", "--executions", "10", status=3)
        self.assertEqual((out["algorithm"], out["executions"]), ("observers", 10))

    def test_misuse(self):
        done = run("run", "absent", "--algorithm", "auto", "--broker", "redis://localhost", status=2)
        self.assertIn("'--broker' does not go with '--algorithm auto'", done.stderr)
        self.assertIn("invalid value 'auto'",
                      run("split", "absent", "--algorithm", "auto", status=2).stderr)


class Files(Case):
    def test_the_recipe_for_continuous_integration(self):
        """Runs the steps of the matrix that the documentation shows."""
        text = (ROOT / "docs/parallel.md").read_text(encoding="utf-8")
        workflow = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1]
        steps = [re.sub(r"^ +", "", block, flags=re.MULTILINE)
                 for block in re.findall(r"run: \|\n((?: {10}.*\n)+)", workflow)]
        self.assertEqual(len(steps), 3)
        (self.directory / "tests").mkdir()
        shutil.copy(PROGRAMS / "treiber_stack.cpp", self.directory / "tests/queue_test.cpp")
        shutil.copy(PROGRAMS / "section.h", self.directory / "tests")
        environment = dict(os.environ, PATH=f"{Path(HEDDLE).parent}:{os.environ['PATH']}")

        def shell(script, **more):
            done = subprocess.run(["bash", "-ec", script], cwd=self.directory, text=True,
                                  env=environment | more, capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done)
            return done.stdout

        shell(steps[0])
        cubes = len((self.directory / "cubes.jsonl").read_text(encoding="utf-8").splitlines())
        for cube in range(1, cubes + 1):
            shell(steps[1], CUBE=str(cube))
        report = shell(steps[2])
        alone = run("run", self.directory / "queue_test", "-j", "1", status=0).stdout
        self.assertEqual(re.match(r"verified: .*? events", report)[0],
                         re.match(r"verified: .*? events", alone)[0])

    def test_merge_wants_all_parts_once(self):
        program = self.build(PROGRAMS / "floatingread.c", "parts", "-DN=4")
        lines = run("split", program, "-n", "4", status=0).stdout.splitlines()
        files = []
        for number, line in enumerate(lines):
            files.append(self.directory / f"part-{number}.json")
            files[-1].write_text(run("run", program, "--cube", line, "--json").stdout,
                                 encoding="utf-8")
        alone = result("run", program, "-j", "1")
        merged = result("merge", *files)
        self.assertEqual(counts(merged), counts(alone))
        self.assertEqual(merged["outcomes"], alone["outcomes"])
        for wrong, message in ((files[1:], "have no result: 1"), (files + files[:1], "as well"),
                               ([PROGRAMS / "abs.c"], "not a result")):
            done = run("merge", *wrong, status=2)
            self.assertIn(message, done.stderr)
        other = run("split", program, "-n", "4", "--algorithm", "optimal", status=0)
        file = self.directory / "other.json"
        file.write_text(run("run", program, "--cube", other.stdout.splitlines()[0],
                            "--json").stdout, encoding="utf-8")
        self.assertIn("of another split", run("merge", files[1], file, status=2).stderr)

    def test_a_cube_of_another_program(self):
        program = self.build(PROGRAMS / "floatingread.c", "one", "-DN=3")
        other = self.build(PROGRAMS / "floatingread.c", "other", "-DN=4")
        line = run("split", program, "-n", "2", status=0).stdout.splitlines()[0]
        self.assertIn("another build", run("run", other, "--cube", line, status=2).stderr)
        for damaged in line[:-10], line.replace('"number":1', '"number":2'), "{}", "nothing:1":
            run("run", program, "--cube", damaged, status=2)

    def test_findings_are_merged(self):
        program = self.build(ROOT / "examples/native/lost-update.c", "race")
        lines = run("split", program, "-n", "4", "--races", "explore", status=0).stdout.splitlines()
        files = []
        for number, line in enumerate(lines):
            files.append(self.directory / f"finding-{number}.json")
            done = run("run", program, "--cube", line, "--json", cwd=self.directory)
            files[-1].write_text(done.stdout, encoding="utf-8")
        alone = result("run", program, "--races", "explore", "-j", "1", status=None,
                       cwd=self.directory)
        merged = json.loads(run("merge", *files, "--json").stdout)
        self.assertEqual(merged["verdict"], alone["verdict"])


if __name__ == "__main__":
    HEDDLE = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
