#!/usr/bin/env python3
"""Checks that each layer under src/ includes only what it may, and that no layer has include cycles.

usage: check_layers.py [--root DIR] [--self-test]

Prints one line for each error and the number of files checked; exits with 1 on errors.
"""

import argparse
import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path, PurePosixPath

# What each layer may include: whole layers, or single files. A layer that has sub-layers is named
# with them; each file of it is in one of those.
MAY_INCLUDE = {
    "base":     ["base"],
    "broker":   ["base", "broker"],
    "model":    ["base", "model"],
    "core":     ["base", "model", "core"],
    "parallel": ["base", "model", "core", "parallel"],
    "interp":   ["base", "model", "core", "parallel", "interp"],
    "pass":     ["pass", "runtime/abi/abi.h", "runtime/abi/functions.h"],
    "channels": ["channels", "runtime/abi/channels.h"],
    "findings": ["base", "model", "findings", "runtime/abi/wire.h", "runtime/abi/operations.h"],
    "native":   ["base", "model", "core", "parallel", "findings", "native", "runtime/abi",
                 "runtime/wire/ring.hpp"],
    "cluster":  ["base", "broker", "model", "core", "parallel", "native", "cluster"],
    "report":   ["base", "model", "core", "parallel", "findings", "native", "report", "runtime/abi/abi.h",
                 "runtime/abi/wire.h"],
    "fuzz":     ["base", "model", "core", "findings", "native", "fuzz", "runtime/abi/wire.h"],
    "bench":    ["base", "model", "core", "parallel", "interp", "native", "report", "bench"],
    "cli":      ["base", "broker", "cluster", "model", "core", "interp", "pass", "runtime/abi", "findings",
                 "native", "parallel", "report", "fuzz", "bench", "cli"],
}

# The sub-layers of the runtime: each may include itself and those before it.
RUNTIME = ["abi", "sys", "wire", "code", "kernel", "memory", "api", "worker"]
for k, name in enumerate(RUNTIME):
    MAY_INCLUDE[f"runtime/{name}"] = ["base", "model"] + [f"runtime/{n}" for n in RUNTIME[:k + 1]]

# Layers whose modules may still include each other.
CYCLES_LEFT = {"pass", "native", "fuzz"}

SUFFIXES = {".hpp", ".cpp", ".h"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>)', re.MULTILINE)

# Comments and raw strings are no code. Other literals are matched only to be kept, so that a
# quote or a comment sign within them starts nothing.
TOKEN = re.compile(
    r'(?P<blank>//[^\n]*|/\*.*?\*/|R"(?P<delimiter>[^()\s\\]*)\(.*?\)(?P=delimiter)")'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'(?:\\[^\n][^'\n]*|[^'\\\n])'",
    re.DOTALL,
)


def blank(text):
    """The text without comments and raw strings, its lines where they were."""
    return TOKEN.sub(
        lambda m: m[0] if m["blank"] is None else " " + "\n" * m[0].count("\n"), text)


def includes(text):
    """Yields (line number, path, whether it is in angle brackets) of each #include."""
    code = blank(text)
    for match in INCLUDE.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        yield line, match[1] if match[2] is None else match[2], match[2] is not None


def layer_of(path):
    """The layer, or the sub-layer, of a file below src/; or None."""
    parts = PurePosixPath(path).parts
    if ".." in parts:
        return None
    names = ["/".join(parts[:2])] if len(parts) > 2 else []
    return next((n for n in names + [parts[0]] if len(parts) > 1 and n in MAY_INCLUDE), None)


def complaint(src, name, path, angled):
    """What is wrong with an include of path in the file of that name below src/, or None."""
    theirs = layer_of(path)
    if theirs is None or not (src / path).is_file():
        # Angle brackets are for other people's headers, but hide none of ours.
        return None if angled else f"{path} is not the path of a file below src/ in a layer"
    ours = layer_of(name)
    allowed = MAY_INCLUDE[ours]
    if theirs in allowed or path in allowed:
        return None
    return f"{ours} may not include {path}"


def module_of(path):
    """A header and its source are one module."""
    return PurePosixPath(path).with_suffix("").as_posix()


def cycles(graph):
    """The strongly connected components of {module: modules} with more than one module (Tarjan)."""
    index, low, stack, out = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(graph.get(v, ())):
            if w not in index:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == index[v]:
            component = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(component) > 1:
                out.append(sorted(component))

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return out


def check(root):
    """The list of errors in the tree at root, and the number of files checked."""
    src = root / "src"
    files = sorted(f for f in src.rglob("*") if f.suffix in SUFFIXES and f.is_file())
    errors = []
    graph = {}
    for file in files:
        name = file.relative_to(root).as_posix()
        below = file.relative_to(src).as_posix()
        if layer_of(below) is None:
            errors.append(f"{name}:1: {PurePosixPath(below).parent} is not a layer")
            continue
        for line, path, angled in includes(file.read_text(encoding="utf-8")):
            if module_of(path) != module_of(below) and (src / path).is_file():
                graph.setdefault(module_of(below), set()).add(module_of(path))
            wrong = complaint(src, below, path, angled)
            if wrong:
                errors.append(f"{name}:{line}: {wrong}")
    for cycle in cycles(graph):
        if layer_of(cycle[0] + ".x") not in CYCLES_LEFT:
            errors.append(f"src: a cycle of includes: {', '.join(cycle)}")
    if not files:
        errors.append(f"{src}: no files to check")
    return errors, len(files)


