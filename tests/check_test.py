#!/usr/bin/env python3
"""heddle check and heddle compare: from files to a verdict, and every mistake on the way.

usage: check_test.py HEDDLE [unittest arguments]
"""

import json
import os
import subprocess

import command
from command import ROOT, Files, heddle, output

EXAMPLES = ROOT / "examples/native"
MAIN = "int main(void) { return 0; }\n"
C_PART = "int part(int x) { int class = x; return class; }\n"  # no C++
CXX_MAIN = """#include <thread>
extern "C" int part(int);
int main(int count, char**) {
  int sum = 0;
  std::jthread([&] { sum = part(count); }).join();
  return sum != count;
}
"""


class Directory(Files):
    """Runs heddle in the directory of the test."""

    def check(self, *arguments, status=0):
        return output("check", *arguments, status=status, cwd=self.directory)

    def result(self, *arguments, status=0):
        return json.loads(self.check("--json", *arguments, status=status))

    def refused(self, *arguments, says, name="check"):
        self.misuse(name, *arguments, says=says, cwd=self.directory)


class Check(Directory):
    def test_verdicts(self):
        fixed, wrong = EXAMPLES / "lost-update-fixed.c", EXAMPLES / "lost-update.c"
        self.assertIn("verified: 2 executions", self.check(fixed))
        shown = self.check(wrong, status=1)
        self.assertIn("[data-race]", shown)
        self.assertEqual(self.files(), ["lost-update-fixed.heddle", "lost-update.failure",
                                        "lost-update.heddle"])
        # What it says about running it again is true.
        line, = [row for row in shown.splitlines() if "to replay: " in row]
        again = line.split("to replay: ")[1].replace("heddle ", command.binary() + " ", 1)
        run = subprocess.run(again, shell=True, cwd=self.directory, capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"[data-race]", run.stdout)
        self.check(fixed, "--executions", "1", status=3)

    def test_names_of_variables_that_are_copied(self):
        # The system may write to memory of this program: its data is mapped from elsewhere.
        self.file("p.c", "#include <pthread.h>\n#include <sys/stat.h>\n"
                         "static int balance, zero, one = 1; static struct stat status;\n"
                         "static void* add(void* p) { balance++; return p; }\n"
                         "int main(void) { pthread_t s, t; stat(\"/\", &status);\n"
                         "  pthread_create(&s, 0, add, 0); pthread_create(&t, 0, add, 0);\n"
                         "  pthread_join(s, 0); return zero * one; }\n")
        self.assertIn("'balance'", self.check("p.c", status=1).splitlines()[0])

    def test_arguments_of_the_program_are_kept(self):
        self.file("p.c", "#include <stdlib.h>\n"
                         "int main(int n, char** a) { if (n == 3 && a[2][0] == '\\'') abort(); }\n")
        self.check("p.c", "--", "a b", "'", status=1)
        self.assertIn("[abort]", output("replay", "./p.heddle", status=1, cwd=self.directory))
        # Where the failure file cannot be written, the command has them.
        os.remove(os.path.join(self.directory, "p.failure"))
        os.mkdir(os.path.join(self.directory, "p.failure"))
        run = subprocess.run([command.binary(), "check", "p.c", "--", "a b", "'"],
                             cwd=self.directory, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn("cannot write 'p.failure'", run.stderr)
        self.assertIn(" -- 'a b' ", run.stdout)
        self.check("p.c")

    def test_output(self):
        self.file("p.c", MAIN)
        for option in ["-o", "here"], ["-ohere"], ["--output", "here"], ["--output=here"]:
            result = self.result("p.c", *option)
            self.assertEqual((result["program"], result["command"]), ("./here", "check"))
            self.assertEqual(self.files(), ["here", "p.c"])
            self.assertIn("verified", output("run", "here", cwd=self.directory))
            os.remove(os.path.join(self.directory, "here"))
        self.refused("p.c", "-o", "/nowhere/p", says="cannot write '/nowhere/p'")
        self.refused("p.c", "-o", self.directory, says="Is a directory")
        self.assertEqual(self.files(), ["p.c"])

    def test_languages_and_several_files(self):
        self.file("part.c", C_PART)
        self.file("main.cpp", CXX_MAIN)
        self.assertEqual(self.result("main.cpp", "part.c", "-std=c++20", "-std=c11", "-Wall",
                                     "-Werror", "-pedantic", "--", "x")["program"], "./main.heddle")
        # Objects and libraries stand where they were given.
        output("cc", "-c", "part.c", cwd=self.directory)
        self.check("part.o", "main.cpp", "-std=c++20")
        subprocess.run(["ar", "rcs", "libpart.a", "part.o"], cwd=self.directory, check=True)
        self.check("main.cpp", "-std=c++20", "-L", ".", "-lpart")
        self.check("main.cpp", "-std=c++20", "libpart.a", "-Wl,--as-needed", "-Xlinker", "-O1")
        output("c++", "-std=c++20", "-c", "main.cpp", cwd=self.directory)
        self.check("main.o", "part.o")

    def test_options_of_the_compiler(self):
        os.mkdir(os.path.join(self.directory, "sub dir"))
        self.file("sub dir/h.h", "#define FROM_HEADER 1\n")
        self.file("first.h", "#define FIRST 1\n")
        self.file("p.c", '#include "h.h"\n#if FROM_HEADER + FIRST + GIVEN != 3\n#error\n#endif\n'
                         "#ifdef GONE\n#error\n#endif\n"
                         "#include <heddle/heddle.h>\n#include <math.h>\n"
                         "int main(int n, char** a) { return (int)cos(n - 1) - 1; }\n")
        for include in ["-I", "sub dir"], ["-Isub dir"], ["-isystem", "sub dir"]:
            self.check(*include, "-DGIVEN=1", "-D", "GONE", "-UGONE", "-include", "first.h", "p.c",
                       "-O2", "-g", "-fno-builtin", "-pthread", "-lm", "--executions", "9")
        self.file("words", "-DGIVEN=1 -include first.h '-Isub dir' p.c -lm")
        self.check("@words", "-fno-builtin")

    def test_heddles_options_go_anywhere(self):
        self.file("p.c", "#include <stdlib.h>\nint main(int n, char** a) { if (n > 1) abort(); }\n")
        result = self.result("--algorithm", "optimal", "p.c", "--nondet", "-1,5", "-O2")
        self.assertEqual(result["algorithm"], "optimal")
        # Behind "--", nothing is heddle's or the compiler's.
        self.assertEqual(self.result("p.c", "--", "--json", "-c", status=1)["arguments"],
                         ["--json", "-c"])

    def test_what_does_not_compile(self):
        self.file("p.c", "int main(void) { return missing; }\n")
        self.file("good.c", "int f(void) { return 0; }\n")
        for files in ["p.c"], ["good.c", "p.c"]:
            run = heddle("check", *files, cwd=self.directory)
            self.assertEqual((run.returncode, run.stdout), (2, b""))
            self.assertIn(b"p.c:1:25: error: use of undeclared identifier 'missing'", run.stderr)
            self.assertTrue(run.stderr.endswith(b"heddle: 'p.c' does not compile\n"))
        self.file("link.c", "int other(void);\nint main(void) { return other(); }\n")
        run = heddle("check", "link.c", cwd=self.directory)
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        self.assertIn(b"undefined reference to `other'", run.stderr)
        self.assertTrue(run.stderr.endswith(b"heddle: the program cannot be linked\n"))
        self.assertEqual(self.files(), ["good.c", "link.c", "p.c"])

    def test_warnings_are_shown(self):
        self.file("p.c", "int main(void) { int unused; return 0; }\n")
        run = heddle("check", "-Wall", "p.c", cwd=self.directory)
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"unused variable", run.stderr)

    def test_threads_of_libraries(self):
        """What a library without hooks does is not held against the program."""
        self.file("library.c", """#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* differs) {
  FILE* runs = fopen("runs", "a");
  fputc('.', runs);
  long rounds = differs ? ftell(runs) : 3;
  fclose(runs);
  for (long k = 0; k < rounds; ++k) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
void start(int differs) {
  pthread_t t;
  pthread_create(&t, 0, work, differs ? "" : 0);
  pthread_join(t, 0);
}
""")
        self.file("p.c", "void start(int);\nint main(int n, char** v) { start(n > 1); return !v; }\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "library.c", "-o", "library.so"],
                       cwd=self.directory, check=True)
        limit = "threads of libraries that were not built with heddle are switched only where"
        self.assertIn(limit, self.check("p.c", "./library.so"))
        self.refused("p.c", "./library.so", "--repeat-every", "1", "--", "differs",
                     says=["a library that was not built with heddle starts threads"])

    def test_mistakes(self):
        self.file("p.c", MAIN)
        self.file("none.c", "int f(void) { return 1; }\n")
        self.file("h.h", "")
        self.refused(says="heddle check needs FILE...")
        self.refused("-O2", says="no input files")
        self.refused("absent.c", says="no such file: 'absent.c'")
        self.refused("p.c", "absent.o", says="no such file: 'absent.o'")
        self.refused(".", says="'.' is a directory")
        self.refused("none.c", says=["no function main in none.c"])
        for word in "-c", "-S", "-E", "h.h":
            self.refused("p.c", word, says="only whole programs can be explored")
        self.refused("p.c", "-shared", says="-shared: a library cannot be explored")
        self.refused("p.c", "-x", "c++", says="-x: the language of a file is that of its suffix")
        self.refused("p.c", "-static", says="-static")
        self.refused("p.c", "-fsanitize=thread", says="-fsanitize=thread")
        self.refused("p.c", "--algorithm", "merging-live", says=["invalid value 'merging-live' for '--algorithm'", "merging or auto"])
        self.refused("p.c", "--algorithm", "source", "--checkpoint", "p.checkpoint",
                     says="'--checkpoint' does not go with '--algorithm source'")
        self.refused("p.c", "--algorithm", "source", "--order", "random", says="for algorithms that can run in any order, not source")
        self.refused("p.c", "--max-steps", "0", says="invalid value '0' for '--max-steps' (expected a number from 1 to ")
        self.refused("p.c", "--nondet", "1,x", says="invalid value '1,x' for '--nondet'")
        self.refused("p.c", "--nondet", ",".join(["1"] * 65), says="for '--nondet' (expected at most 64 numbers")
        self.refused("p.c", "--json", "--executions", says="--executions")
        self.assertEqual(self.files(), ["h.h", "none.c", "p.c"])
        self.check("p.c")
        self.refused("p.heddle", says="'p.heddle' is an executable: heddle run explores it")

    def test_files_that_are_being_written(self):
        self.file("p.c", MAIN)
        self.check("p.c")
        program = os.path.join(self.directory, "p.heddle")
        # A process that was forked by the one that wrote it may have it open for a moment.
        with open(program, "r+b") as file:
            holder = subprocess.Popen(["sleep", "0.5"], pass_fds=[file.fileno()])
        self.assertIn("verified", output("run", program, status=0, cwd=self.directory))
        holder.wait()
        with open(program, "r+b"):
            self.refused(program, name="run", says="p.heddle' cannot be run: Text file busy "
                         "(another process has the file open for writing)")

    def test_nothing_is_left_behind(self):
        self.file("p.c", MAIN)
        temporary = os.path.join(self.directory, "tmp")
        os.mkdir(temporary)
        environment = {**os.environ, "TMPDIR": temporary}
        output("check", "p.c", cwd=self.directory, env=environment)
        output("compare", "p.c", cwd=self.directory, env=environment)
        self.assertEqual(os.listdir(temporary), [])
        self.misuse("check", "p.c", cwd=self.directory, says="TMPDIR",
                    env={**os.environ, "TMPDIR": "/nowhere"})

    def test_without_a_compiler(self):
        self.file("p.c", MAIN)
        self.misuse("check", "p.c", cwd=self.directory, says="apt-get install clang-19",
                    env={**os.environ, "PATH": "/nowhere"})


