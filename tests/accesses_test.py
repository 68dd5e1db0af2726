#!/usr/bin/env python3
"""Generates functions with every kind of access to memory, and compares the hooks that they get with
the accesses that the compiler's front end makes: none is missing, and none is there too often.

Compared are the bytes of each kind that a function accesses, local variables left out. Copies may
be split into smaller ones.
"""

import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pass_test import KINDS, compile

LEVELS = ("-O0", "-O1", "-O2", "-O3")

INTEGERS = {"c": "signed char", "h": "short", "i": "int", "l": "long", "q": "__int128",
            "u": "unsigned", "b": "BOOL"}
FLOATS = {"f": "float", "d": "double", "e": "long double"}
OTHERS = {"p": "void*", "n": "enum number", "v4": "vector4", "v8": "vector8", "v2": "vector2"}
STRUCTS = {f"s{n}": f"struct s{n}" for n in (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 64,
                                            100)}

HEAD = """
#ifdef __cplusplus
#define BOOL bool
#else
#define BOOL _Bool
#endif
enum number { one = 1 };
typedef int vector4 __attribute__((vector_size(16)));
typedef short vector8 __attribute__((vector_size(16)));
typedef float vector2 __attribute__((vector_size(8)));
struct bits { int a : 3; int b : 9; unsigned c : 1; long d : 40; char e; };
struct packed { char a; long b; short c; } __attribute__((packed));
struct nested { int a[3]; struct { short x, y; } p[2]; union { long l; double d; char c[8]; } u; };
void use(const volatile void*); void use_int(long); void use_double(double);
int varied(int, ...); extern _Thread_local int per_thread;
#define thread_local_int per_thread
""".replace("extern _Thread_local", "extern __thread")