def report(root):
    """Checks the tree at root and prints the outcome; returns the exit status."""
    errors, count = check(root)
    for error in errors:
        print(error)
    print(f"{count} files checked")
    return 1 if errors else 0


CLEAN_TREE = {
    "src/base/a.hpp": "#include <vector>\n",
    "src/model/b.hpp": '#include "base/a.hpp"\n#include <base/a.hpp>\n',
    "src/core/reduction/c.cpp": '#include "model/b.hpp"\n',
    "src/core/text.cpp": 'auto s = R"(\n#include "cli/y.hpp"\n)"; // "\n'
                         '/*\n#include "cli/y.hpp"\n*/\n',
    "src/runtime/abi/abi.h": "",
    "src/runtime/sys/r.hpp": '#include "runtime/abi/abi.h"\n',
    "src/runtime/memory/m.hpp": '#include "runtime/sys/r.hpp"\n#include "base/a.hpp"\n',
    "src/pass/p.cpp": '#include "runtime/abi/abi.h"\n',
    "src/cli/y.hpp": '#include "model/b.hpp"\n#include "runtime/abi/abi.h"\n',
}

# Each file is added to the clean tree; the error is what must be reported for it.
FORBIDDEN = [
    ("src/core/x.cpp", '\n\n  #  include "cli/y.hpp"\n', "3: core may not include cli/y.hpp"),
    ("src/core/reduction/x.cpp", '#include "cli/y.hpp"\n', "1: core may not include cli/y.hpp"),
    ("src/base/x.h", '#include "model/b.hpp"\n', "1: base may not include model/b.hpp"),
    ("src/base/x.hpp", "#include <model/b.hpp>\n", "1: base may not include model/b.hpp"),
    ("src/pass/x.cpp", '#include "runtime/sys/r.hpp"\n',
     "1: pass may not include runtime/sys/r.hpp"),
    ("src/runtime/sys/x.cpp", '#include "runtime/memory/m.hpp"\n',
     "1: runtime/sys may not include runtime/memory/m.hpp"),
    ("src/runtime/sys/deeper/x.cpp", '#include "runtime/memory/m.hpp"\n',
     "1: runtime/sys may not include runtime/memory/m.hpp"),
    ("src/runtime/x.cpp", "", "1: runtime is not a layer"),
    ("src/runtime/other/x.cpp", "", "1: runtime/other is not a layer"),
    ("src/pass/x.cpp", '#include "base/a.hpp"\n', "1: pass may not include base/a.hpp"),
    ("src/native/x.cpp", '#include "runtime/sys/r.hpp"\n',
     "1: native may not include runtime/sys/r.hpp"),
    ("src/core/x.cpp", "char q = '\"';\nauto s = \"/*\";\n#include \"cli/y.hpp\" // \"*/\n",
     "3: core may not include cli/y.hpp"),
    ("src/core/x.cpp", 'auto r = R"x(\n)")x";\n#include "cli/y.hpp"\n',
     "3: core may not include cli/y.hpp"),
    ("src/core/x.cpp", '#include "core/absent.hpp"\n',
     "1: core/absent.hpp is not the path of a file below src/ in a layer"),
    ("src/model/x.cpp", '#include "b.hpp"\n',
     "1: b.hpp is not the path of a file below src/ in a layer"),
    ("src/core/x.cpp", '#include "core/../cli/y.hpp"\n',
     "1: core/../cli/y.hpp is not the path of a file below src/ in a layer"),
    ("src/other/x.cpp", "", "1: other is not a layer"),
]

# Files added to the clean tree that make a cycle of modules.
CYCLE = {
    "src/runtime/sys/s.hpp": "",
    "src/runtime/sys/s.cpp": '#include "runtime/sys/t.hpp"\n',
    "src/runtime/sys/t.hpp": '#include "runtime/sys/s.hpp"\n',
}
CYCLE_ERROR = "src: a cycle of includes: runtime/sys/s, runtime/sys/t\n"


def outcome(tree):
    """What report prints for a tree given as {path: text}, and its exit status."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in tree.items():
            file = Path(directory, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = report(Path(directory))
        return output.getvalue(), status


def self_test():
    """Checks that this program reports what it must; returns the exit status."""
    count = len(CLEAN_TREE)
    cases = [(CLEAN_TREE, f"{count} files checked\n", 0)]
    for name, text, error in FORBIDDEN:
        expected = f"{name}:{error}\n{count + 1} files checked\n"
        cases.append(({**CLEAN_TREE, name: text}, expected, 1))
    cases.append(({**CLEAN_TREE, **CYCLE},
                  f"{CYCLE_ERROR}{count + len(CYCLE)} files checked\n", 1))
    failures = 0
    for tree, expected, status in cases:
        got = outcome(tree)
        if got != (expected, status):
            failures += 1
            print(f"expected {(expected, status)}\n     got {got}")
    if outcome({})[1] != 1:
        failures += 1
        print("an empty tree passes")
    print(f"self-test: {len(cases) + 1} cases, {failures} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Checks what each layer under src/ includes.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="check this program itself")
    arguments = parser.parse_args()
    return self_test() if arguments.self_test else report(arguments.root)


if __name__ == "__main__":
    sys.exit(main())