class Limits(Directory):
    """What a verdict names that holds only within limits."""

    def limits(self, text, *arguments, blocked=0):
        self.file("p.c", text)
        result = self.result("p.c", *arguments)
        self.assertEqual(result["blocked"], blocked)
        self.assertEqual(result["limits"][:2], ["for these inputs", "under sequential consistency"])
        shown = self.check("p.c", *arguments)
        self.assertEqual(shown.splitlines()[1:], ["  " + limit for limit in result["limits"]])
        return result["limits"][2:]

    def test_nothing_special(self):
        self.assertEqual(self.limits(MAIN), [])

    def test_loops_that_wait(self):
        self.assertEqual(
            self.limits("#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int go;\n"
                        "static void* set(void* p) { go = 1; return p; }\n"
                        "int main(void) { pthread_t t; pthread_create(&t, 0, set, 0);\n"
                        "  while (!go) {} return pthread_join(t, 0); }\n", blocked=1),
            ["loops that wait are not repeated (runs cut off: 1)"])
        # An assumption blocks a run too, but not in a loop.
        self.assertEqual(self.limits("#include <heddle/heddle.h>\n"
                                     "int main(void) { heddle_assume(heddle_choose(2)); }\n",
                                     blocked=1), [])

    def test_functions_that_are_not_known(self):
        unseen = "memory accesses inside these uninstrumented library functions are not checked: "
        self.assertEqual(
            self.limits("#include <math.h>\n#include <stdio.h>\n#include <string.h>\n"
                        "int main(int n, char** a) { char b[9]; memset(b, 0, n); puts(a[0]);\n"
                        '  return sscanf("7", "%s", b) + (int)cos(n - 1) - 2; }\n', "-lm",
                        "-fno-builtin"), [unseen + "__isoc99_sscanf"])
        # Only what runs call, in some schedule or before main.
        self.assertEqual(
            self.limits("#include <gnu/libc-version.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                        "#include <sys/sysinfo.h>\n#include <time.h>\nstatic atomic_int x;\n"
                        "static void* other(void* p) { x = 1; return p; }\n"
                        "__attribute__((constructor)) static void early(void) { get_nprocs(); }\n"
                        "int main(int n, char** a) { pthread_t t; if (n > 5) ctime(0);\n"
                        "  pthread_create(&t, 0, other, 0); if (x) gnu_get_libc_version();\n"
                        "  return pthread_join(t, 0); }\n", "-w"),
            [unseen + "get_nprocs, gnu_get_libc_version"])
        many = ["catopen", "confstr", "fmtmsg", "ftw", "glob", "iconv", "regcomp", "wordexp"]
        calls = "".join(f"void {name}(void); void* use_{name} = (void*){name};\n" for name in many)
        self.assertEqual(self.limits(calls + MAIN, "-w"),
                         [unseen + ", ".join(many[:5]) + " and 3 more"])
        self.file("p.cpp", "#include <iostream>\n#include <thread>\n#include <stdexcept>\n"
                           "int main() { std::jthread t([] {});\n"
                           "  try { throw std::runtime_error(\"x\"); } catch (...) { t.join(); }\n"
                           "  std::cout << 1; }\n")
        self.assertIn(unseen + "std::ostream::operator<<",
                      self.result("p.cpp", "-std=c++20")["limits"])

    def test_what_is_outside_of_the_process(self):
        stays = "changes that runs make outside of the process, such as to files, are not undone"
        opens = "#include <fcntl.h>\n#include <unistd.h>\nint main(void) { return close(open(%s)); }\n"
        self.assertEqual(self.limits(opens % '"/etc/passwd", O_RDONLY'), [])
        self.assertEqual(self.limits(opens % '"left", O_WRONLY | O_CREAT, 0600'), [stays])
        for call in ['unlink("left")', 'rename("left", "other")', 'mkdir("left", 0700)']:
            self.assertEqual(
                self.limits("#include <stdio.h>\n#include <sys/stat.h>\n#include <unistd.h>\n"
                            f"int main(void) {{ (void){call}; return 0; }}\n", "-w"), [stays])

    def test_system_calls_by_their_numbers(self):
        raw = ("effects of system calls made by number, on memory and outside of the process, are "
               "not seen")
        calls = ("#define _GNU_SOURCE\n#include <sys/syscall.h>\n#include <unistd.h>\n"
                 "int main(void) { char b[400]; return syscall(%s) < 0; }\n")
        self.assertEqual(self.limits(calls % "SYS_sched_getattr, 0, b, 48, 0"), [raw])
        self.assertEqual(self.limits(calls % "SYS_getpid"), [])

    def test_functions_of_other_files(self):
        self.file("part.c", "int part(int* x) { return *x; }\n")
        self.file("main.c", "int part(int*); int main(void) { int x = 0; return part(&x); }\n")
        self.assertEqual(self.result("main.c", "part.c")["limits"][2:], [])
        subprocess.run(["cc", "-c", "part.c"], cwd=self.directory, check=True)
        unseen = ["memory accesses inside these uninstrumented library functions are not checked: part"]
        self.assertEqual(self.result("main.c", "part.o")["limits"][2:], unseen)
        # A process for each run has a memory of its own.
        self.assertEqual(self.result("main.c", "part.o", "--isolate", "fork")["limits"][2:], unseen)
        self.file("run.c", "int run(void); int main(void) { return run(); }\n")
        self.file("body.c", "int run(void) { return 0; }\n")
        subprocess.run(["cc", "-c", "run.c"], cwd=self.directory, check=True)
        self.assertEqual(self.result("body.c", "run.o")["limits"][2:],
                         ["memory accesses inside these uninstrumented library functions are not checked: main"])

    def test_functions_called_before_a_checkpoint(self):
        self.file("p.c", "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\n"
                         "static atomic_int x;\n"
                         "static void* other(void* p) { x = 1; return p; }\n"
                         "int main(int n, char** a) { pthread_t t;\n"
                         "  pthread_create(&t, 0, other, 0); if (!x) sscanf(a[0], \"%d\", &n);\n"
                         "  return pthread_join(t, 0); }\n")
        first = self.result("p.c", "--executions", "1", "--checkpoint", "left", status=3)
        second = self.result("p.c", "--resume", "left")
        unseen = "memory accesses inside these uninstrumented library functions are not checked: __isoc99_sscanf"
        self.assertIn(unseen, first["limits"])
        self.assertIn(unseen, second["limits"])
        self.assertEqual((first["executions"], second["executions"]), (1, 2))

    def test_are_explained(self):
        for name in "inputs", "sequential-consistency", "spin-loops", "library-calls":
            topic, = json.loads(output("explain", name, "--json"))["topics"]
            self.assertEqual(topic["sort"], "limit")


