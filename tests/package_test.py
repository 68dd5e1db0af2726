#!/usr/bin/env python3
"""Installs heddle, and uses it from there: by hand, and in a project by find_package.

usage: package_test.py BUILD_DIRECTORY CMAKE
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = CMAKE = ""

PROJECT = """cmake_minimum_required(VERSION 3.20)
project(user C)
enable_testing()
find_package(heddle 0.1 REQUIRED)
find_package(Threads REQUIRED)
add_library(plain STATIC plain.c)
target_include_directories(plain PUBLIC "plain headers")
target_compile_definitions(plain PUBLIC ONE=1 TWO=2)
heddle_add_test(NAME right SOURCES right.c sub/part.c LIBRARIES m plain Threads::Threads
                COMPILE_OPTIONS -Wall -Werror ARGS "a b" c)
heddle_add_test(NAME wrong SOURCES wrong.cpp COMPILE_OPTIONS -std=c++20)
heddle_add_test(NAME expected SOURCES wrong.cpp COMPILE_OPTIONS -std=c++20 EXPECT finding)
heddle_add_test(NAME kind SOURCES wrong.cpp COMPILE_OPTIONS -std=c++20 EXPECT data-race)
heddle_add_test(NAME too_good SOURCES right.c sub/part.c LIBRARIES m plain EXPECT finding
                ARGS "a b" c)
heddle_add_test(NAME limited SOURCES wrong.cpp COMPILE_OPTIONS -std=c++20
                OPTIONS --races explore --executions 1)
"""
FILES = {
    "right.c": '#include "part.h"\n#include "plain.h"\n#include <heddle/heddle.h>\n'
               "#include <math.h>\n#include <pthread.h>\n#include <string.h>\n"
               "static void* f(void* p) { return p; }\n"
               "int main(int n, char** a) {\n"
               "  pthread_t t;\n"
               "  if (n != 3 || strcmp(a[1], \"a b\")) return 1;\n"
               "  pthread_create(&t, 0, f, 0); pthread_join(t, 0);\n"
               "  heddle_assert(plain() == ONE + TWO);\n"
               "  return part() + (int)cos(n - 3) - 1 + CHANGED;\n"
               "}\n",
    "part.h": "int part(void);\n#define CHANGED 0\n",
    "sub/part.c": "int part(void) { return 0; }\n",
    "plain headers/plain.h": "int plain(void);\n",
    "plain.c": "int plain(void) { return 3; }\n",
    "wrong.cpp": "#include <thread>\nint x;\n"
                 "int main() { std::jthread t([] { ++x; }); ++x; }\n",
}


def run(*words, status=0, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=3000,
                          check=False, **options)
    assert status is None or done.returncode == status, (words, done.stdout, done.stderr)
    return done.stdout + done.stderr


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.directory = Path(directory.name).resolve()
        run(CMAKE, "--install", BUILD, "--prefix", cls.directory / "first")
        # It can be moved: nothing in it names where it is.
        cls.prefix = cls.directory / "some where"
        (cls.directory / "first").rename(cls.prefix)
        cls.heddle = cls.prefix / "bin/heddle"

    def test_finds_its_parts(self):
        source = ROOT / "examples/native/lost-update.c"
        program = self.directory / "program"
        self.assertIn("data-race", run(self.heddle, "check", source, "-o", program, status=1))
        needed = run("readelf", "-d", program)
        self.assertIn(f"[{self.prefix}/lib/heddle]", needed)
        # By a link, too.
        (self.directory / "link").symlink_to(self.heddle)
        run(self.directory / "link", "cc", source, "-o", program)
        user = self.directory / "user.c"
        user.write_text("#include <heddle/heddle.h>\nint main(void) { return heddle_choose(1); }\n")
        self.assertIn("verified", run(self.heddle, "check", user, "-o", program))

    def test_has_what_is_read(self):
        page = (self.prefix / "share/man/man1/heddle.1").read_text(encoding="utf-8")
        self.assertEqual(page, run(self.heddle, "help", "--man"))
        completion = self.prefix / "share/bash-completion/completions/heddle"
        self.assertIn("_heddle", completion.read_text(encoding="utf-8"))
        self.assertTrue((self.prefix / "share/doc/heddle/json-schema.json").exists())

    def test_has_programs_to_measure(self):
        shown = run(self.heddle, "bench", "pi", "--smallest", "--algorithms", "optimal,source")
        self.assertEqual(len(re.findall(r"(?m)^pi\(5\) .* = 120$", shown)), 2)

    def test_version(self):
        version = run(self.heddle, "--version").split()[1]
        config = self.prefix / "lib/cmake/heddle/heddleConfigVersion.cmake"
        self.assertIn(f'set(PACKAGE_VERSION "{version}")', config.read_text(encoding="utf-8"))

    def make_project(self, name, text=PROJECT):
        project = self.directory / name
        shutil.rmtree(project, ignore_errors=True)
        for file, content in {"CMakeLists.txt": text, **FILES}.items():
            (project / file).parent.mkdir(parents=True, exist_ok=True)
            (project / file).write_text(content, encoding="utf-8")
        return project

    def configure(self, project, *more, **options):
        return run(CMAKE, "-S", project, "-B", project / "out", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                   *more, **options)

    def results(self, project):
        shown = run("ctest", status=None, cwd=project / "out")
        return dict(re.findall(r"Test +#\d+: (\w+) \.*[ *]*(Passed|Failed)", shown))

    def check_project(self, generator):
        project = self.make_project(f"project {generator}")
        self.configure(project, "-G", generator)
        run(CMAKE, "--build", project / "out")
        passed = {"right": "Passed", "wrong": "Failed", "expected": "Passed", "kind": "Passed",
                  "too_good": "Failed", "limited": "Failed"}
        self.assertEqual(self.results(project), passed)
        program = project / "out/right.heddle/right"
        built = program.stat().st_mtime_ns
        run(CMAKE, "--build", project / "out")
        self.assertEqual(program.stat().st_mtime_ns, built)
        # A header that changes has its sources compiled again.
        header = project / "part.h"
        header.write_text(header.read_text().replace("CHANGED 0", "CHANGED 1"))
        run(CMAKE, "--build", project / "out")
        self.assertEqual(self.results(project), passed | {"right": "Failed", "too_good": "Passed"})

    def test_project_with_ninja(self):
        self.check_project("Ninja")

    def test_project_with_make(self):
        self.check_project("Unix Makefiles")

    def test_mistakes(self):
        start = PROJECT[:PROJECT.index("add_library")]
        for call, says in [("NAME x", "needs NAME and SOURCES"), ("SOURCES right.c", "needs NAME"),
                           ("NAME x SOURCES a.py", "a.py is neither C nor C++"),
                           ("NAME x SOURCES right.c FOO", "FOO is neither C nor C++"),
                           ("FOO NAME x SOURCES right.c", "does not know FOO")]:
            project = self.make_project("mistake", start + f"heddle_add_test({call})\n")
            shown = self.configure(project, status=1)
            self.assertIn(says, re.sub(r"\s+", " ", shown))


if __name__ == "__main__":
    BUILD, CMAKE = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
    unittest.main()