# On values of type T at *p, *q and the variable g.
ON_ANY = [
    "T v = *p; (void)v;", "T v; v = *p;", "T v = p[3]; (void)v;", "*p = *q;", "p[2] = g;",
    "T v = *p, w = v; (void)w;", "T v = *p; use(&v);", "T v[2]; v[1] = *p; v[0] = v[1];",
    "T v = n ? *p : *q; (void)v;", "for (int k = 0; k < n; ++k) { T v = p[k]; (void)v; }",
    "volatile T* x = p; T v; *(T*)&v = *(T*)x;", "static T s; s = *p;", "T* volatile a = p; *a = g;",
    "T v[n + 1]; v[n] = *p; (void)v;", "__builtin_memcpy(p, q, sizeof *p);",
    "T v; __builtin_memcpy(&v, p, sizeof v);", "__builtin_memmove(p + 1, p, sizeof *p);",
    "__builtin_memset(p, 0, sizeof *p);", "T v; __builtin_memset(&v, 0, sizeof v); *p = v;",
    "struct { T a, b; } v; v.a = *p; v.b = *q; (void)v;", "T v = *p; *q = v; *p = v;",
    "switch (n) { case 1: { T v = *p; (void)v; } break; case 2: *p = *q; }",
    "if (n) { T v = *p; (void)v; } else { T v = *q; (void)v; }", "varied(1, *p);",
    "do { T v = *p; (void)v; } while (0);", "goto out; out: { T v = g; (void)v; }",
]
SHARED_VARIABLES = ["use(&v)", "[n + 1]"]  # of these functions, others may see variables
ON_SCALARS = [
    "(void)(*p == *p);", "if (*p) use(p);", "if (*p) {}", "(void)(*p ? 1 : 2);", "(void)!*p;",
    "(void)(*p && *q);", "(void)(*p || *q);", "while (*p) break;", "volatile T* x = p; (void)*x;",
    "volatile T* x = p; T v = *x; (void)v;", "volatile T* x = p; *x = g;", "int v = *p && n; (void)v;",
    "(void)(n ? *p : *q);", "(void)(*p == *q);", "if (*p == *q || !*q) {}", "T v = (*p, *q); (void)v;",
]
ON_NUMBERS = [
    "(void)(*p - *p);", "T v = *p * 0; (void)v;", "++*p;", "(*p)--;", "*p += *q;", "T v = (*p)++; (void)v;",
    "T v = -*p; (void)v;", "long v = (long)*p; (void)v;", "double v = (double)*p; (void)v;",
    "if (*p < *q) return;", "use_int((long)*p);", "use_double((double)*p);", "*p = *p;",
]
ON_INTEGERS = [
    "T v = *p & 0; (void)v;", "T v = *p ^ *p; (void)v;", "T v = *p | -1; (void)v;", "T v = *p << 1; (void)v;",
    "switch (*p) {}", "switch (*p) { case 1: use(p); }", "int v = g % 1; (void)v;", "(void)p[(int)*q & 1];",
]
ATOMIC = [
    *(f"T v = __atomic_load_n(p, __ATOMIC_{order}); (void)v;" for order in ("RELAXED", "ACQUIRE", "SEQ_CST")),
    *(f"__atomic_store_n(p, n, __ATOMIC_{order});" for order in ("RELAXED", "RELEASE", "SEQ_CST")),
    "__atomic_fetch_add(p, 0, __ATOMIC_RELAXED);", "__atomic_exchange_n(p, n, __ATOMIC_ACQ_REL);",
    "T e = n; __atomic_compare_exchange_n(p, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);",
    "__sync_fetch_and_or(p, 0);", "__sync_bool_compare_and_swap(p, 1, 2);", "__sync_synchronize();",
]
ONCE = [
    ("struct bits* p", ["int v = p->a; (void)v;", "p->b = 3;", "p->d = p->a;", "if (p->c) {}", "p->c ^= 1;",
                        "struct bits v = *p; (void)v.b;", "(void)p->d;"]),
    ("struct packed* p", ["long v = p->b; (void)v;", "p->c = p->a;", "struct packed v = *p; (void)v;"]),
    ("struct nested* p", ["int v = p->a[1]; (void)v;", "p->p[1].y = p->p[0].x;", "double v = p->u.d; (void)v;",
                          "struct nested v = *p; use_int(v.a[2]);", "struct nested v = *p; (void)v;",
                          "struct nested v[2] = {p[0], p[1]}; use_int(v[1].p[1].x);"]),
    ("_Complex double* p", ["_Complex double v = *p; (void)v;", "*p = *p * *p;", "double v = __real__ *p; (void)v;"]),
    ("int (*p)[4]", ["int v = (*p)[2]; (void)v;", "(*p)[1] = (*p)[3];", "int v = p[1][2]; (void)v;"]),
    ("int** p", ["int v = **p; (void)v;", "**p = 1;", "int* v = *p; (void)v;", "(void)(*p == 0);"]),
    ("int* p", ["(void)per_thread;", "int v = per_thread; (void)v;", "per_thread = *p;",
                "__builtin_va_list* l = (__builtin_va_list*)p; int v = __builtin_va_arg(*l, int); (void)v;"]),
    ("char* p", ["char v[100]; __builtin_memcpy(v, p, 100);", "char v[100]; __builtin_memcpy(v, p, 100); use_int(v[50]);",
                 "long v; __builtin_memcpy(&v, p, 3); use_int(v);", "for (char* s = p; *s; ++s) {}"]),
]
ONCE_CXX = [
    ("S* p", ["p->dead();", "const S& r = *p; int v = r.a; (void)v;", "int S::*m = &S::a; int v = p->*m; (void)v;",
              "auto [x, y] = *p; (void)x;", "auto& [x, y] = *p; int v = y; (void)v;", "S v(*p); (void)v;",
              "const int& r = p->a; int v = r; (void)v;",
              "S v = static_cast<S&&>(*p); (void)v;"]),
    ("D* p", ["V& v = *p; (void)v.x;", "int v = p->x; (void)v;", "p->f();", "delete p;"]),
]
HEAD_CXX = """
struct S { int a; long b; int dead() { int v = a; (void)v; return 0; } };
struct V { int x; virtual ~V(); virtual int f(); }; struct D : virtual V { int y; ~D(); };
"""