class Compare(Directory):
    def compare(self, *arguments, status=0):
        shown = output("compare", *arguments, status=status, cwd=self.directory).splitlines()
        return [row.split()[:3] for row in shown[2:]]

    def test_files_and_executables(self):
        fixed = EXAMPLES / "lost-update-fixed.c"
        expected = [[name, "verified", "2"] for name in ("source", "optimal", "observers")]
        expected.append(["merging", "verified", "1"])
        self.assertEqual(self.compare(fixed, "-O2"), expected)
        self.assertEqual(self.files(), [])
        self.check(fixed)
        self.assertEqual(self.compare("lost-update-fixed.heddle"), expected)
        self.assertEqual([row[1] for row in self.compare(fixed, "--executions", "1", status=3)],
                         ["incomplete"] * 4)

    def test_tells_of_states(self):
        fixed = EXAMPLES / "lost-update-fixed.c"
        shown = output("check", fixed, "--algorithm", "merging", cwd=self.directory)
        out = json.loads(output("check", fixed, "--algorithm", "merging", "--json",
                                cwd=self.directory))
        self.assertEqual((out["executions"], out["merged"]), (1, 1))
        self.assertEqual(out["edges"], out["states"])  # one more than states, but for the first
        self.assertIn(f"1 execution and 1 merged, {out['states']} states with {out['edges']} edges",
                      shown)

    def test_explores_all_in_spite_of_findings(self):
        deadlock = EXAMPLES / "bounded-queue.cpp"
        rows = self.compare("-std=c++20", deadlock, status=1)
        self.assertEqual([row[1] for row in rows], ["finding"] * 4)
        stopped = self.result("-std=c++20", deadlock, status=1)["executions"]
        self.assertGreater(int(rows[1][2]), stopped)

    def test_models(self):
        self.file("p.txt", "var x\nthread p: x = 1\nthread q: $0 = x\n")
        rows = self.compare("--model", "p.txt")
        self.assertEqual([row[:2] for row in rows[:2]],
                         [["none", "verified"], ["source", "verified"]])
        self.assertEqual(rows[2], ["optimal", "verified", "2"])
        self.assertEqual(self.compare("--model", "lastzero", "--size", "3")[3],
                         ["observers", "verified", "12"])
        self.assertEqual(self.compare("--model", "two-lock-deadlock", status=1)[0][1], "finding")

    def test_mistakes(self):
        self.refused(says="no input files", name="compare")
        self.refused("absent.c", says="no such file: 'absent.c'", name="compare")
        self.refused("--model", "absent", says="no such file: 'absent'", name="compare")
        self.refused("--model", "pi", "--size", "0", says="pi has sizes", name="compare")
        self.refused("--model", "pi", "p.c", says="not both", name="compare")
        self.refused("p.c", "--size", "3", says="--size is for model programs", name="compare")


if __name__ == "__main__":
    command.main()
