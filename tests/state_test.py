#!/usr/bin/env python3
"""Checks that each module of the runtime has its state in one place.

A module is a header and its source. All that it remembers is one object of a struct, or class, that
has a name and is defined in the module (or a RunTable): so it can be seen what a run changes, and
what worker/parts.cpp has to clear and keep. Constants, and variables within functions, do not
count.

usage: state_test.py [--root DIR] [--self-test]

Prints one line for each error and the number of files checked; exits with 1 on errors.
"""

import argparse
import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

from check_layers import blank

SUFFIXES = {".hpp", ".cpp", ".h"}

# Variables that cannot be members, each with the reason.
EXCEPTIONS = {
    "src/runtime/api/libraries": {
        "error": "one for each thread of the program",
        "heddle_real_dlsym": "assembly uses it by its name",
    },
    "src/runtime/api/signal_stack": {
        "__heddle_sigsetjmp": "assembly uses it by its name",
    },
}

LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"' + r"|'(?:\\[^\n][^'\n]*|[^'\\\n])'")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
MACRO_CALL = re.compile(r"^[A-Z][A-Z0-9_]+\([^;{}]*?\)$", re.MULTILINE)
ATTRIBUTE = re.compile(r"\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)|alignas\s*\([^()]*\)", re.DOTALL)
NAMESPACE = re.compile(r'(?:\b(?:inline\s+)?namespace\b[^;{}()=]*|extern\s+"")\s*$')
# Declarations that are not of variables.
OTHER = re.compile(r"(?:using|static_assert|template|typedef|friend|asm|extern|namespace)\b"
                   r"|(?:struct|class|union)\s+\w+$")
CONSTANT = re.compile(r"\bconstexpr\b|\*\s*const\b|^(?:static\s+|inline\s+)*const\b[^*]*$")
TYPE = re.compile(r"(?:(?:static|constinit)\s+)*(?:struct|class|union|enum)\b([^;{=]*){}")
STORAGE = re.compile(r"\b(?:static|inline|constinit|thread_local|volatile|mutable)\b")


def without(text, pattern):
    """The text with each match replaced by its line breaks."""
    return pattern.sub(lambda m: "\n" * m[0].count("\n"), text)


def code_of(text):
    """The text without comments, the contents of literals, directives and calls of macros."""
    text = LITERAL.sub('""', blank(text))
    return without(without(text, DIRECTIVE), MACRO_CALL)


def declarations(text):
    """Yields (line number, text) of each declaration at namespace scope; what is in braces is left
    out."""
    scopes, buffer, line = [], "", 1
    for character in code_of(text):
        line += character == "\n"
        outside = all(scopes)  # only namespaces are open
        if character == "{":
            is_namespace = outside and NAMESPACE.search(buffer) is not None
            scopes.append(is_namespace)
            buffer = "" if is_namespace else buffer + "{" if outside else buffer
        elif character == "}":
            was_namespace = bool(scopes) and scopes.pop()
            if all(scopes):
                buffer = "" if was_namespace else buffer + "}"
                if is_body_last(buffer):
                    buffer = ""
        elif outside and character == ";":
            yield line, " ".join(ATTRIBUTE.sub(" ", buffer).split())
            buffer = ""
        elif outside:
            buffer += character


def is_body_last(declaration):
    """Whether this ends with the body of a function, which ends its declaration. Braces within
    parentheses are arguments."""
    return declaration.endswith("}") and declaration.count("(") == declaration.count(")") and \
        is_function(declaration.split("{")[0])


def is_function(declaration):
    """Whether this declares, or begins, a function: parentheses come before a value. Variables that
    are made by a constructor have to be constinit, to be recognised; pointers to functions are
    variables."""
    head = ATTRIBUTE.sub(" ", declaration).split("=")[0]
    if "(" not in head or re.search(r"\bconstinit\b", head):
        return False
    return "operator" in declaration or not re.match(r"[^(]*\(\s*\*", head)


def split_at_commas(text):
    """The parts between commas that are not within brackets of any kind."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def variables(text):
    """Yields (line number, name, type or None if it is not a class) of each variable at namespace
    scope that is not constant."""
    for line, declaration in declarations(text):
        if OTHER.match(declaration) or is_function(declaration.split("{")[0]):
            continue
        own = TYPE.match(declaration)  # is defined with the variable
        nameless = False
        if own:
            name = re.split(r"(?<!:):(?!:)", own[1])[0].split()[-1:]
            nameless = not name
            declaration = " ".join(name + [declaration[own.end():]]).strip()
            if [declaration] == name or not declaration:
                continue  # there is no variable
        head = re.split(r"[={(]", declaration)[0]
        if CONSTANT.search(head) or not declaration:
            continue
        for k, part in enumerate(split_at_commas(STORAGE.sub(" ", declaration))):
            pointer = re.match(r"[^=]*?\(\s*\*\s*(\w+)", part)
            words = re.split(r"[={(]", part)[0]
            name = pointer[1] if pointer else re.findall(r"[\w:]+", words.split("[")[0])[-1]
            kind = re.sub(r"\b(?:struct|class)\s+", "", words[:words.rfind(name)]).strip()
            is_class = not pointer and k == 0 and "*" not in words and "[" not in words
            yield line, name.split("::")[-1], None if not is_class or nameless else kind


def defines(texts, kind):
    """Whether a module with these texts has the definition of this class."""
    name = re.sub(r"<.*", "", kind).split("::")[-1]
    return name == "RunTable" or \
        any(re.search(rf"(?<!enum )\b(?:struct|class)\s+{re.escape(name)}\s*(?::[^;(){{}}]*)?{{",
                      code_of(text)) for text in texts)


def check(root):
    """The list of errors in the tree at root, and the number of files checked."""
    files = sorted(f for f in (root / "src/runtime").rglob("*")
                   if f.suffix in SUFFIXES and f.is_file())
    modules = {}
    for file in files:
        modules.setdefault(file.relative_to(root).with_suffix("").as_posix(), []).append(file)
    errors = []
    for module, parts in modules.items():
        texts = {f: f.read_text(encoding="utf-8") for f in parts}
        state = [(f.relative_to(root).as_posix(), *v) for f, text in texts.items()
                 for v in variables(text)]
        excepted = EXCEPTIONS.get(module, {})
        for name in sorted(set(excepted) - {v[2] for v in state}):
            errors.append(f"{module}: the exception {name} is not needed")
        state = [v for v in state if v[2] not in excepted]
        if not state:
            continue
        name, line, variable, kind = state[-1]
        if len(state) > 1:
            errors.append(f"{name}:{line}: these belong in one struct: "
                          f"{', '.join(sorted(v[2] for v in state))}")
        elif kind is None or not defines(texts.values(), kind):
            errors.append(f"{name}:{line}: {variable} is not an object of a struct of this module")
    if not files:
        errors.append(f"{root}/src/runtime: no files to check")
    return errors, len(files)


def report(root):
    """Checks the tree at root and prints the outcome; returns the exit status."""
    errors, count = check(root)
    for error in errors:
        print(error)
    print(f"{count} files checked")
    return 1 if errors else 0


CLEAN = """#include <x>
namespace heddle {
using Set = int;
namespace detail { extern int declared; }
void f(int a = 0, const char* text = nullptr);
bool f(const Set& s = {}, int n = 0);
void f(void* (*function)(void*));
static_assert(Set{} == Set{});
[[noreturn]] void g(const int* p = nullptr);
constexpr int one = 1, many[] = {1, 2};
const char* const name = "a; int b;";
enum class Kind { a, b };
enum : short { c, d };
struct detail::Outer { int x; };
template <typename T> T zero = 0;
MACRO_OF_OURS(int c)
struct Absent;
struct Plain { int x; } ;
namespace {
struct State { int n; bool b[8]; };
constinit State state{};
int h() { static int local; int other = 1; return other; }
bool operator==(const State& a, const State& b) { return a.n == b.n; }
}  // namespace
Plain make() { return {}; }
}  // namespace heddle
"""

# Text of a header: alone, and with the source above; the line and the names, and whether the former
# is an error, too.
WRONG = [
    ("int n;\n", 1, ["n"], True),
    ("bool a = false, b;\n", 1, ["a", "b"], True),
    ("\n\nconst char* text;\n", 3, ["text"], True),
    ("char text[8];\n", 1, ["text"], True),
    ("void (*call)(int);\n", 1, ["call"], True),
    ("struct { int n; } nameless;\n", 1, ["nameless"], True),
    ("struct Other { int n; } other;\n", 1, ["other"], False),
    ("struct Other { int n; };\nstruct Other other = {1};\n", 2, ["other"], False),
    ("class Other : public A { int n; };\nOther other{};\nconst Other* again;\n", 3,
     ["other", "again"], True),
    ("constinit State made(1);\n", 1, ["made"], True),
    ("alignas(64) static char stack[8];\n", 1, ["stack"], True),
    ("thread_local State own;\n", 1, ["own"], True),
    ("namespace heddle { namespace { RunTable<State> table; } }\n", 1, ["table"], False),
    ('extern "C" { [[gnu::used]] void* known; }\n', 1, ["known"], True),
    ("std::string text;\n", 1, ["text"], True),
    ("enum class Kind { a };\nKind kind;\n", 2, ["kind"], True),
]


def outcome(tree):
    """The errors in a tree given as {path: text}."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in tree.items():
            file = Path(directory, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            status = report(Path(directory))
        lines = output.getvalue().splitlines()[:-1]
        assert status == (1 if lines else 0)
        return lines


def self_test():
    """Checks that this program reports what it must; returns the exit status."""
    clean = {"src/runtime/sys/a.cpp": CLEAN}
    cases = [(clean, []), ({**clean, "src/runtime/sys/b.cpp": CLEAN}, [])]
    for text, line, names, alone in WRONG:
        where = f"src/runtime/sys/a.hpp:{line}: "
        of = [f"{where}these belong in one struct: {', '.join(sorted(all_of))}"
              for all_of in (names, names + ["state"])]
        loose = f"{where}{names[0]} is not an object of a struct of this module"
        cases.append(({"src/runtime/sys/a.hpp": text},
                      [] if not alone else [loose] if len(names) == 1 else of[:1]))
        cases.append(({**clean, "src/runtime/sys/a.hpp": text}, of[1:]))
    module = next(iter(EXCEPTIONS))
    needed = "".join(f"void* {name};\n" for name in EXCEPTIONS[module])
    cases.append(({f"{module}.cpp": needed}, []))
    cases.append(({f"{module}.cpp": ""}, [f"{module}: the exception {name} is not needed"
                                          for name in sorted(EXCEPTIONS[module])]))
    failures = 0
    for tree, expected in cases:
        got = outcome(tree)
        if got != expected:
            failures += 1
            print(f"of {list(tree.values())[-1]!r}\nexpected {expected}\n     got {got}")
    if not outcome({}):
        failures += 1
        print("an empty tree passes")
    print(f"self-test: {len(cases) + 1} cases, {failures} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Checks where modules of the runtime have state.")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="check this program itself")
    arguments = parser.parse_args()
    return self_test() if arguments.self_test else report(arguments.root)


if __name__ == "__main__":
    sys.exit(main())