def functions(cxx):
    """(its text, with @ for its name) of each function."""
    kinds = [(INTEGERS, ON_ANY + ON_SCALARS + ON_NUMBERS + ON_INTEGERS), (FLOATS, ON_ANY + ON_SCALARS + ON_NUMBERS),
             ({k: OTHERS[k] for k in ("p", "n")}, ON_ANY + ON_SCALARS),
             ({k: t for k, t in OTHERS.items() if k[0] == "v"}, ON_ANY), (STRUCTS, ON_ANY)]
    for types, statements in kinds:
        for (key, name), statement in itertools.product(types.items(), statements):
            if key == "b" and re.search(r"\+\+|--|-\*p|\+=|<<|switch|% ", statement):
                continue
            if cxx and ("goto" in statement or "[n + 1]" in statement and name.startswith("struct")):
                continue
            yield (f"static {name} g@; void* a@ = &g@;\nvoid f@({name}* p, {name}* q, int n) {{\n"
                   f"typedef {name} T; " + re.sub(r"\bg\b", "g@", statement) + "\n}\n")
    for key, statement in itertools.product("chilu", ATOMIC):
        name = INTEGERS[key]
        yield f"void f@({name}* p, int n) {{\ntypedef {name} T; {statement}\n}}\n"
    for parameter, statements in ONCE + (ONCE_CXX if cxx else []):
        for statement in statements:
            yield f"void f@({parameter}) {{\n{statement}\n}}\n"
    for name in STRUCTS.values():
        yield f"int take@({name}); void f@({name}* p) {{\ntake@(*p);\n}}\n"
        yield f"{name} f@({name}* p) {{\nreturn *p;\n}}\n"


def program(cxx):
    structs = "".join(f"struct s{t[8:]} {{ char c[{t[8:]}]; }};\n" if int(t[8:]) % 4 else
                      f"struct s{t[8:]} {{ int i[{int(t[8:]) // 4}]; }};\n" for t in STRUCTS.values())
    text = "".join(f.replace("@", str(k)) for k, f in enumerate(functions(cxx)))
    return (HEAD + structs + HEAD_CXX * cxx + ('extern "C" {\n' if cxx else "") + text
            + ("}\n" if cxx else ""))


def size_of(type):
    """In bytes, as it is stored."""
    type = type.strip()
    if type in ("ptr", "double", "i64"):
        return 8
    if type in ("float", "i32"):
        return 4
    if type == "x86_fp80":
        return 10
    if match := re.fullmatch(r"i(\d+)", type):
        return (int(match[1]) + 7) // 8
    if match := re.fullmatch(r"[\[<](\d+) x (.*)[\]>]", type):
        return int(match[1]) * size_of(match[2])
    if match := re.fullmatch(r"{ (.*) }", type):  # of two, both alike, or one behind the other
        parts = [size_of(t) for t in match[1].split(", ")]
        return max(parts[0], parts[1]) + parts[1]
    raise AssertionError(f"type {type}")


TYPE = r"(?:i\d+|ptr|float|double|x86_fp80|\[[^]]*\]|<[^>]*>|{[^}]*})"
VALUE = r'(?:[%@](?:[\w.$-]+|"[^"]*")|null|undef)'


