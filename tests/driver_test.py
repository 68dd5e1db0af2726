#!/usr/bin/env python3
"""Checks what heddle cc and heddle c++ make of the command lines that compilers are given."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MAIN = "int main(void) { return 0; }\n"
CXX_MAIN = ("#include <string>\n"
            "int main(int n, char**) { return std::string(n, 'x').size() != 1; }\n")

# Arguments, and the file that comes of them.
COMPILE = [
    (["-c", "a.c"], "a.o"),
    (["-S", "a.c"], "a.s"),
    (["-c", "a.c", "-o", "x.o", "-O0"], "x.o"),
    (["-c", "-x", "c", "-", "-o", "y.o"], "y.o"),
    (["-E", "a.c", "-o", "a.i"], "a.i"),
    (["-MM", "a.c", "-MF", "a.d"], "a.d"),
    (["-fsyntax-only", "a.c"], None),
    (["-c", "s.s"], "s.o"),
    (["-c", "p.S", "-o", "p.o"], "p.o"),
    (["@response"], "r.o"),
    (["-flto", "-c", "a.c", "-o", "lto.o"], "lto.o"),
    (["-fsanitize=undefined", "-c", "a.c", "-o", "ub.o"], "ub.o"),
    (["-D_FORTIFY_SOURCE=2", "-O2", "-c", "a.c", "-o", "f.o"], "f.o"),
    (["-c", "-o", "z.o", "--", "a.c"], "z.o"),
    (["--version"], None),
    (["-v"], None),
    (["-print-search-dirs"], None),
    (["-dumpmachine"], None),
    (["-r", "a.o", "s.o", "-o", "both.o"], "both.o"),
    (["h.h", "-o", "h.h.pch"], "h.h.pch"),
    (["-x", "c-header", "a.c", "-o", "a.pch"], "a.pch"),
]

REFUSED = [
    (["-static", "a.c"], "shared library"),
    (["-static-pie", "a.c"], "shared library"),
    (["-m32", "-c", "a.c"], "x86-64 only"),
    (["-fsanitize=address", "a.c"], "-fsanitize=address"),
    (["-fsanitize=undefined,thread", "a.c"], "-fsanitize=thread"),
    (["-fsanitize=memory", "-c", "a.c"], "-fsanitize=memory"),
    (["-Xclang", "-disable-llvm-passes", "-c", "a.c"], "pass would not run"),
]

CMAKE = """cmake_minimum_required(VERSION 3.16)
project(small C CXX)
find_package(Threads REQUIRED)
include_directories(include)
add_library(part STATIC part.cpp)
add_library(shared SHARED more.c)
add_executable(small main.cpp)
target_link_libraries(small part shared Threads::Threads)
"""


class Driver:
    def __init__(self, heddle, directory):
        self.heddle, self.directory = heddle, Path(directory)

    def write(self, name, text):
        file = self.directory / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def run(self, command, **more):
        return subprocess.run([str(c) for c in command], cwd=self.directory, capture_output=True,
                              text=True, timeout=3000, **more)

    def cc(self, *arguments, compiler="cc", **more):
        return self.run([self.heddle, compiler, *arguments], **more)

    def build(self, *arguments, compiler="cc"):
        result = self.cc(*arguments, compiler=compiler)
        if result.returncode != 0 or result.stderr:
            raise AssertionError(f"{arguments}: status {result.returncode}: {result.stderr}")

    def needed(self, file):
        """The libraries that a file needs, in order, and where they are looked for."""
        out = self.run(["readelf", "-d", file]).stdout
        return re.findall(r"\(NEEDED\).*\[(.*)\]", out), re.findall(r"\(RUNPATH\).*\[(.*)\]", out)


def check_compiling(driver):
    driver.write("a.c", MAIN)
    driver.write("s.s", ".globl other\nother: ret\n.section .note.GNU-stack\n")
    driver.write("p.S", "#define NAME third\n.globl NAME\nNAME: ret\n.section .note.GNU-stack\n")
    driver.write("h.h", "int f(void);\n")
    driver.write("response", "-c \"a.c\"\n  -O0 -o 'r.o'\n")
    for arguments, file in COMPILE:
        strict = ["-Werror"] if file else []
        result = driver.cc(*strict, *arguments, input=MAIN)
        if result.returncode != 0 or "warning" in result.stderr:
            yield f"{arguments}: status {result.returncode}: {result.stderr}"
        elif file and not (driver.directory / file).exists():
            yield f"{arguments}: no {file}"
    if driver.cc("-c", "none.c").returncode != 1:
        yield "a missing file has not clang's status"


def check_refusals(driver):
    driver.write("a.c", MAIN)
    for arguments, message in REFUSED:
        result = driver.cc(*arguments)
        if result.returncode != 2 or message not in result.stderr:
            yield f"{arguments}: status {result.returncode}: {result.stderr}"
    result = driver.cc("-c", "a.c", env={"PATH": "/nowhere"})
    if result.returncode != 2 or "apt-get install clang-19" not in result.stderr:
        yield f"without clang: status {result.returncode}: {result.stderr}"


def check_options(driver):
    """What clang is told."""
    driver.write("a.c", MAIN)
    for arguments, wanted, unwanted in [
        (["-c", "a.c"], '"-O1"', "libheddle_rt"),
        (["-c", "a.c", "-O0"], '"-O1"', '"-O0"'),
        (["-O0", "-c", "a.c"], '"-O1"', '"-O0"'),
        (["-c", "a.c", "-O2"], '"-O2"', '"-O1"'),
        (["-c", "a.c", "-g0"], '"-debug-info-kind=', "-g0"),
        (["-c", "a.c", "-fpass-plugin=mine.so"], '"-fpass-plugin=mine.so"', "libheddle_rt"),
        (["-c", "a.c", "-fsanitize=undefined"], '"-fsanitize-trap=', "ubsan_standalone"),
        (["a.c", "-shared", "-fPIC"], "libheddle_rt", "warning"),
        (["a.c"], "libheddle_rt", "warning"),
        (["a.c", "-nostdlib"], "libheddle_rt", "warning"),
    ]:
        out = driver.cc("-###", *arguments).stderr
        if wanted not in out or unwanted in out:
            yield f"{arguments}: {out}"


def check_header(driver):
    driver.write("user.c", "#include <heddle/heddle.h>\n#if HEDDLE != 1\n#error\n#endif\n"
                 "int main(void) { heddle_assume(1); heddle_assert(1); return heddle_choose(1); }"
                 "\n")
    driver.build("-Wall", "-Wextra", "-Werror", "-pedantic", "user.c", "-c", "-o", "user.o")
    driver.build("-x", "c++", "-Wall", "-Werror", "user.c", "-c", "-o", "user.o", compiler="c++")
    yield from ()


def check_linking(driver):
    """The runtime comes first, the program's main is found, and it runs."""
    driver.write("a.c", MAIN)
    driver.write("b.cpp", CXX_MAIN)
    driver.write("f.c", "int f(void) { return 0; }\n")
    driver.write("uses.c", "int f(void);\n"
                 "int main(int n, char** v) { return f() + (n != 1) + !v; }\n")
    driver.build("-c", "-fPIC", "f.c")
    driver.run(["ar", "rcs", "libf.a", "f.o"])
    driver.build("-shared", "-Wl,-z,defs", "f.o", "-o", "libg.so")
    for compiler, *arguments in [
        ["cc", "a.c", "-o", "program"],
        ["cc", "-Werror", "-Wl,--as-needed", "a.c", "-o", "program"],
        ["cc", "a.c", "-fvisibility=hidden", "-Wl,--gc-sections", "-o", "program"],
        ["c++", "b.cpp", "-o", "program"],
        ["c++", "-lstdc++", "b.cpp", "-pthread", "-o", "program"],
        ["cc", "uses.c", "-L.", "-lf", "-o", "program"],
        ["cc", "uses.c", "./libg.so", "-o", "program"],
        ["cc", "-flto", "a.c", "-o", "program"],
        ["cc", "-fsanitize=undefined", "a.c", "-o", "program"],
        ["cc", "-no-pie", "-fno-pie", "-O0", "a.c", "-o", "program"],
    ]:
        (driver.directory / "program").unlink(missing_ok=True)
        driver.build(*arguments, compiler=compiler)
        libraries, paths = driver.needed("program")
        if libraries[0] != "libheddle_rt.so" or paths != [str(Path(driver.heddle).parent)]:
            yield f"{arguments}: {libraries} {paths}"
        if driver.run(["./program"]).returncode != 0:
            yield f"{arguments}: the program fails"
    if driver.needed("libg.so")[0][0] != "libheddle_rt.so":
        yield "a library does not need the runtime"