def accesses(module):
    """{function: how many bytes it accesses in each way}, without its own variables."""
    out = {}
    for name, body in re.findall(r'^define [^\n]*?@"?([\w.$]+)"?\([^\n]*\n(.*?)^}', module, re.M | re.S):
        bases = {}
        for target, text in re.findall(r"^  (%[\w.$-]+) = (alloca|getelementptr [^\n]*)", body, re.M):
            base = re.search(rf"ptr ({VALUE})", text)
            bases[target] = "alloca" if text == "alloca" else bases.get(base[1], base[1])
        count = out[name] = Counter()

        def add(kind, address, size):
            if bases.get(address) != "alloca":
                count[kind] += size

        for line in body.splitlines():
            line = line.strip()
            if "auto-init" in line or "!annotation" in line:
                continue
            if match := re.search(rf"= load (atomic )?(volatile )?({TYPE}), ptr ({VALUE})", line):
                add("load" if match[1] or match[2] else "read", match[4], size_of(match[3]))
            elif match := re.match(rf"store (atomic )?(volatile )?({TYPE}) .*, ptr ({VALUE})(?: \w+)*, align", line):
                add("store" if match[1] or match[2] else "write", match[4], size_of(match[3]))
            elif match := re.search(rf"atomicrmw (?:volatile )?\w+ ptr ({VALUE}), (\w+)", line):
                add("update", match[1], size_of(match[2]))
            elif match := re.search(rf"cmpxchg (?:weak )?ptr ({VALUE}), (\w+)", line):
                add("compare_exchange", match[1], size_of(match[2]))
            elif match := re.search(rf"@llvm\.mem(cpy|move)\..*?\(ptr [^%@]*({VALUE}), ptr [^%@]*({VALUE}), i64 (\d+)", line):
                add("write", match[2], int(match[4]))
                add("read", match[3], int(match[4]))
            elif match := re.search(rf"@llvm\.memset\..*?\(ptr [^%@]*({VALUE}), .*?, i64 (\d+)", line):
                add("write", match[1], int(match[2]))
            elif "byval(" in line and "call" in line:
                for size, address in re.findall(rf"byval\(%struct\.s(\d+)\)[^,%@]*({VALUE})", line):
                    add("read", address, int(size))
    return out


def hooked(module):
    """The same, as the hooks tell."""
    sites = {name: [int(n) for n in re.findall(r" i\d+ (-?\d+)", fields)] for name, fields in
             re.findall(r"^@(heddle\.site[.\d]*) = .*?{ ptr (.*?) }", module, re.M)}
    out = {}
    for name, body in re.findall(r'^define [^\n]*?@"?([\w.$]+)"?\([^\n]*\n(.*?)^}', module, re.M | re.S):
        count = out[name] = Counter()
        for site in re.findall(r"call void @__heddle_(?!end\()\w+\(.*?@(heddle\.site[.\d]*)", body):
            kind, size = KINDS[sites[site][2]], sites[site][4]
            if kind not in ("call", "loop", "fence"):
                count[kind] += size
    return out


def front_end(source, level):
    compiler = "clang++-19" if source.suffix == ".cpp" else "clang-19"
    command = [compiler, "-O1" if level == "-O0" else level, "-g", "-w", "-fno-omit-frame-pointer",
               "-ftrivial-auto-var-init=pattern", "-fno-delete-null-pointer-checks",
               "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-", str(source)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stderr[:3000])
    return result.stdout


def check(heddle, source):
    lines = source.read_text().splitlines()
    lines_of = {match[1]: k for k, line in enumerate(lines) if (match := re.search(r"(f\d+)\(", line))}
    for level in LEVELS:
        wanted, found = accesses(front_end(source, level)), hooked(compile(heddle, source, level, "-w"))
        print(f"{source.name} {level}: {sum(sum(c.values()) for c in wanted.values())} bytes in "
              f"{len(wanted)} functions")
        for name, count in wanted.items():
            text = " ".join(lines[lines_of[name]:lines_of[name] + 2]) if name in lines_of else name
            own = any(shared in text for shared in SHARED_VARIABLES)
            if name in found and not (count <= found[name] if own else count == found[name]):
                yield (f"{source.name} {level}: {text}: hooks for {dict(found[name])}, accesses "
                       f"{dict(count)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle")
    heddle = str(Path(parser.parse_args().heddle).resolve())
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for name in ("accesses.c", "accesses.cpp"):
            source = Path(directory, name)
            source.write_text(program(name.endswith("pp")))
            failures += check(heddle, source)
    for failure in failures[:40]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