def check_cmake(driver):
    if shutil.which("cmake") is None:
        return
    driver.write("CMakeLists.txt", CMAKE)
    driver.write("include/part.h", "#pragma once\nint part();\nextern \"C\" int more(int);\n")
    driver.write("part.cpp", "#include <part.h>\nint part() { return 1; }\n")
    driver.write("more.c", "int more(int x) { return x - 1; }\n")
    driver.write("main.cpp", "#include <part.h>\nint main() { return more(part()); }\n")
    environment = {**os.environ, "CC": f"{driver.heddle} cc", "CXX": f"{driver.heddle} c++"}
    for command in (["cmake", "-S", ".", "-B", "out"], ["cmake", "--build", "out"]):
        result = driver.run(command, env=environment)
        if result.returncode != 0:
            yield f"{command}: {result.stdout[-2000:]} {result.stderr[-2000:]}"
            return
    if driver.run(["out/small"]).returncode != 0:
        yield "the program built by CMake fails"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("heddle")
    heddle = Path(parser.parse_args().heddle).resolve()
    failures = []
    for check in (check_compiling, check_refusals, check_options, check_header, check_linking,
                  check_cmake):
        with tempfile.TemporaryDirectory() as directory:
            try:
                failures += [f"{check.__name__}: {f}" for f in check(Driver(heddle, directory))]
            except (AssertionError, subprocess.TimeoutExpired) as error:
                failures.append(f"{check.__name__}: {error}")
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
