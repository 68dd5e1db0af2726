#!/usr/bin/env python3
"""Compiles small functions and compares the hooks that the pass puts into them.

Each function carries the hooks it must have, in order, in a comment before it:

    // load/acquire read call ...

The module is looked at right after the pass, before the compiler's own passes move code about.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ORDERINGS = ["none", "relaxed", "acquire", "release", "acquire_release", "sequential"]
KINDS = ["read", "write", "load", "store", "update", "compare_exchange", "fence", "call", "loop"]

ACCESSES = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int g; const int table[] = {1, 2, 3}; volatile int v; atomic_int a; _Thread_local int t;
struct big { long x[8]; } b, c;
void outside(int*); void take(struct big); double sin(double);

// read write
void plain(void) { g = g + 1; }
// load/sequential store/sequential
void volatiles(void) { v = v + 1; }
// call barrier_wait
void barrier(pthread_barrier_t* b) { pthread_barrier_wait(b); }
// call before
void copy_string(const char* from) { strcpy((char*)b.x, from); }
// call before end
void into_private(const char* from) { char x[9]; strcpy(x, from); }
// call
int serial(pthread_barrier_t* b) { return pthread_barrier_wait(b); }
// load/acquire store/release update/relaxed
void atomics(void) {
  if (atomic_load_explicit(&a, memory_order_acquire))
    atomic_store_explicit(&a, 1, memory_order_release);
  atomic_fetch_add_explicit(&a, 1, memory_order_relaxed);
}
// compare_exchange/acquire_release
int exchange(int e) {
  return atomic_compare_exchange_strong_explicit(&a, &e, 2, memory_order_acq_rel,
                                                 memory_order_relaxed);
}
// fence/sequential
void fences(void) {
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
}
// -
int local(int n) { volatile int x[4]; x[n & 3] = n; return x[0] + table[n & 1]; }
// write call read end
int escaping(void) { int x = 1; outside(&x); return x; }
// call read end
int escaping_unset(void) { int x; outside(&x); return x; }
// read_range write_range
void copy(void) { b = c; }
// read_range
long copy_in(int k) { struct big l = b; l.x[k] = 2; return l.x[7 - k]; }
// write_range
void fill(size_t n) { memset(&b, 0, n); }
// read_range call
void by_value(void) { take(b); }
// -
long passed(struct big p, int k) { p.x[k] = 1; return p.x[7 - k]; }
// write_range
struct big result(void) { struct big r = {{0}}; return r; }
// read write
void thread_local_too(void) { ++t; }
// call call before
void calls(char* p) { free(p); printf("%s", "x"); }
// call
void numbers(void) { printf("%5.2f %%s %d", 0.5, 1); }
// call
void indirect(void (*f)(void)) { f(); }
// -
double mathematics(double x) { return sin(x); }
// -
__attribute__((disable_sanitizer_instrumentation)) void left_alone(void) { g = 1; }
// -
__attribute__((naked)) void bare(void) { __asm__("ret"); }
// call begin read write call end
void __VERIFIER_atomic_step(void) { ++g; }
// call begin read read call end
int __VERIFIER_atomic_two_ways(void) { if (g) return 1; return t; }
// write
void speculation(int x) { if (x) g = 1; }
// call read
int main(int argc, char** argv) { if (argc > 9) return main(1, argv); puts("x"); return g; }
"""

LOOPS = r"""
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
atomic_int flag, turn, want[2], serving, ticket, seq; atomic_flag lock; int data[2], ready, g;
pthread_mutex_t m; sem_t s; volatile int v; int outside(void);
struct node { struct node* next; }; _Atomic(struct node*) head;

// loop load/sequential spin
void wait(void) { while (!atomic_load(&flag)); }
// loop load/sequential spin
void wait_volatile(void) { while (!v); }
// loop read spin
void wait_plain(void) { while (!g); }
// loop load/sequential call spin
void yielding(void) { while (!atomic_load(&flag)) sched_yield(); }
// loop load/sequential spin
void pausing(void) { while (!atomic_load(&flag)) __builtin_ia32_pause(); }
// loop load/sequential spin
void pausing_too(void) { while (!atomic_load(&flag)) __asm__ volatile("pause" ::: "memory"); }
// loop load/sequential call private spin
void sleeping(void) {
  while (!atomic_load(&flag)) { struct timespec t = {0, 1000}; nanosleep(&t, 0); }
}
// loop update/acquire spin
void test_and_set(void) { while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)); }
// loop loop load/relaxed update/sequential spin spin
void test_and_test(void) {
  do while (atomic_load_explicit(&flag, memory_order_relaxed)); while (atomic_exchange(&flag, 1));
}
// loop compare_exchange/sequential spin
void cas(void) { int e = 0; while (!atomic_compare_exchange_weak(&flag, &e, 1)) e = 0; }
// store/sequential store/sequential loop load/sequential load/sequential spin
void peterson(int i) {
  atomic_store(&want[i], 1);
  atomic_store(&turn, 1 - i);
  while (atomic_load(&want[1 - i]) && atomic_load(&turn) == 1 - i);
}
// update/sequential loop load/sequential spin
void ticket_lock(void) { int t = atomic_fetch_add(&ticket, 1); while (atomic_load(&serving) != t); }
// loop load/sequential read read load/sequential spin
int seqlock(void) {
  for (;;) {
    int s1 = atomic_load(&seq);
    if (s1 & 1) continue;
    int x = data[0] + data[1];
    if (atomic_load(&seq) == s1) return x;
  }
}
// loop call read call spin call
void polling(void) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (ready) break;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_unlock(&m);
}
// loop call spin
void trying(void) { while (sem_trywait(&s)); }
// read
__attribute__((noinline)) static int is_ready(void) { return g; }
// loop spin
void by_function(void) { while (!is_ready()); }
// loop spin
void forever(void) { for (;;); }
// loop load/sequential loop load/sequential spin spin
void nested(void) { while (!atomic_load(&flag)) while (atomic_load(&turn)); }
// loop load/sequential spin
void dead_counter(void) { int n = 0; while (!atomic_load(&flag)) ++n; }
// loop load/sequential read write_in_loop spin
void counter_in_memory(void) { while (!atomic_load(&flag)) ++g; }

// loop load/sequential read read call spin call
int leaving_with_value(void) {
  for (;;) {
    int busy = atomic_load(&flag);
    if (busy) continue;
    int x = data[0] + data[1];
    if (x) { pthread_mutex_unlock(&m); return x; }
    sched_yield();
  }
}
// loop call private spin
void value_of_semaphore(void) { for (;;) { int x; sem_getvalue(&s, &x); if (x) break; } }
// loop call private spin
int value_kept(void) { for (;;) { int x; sem_getvalue(&s, &x); if (x) return x; } }
// loop read call spin
void value_in_memory(void) { while (!g) sem_getvalue(&s, &g); }

// round load/sequential again left left
int bounded(int n) { while (n--) if (atomic_load(&flag)) return 1; return 0; }
// load/sequential call
int counting(void) { int n = 0; while (!atomic_load(&flag)) ++n; return n; }
// load/sequential loop write_in_loop compare_exchange/sequential spin
void push(struct node* n) {
  struct node* o = atomic_load(&head);
  do n->next = o; while (!atomic_compare_exchange_weak(&head, &o, n));
}
// load/sequential call
void printing(void) { while (!atomic_load(&flag)) puts("."); }
// load/sequential call
void by_unknown(void) { while (!atomic_load(&flag)) outside(); }
// load/sequential call
void by_pointer(void (*f)(void)) { while (!atomic_load(&flag)) f(); }
// loop load/sequential keep spin
int private_array(int k) { int x[9] = {0}; while (!atomic_load(&flag)) x[k] ^= k; return x[0]; }
// load/sequential call private
void kept_time(void) { struct timespec t = {9, 0}; while (!atomic_load(&flag)) nanosleep(&t, &t); }
// loop load/sequential spin
void assembly(void) { while (!atomic_load(&flag)) __asm__ volatile("nop"); }
// load/sequential call
void unknown_assembly(void) { while (!atomic_load(&flag)) __asm__ volatile("clts" ::: "memory"); }
// loop update/sequential spin
void assembly_lock(void) {
  int v = 1;
  do __asm__ volatile("xchgl %0, %1" : "+r"(v), "+m"(g) : : "memory"); while (v);
}
// loop read spin
int walk(struct node* n) { struct node* o; while ((o = n->next)) n = o; return 0; }
// read read
int recursive(int n) { return g ? recursive(n - 1) : g; }
// load/sequential
void by_recursion(void) { while (!atomic_load(&flag)) recursive(3); }
"""

ASSEMBLY = r"""
#include <immintrin.h>
#include <x86intrin.h>
int g; long l; char c; short s; struct { long a, b; } w;
// update/sequential
int exchange(int v) { __asm__ volatile("xchg %0, %1" : "+r"(v), "+m"(g)); return v; }
// update/sequential
long add(long v) { __asm__ volatile("lock xaddq %q0, %1" : "+r"(v), "+m"(l) :: "memory"); return v; }
// update/sequential
void on_pointer(int* p) { __asm__ volatile("lock; decl (%0)" : : "r"(p) : "memory"); }
// update/sequential
void beside(long* p, long k) { __asm__ volatile("lock; incq 8(%0,%1,8)" : : "r"(p), "r"(k) : "memory"); }
// compare_exchange/sequential
int compare(int e, int v) {
  __asm__ volatile("lock\n\tcmpxchgl %2, %1" : "+a"(e), "+m"(g) : "r"(v) : "memory"); return e;
}
// compare_exchange/sequential
char compare_set(long e, long v) {
  char z;
  __asm__ volatile("lock; cmpxchgq %3, %0; setz %1" : "+m"(l), "=q"(z), "+a"(e) : "r"(v) : "memory", "cc");
  return z;
}
// compare_exchange_wide/sequential
void pair(long a, long b) {
  __asm__ volatile("lock cmpxchg16b %0" : "+m"(w), "+a"(a), "+d"(b) : "b"(1L), "c"(2L) : "cc");
}
// read write
void plain(void) { __asm__ volatile("addl $1, %0" : "+m"(g)); }
// update/sequential
void bit(long k) { __asm__ volatile("lock; btsq %1, %0" : "+m"(l) : "Jr"(k) : "memory"); }
// load/acquire
int load(void) { int v; __asm__ volatile("movl %1, %0" : "=r"(v) : "m"(g) : "memory"); return v; }
// read
int plain_load(void) { int v; __asm__("movl %1, %0" : "=r"(v) : "m"(g)); return v; }
// store/release
void store(char v) { __asm__ volatile("movb %1, %0" : "=m"(c) : "iq"(v) : "memory"); }
// load/acquire
int load_wide(void) { int v; __asm__ volatile("movzwl %1, %0" : "=r"(v) : "m"(s)); return v; }
// fence/sequential fence/acquire fence/release fence/sequential
void fences(void) {
  __asm__ volatile("mfence; lfence\n sfence" ::: "memory");
  __asm__ volatile("lock; orq $0, (%%rsp)" ::: "memory", "cc");
  __asm__ volatile("" ::: "memory"); __asm__ volatile("pause" ::: "memory");
}
// fence/sequential fence/acquire fence/release
void fences_too(void) { _mm_mfence(); _mm_lfence(); _mm_sfence(); _mm_pause(); _mm_prefetch(&g, 1); }
// -
int computes(int x) { __asm__("bswap %0" : "+r"(x)); return x; }
// -
void keeps(int* p) { __asm__ volatile("" : : "r"(p) : "memory"); }
// call
void unknown(char* p) { __asm__ volatile("fnsave (%0)" : : "r"(p) : "memory"); }
// call
void jumps(int v) { __asm__ volatile("1: lock; decl %0; jns 1b" : "+m"(g)); }
// call
unsigned leaf(void) { unsigned a = 0, b, c, d; __asm__("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d)); return a; }
// cycles cycles
long time(void) { unsigned p; return __rdtsc() + __rdtscp(&p); }
// read write read_range
void control(unsigned* p) { __builtin_ia32_ldmxcsr(*p); }
// write_range
void save(char* p) { _fxsave(p); }
__attribute__((target("xsave"))) void save_more(char* p);
// call
void save_more(char* p) { _xsave(p, ~0); }
"""

CXX = r"""
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
std::atomic<int> flag; std::mutex m; int ready; std::atomic_flag held;
struct Throws { ~Throws(); };
int may_throw();
extern "C" {
// loop load/sequential spin
void wait_() { while (flag == 0); }
// loop load/acquire call spin
void yielding() { while (!flag.load(std::memory_order_acquire)) std::this_thread::yield(); }
// loop load/sequential call private read spin
void sleeping() { while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
// loop update/acquire spin
void spinlock() { while (held.test_and_set(std::memory_order_acquire)); }
// loop compare_exchange/sequential spin
void cas() { int e = 0; while (!flag.compare_exchange_strong(e, 1)) e = 0; }
// loop call call read call spin call
void polling() { for (;;) { std::lock_guard<std::mutex> l(m); if (ready) break; } }
// call begin call call end call end
void __VERIFIER_atomic_throws() { may_throw(); }
// load/acquire call call write call read call
int once() { static int x = may_throw(); return x; }
}
"""


def compile(heddle, source, *options):
    """The module as the pass leaves it."""
    command = [heddle, "c++" if source.suffix == ".cpp" else "cc", str(source), *options,
               "-c", "-o", "/dev/null", "-mllvm", "-print-after=heddle"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=3000)
    if result.returncode != 0:
        raise AssertionError(result.stderr)
    return result.stderr


def hooks(module):
    """{function: its hooks}, with the orderings of atomic ones."""
    sites = {}
    for name, fields in re.findall(r"^@(heddle\.site[.\d]*) = .*?{ ptr (.*?) }", module, re.M):
        numbers = [int(n) for n in re.findall(r" i\d+ (-?\d+)", fields)]
        sites[name] = numbers  # line, column, kind, ordering, size
    out = {}
    for line in module.splitlines():
        if match := re.match(r'define .*?@"?([\w.$]+)"?\(', line):
            out[match[1]] = here = []
        elif match := re.search(r"(?:call|invoke) .*?@heddle_atomic_(\w+)\(", line):
            here.append(match[1])
        elif match := re.search(r"call .*?@__heddle_(\w+)\(", line):
            site = re.search(r"@(heddle\.site[.\d]*)", line)
            here.append(describe(match[1], sites[site[1]] if site else None))
    return out


def describe(hook, site):
    """The hook's name, with the ordering that its site has."""
    if site is None:
        return hook
    kind, ordering = KINDS[site[2]], ORDERINGS[site[3]]
    if hook == "end" and kind == "write":
        return hook
    if kind != re.sub("_range|_wide|_in_loop", "", hook).replace("spin", "loop") and not (
            kind == "loop" and hook in ("round", "again", "left", "call")):
        return f"{hook}(a site of kind {kind})"
    return hook if ordering == "none" else f"{hook}/{ordering}"


def expected(text):
    """{function: the hooks in the comment before it}."""
    out = {}
    for comment, line in re.findall(r"^// (.*)\n(.*)", text, re.M):
        name = re.findall(r"(\w+)\(", line.replace("__attribute__((", ""))
        name = [n for n in name if n not in ("disable_sanitizer_instrumentation",)][0]
        out[name] = comment.split() if comment != "-" else []
    return out


def check_hooks(heddle, directory):
    for name, text in (("accesses.c", ACCESSES), ("loops.c", LOOPS), ("assembly.c", ASSEMBLY), ("library.cpp", CXX)):
        source = Path(directory, name)
        source.write_text(text)
        found = hooks(compile(heddle, source))
        for function, wanted in expected(text).items():
            got = found[function]
            if got != wanted:
                yield f"{name}: {function} has {' '.join(got)}, not {' '.join(wanted)}"
        for level in ("-O0", "-O2", "-O3", "-Os", "-Oz"):
            other = hooks(compile(heddle, source, level))
            for function in found.keys() | other.keys():
                if found.get(function) != other.get(function):
                    yield f"{name}: {function} differs at {level}"


def check_sites(heddle, directory):
    """Places are the user's: not those of the standard library, but those of own headers."""
    Path(directory, "include").mkdir()
    Path(directory, "include", "own.h").write_text(
        "inline int& own(int& x) {\n  ++x;\n  return x;\n}\n")
    source = Path(directory, "places.cpp")
    source.write_text('#include <atomic>\n#include "include/own.h"\nstd::atomic<long> a; int x;\n'
                      "int f() {\n  a = 7;\n  return own(x);\n}\n")
    module = compile(heddle, source)
    texts = dict(re.findall(r'^@(heddle\.text[.\d]*) = .*? c"(.*?)\\00"', module, re.M))
    sites = {(texts[file].rsplit("/", 1)[-1], texts[function], int(line), int(kind), int(size))
             for file, function, line, kind, size in re.findall(
                 r"{ ptr @(heddle\.text[.\d]*), ptr @(heddle\.text[.\d]*), i32 (\d+), i16 \d+, "
                 r"i8 (\d+), i8 \d+, i32 (\d+), i8 \d+, i8 \d+, i8 \d+ }", module)}
    for site in (("places.cpp", "f", 5, KINDS.index("store"), 8),
                 ("own.h", "own", 2, KINDS.index("write"), 4)):
        if site not in sites:
            yield f"{site} is not among {sites}"


def check_once(heddle, directory):
    """What is compiled again from the compiler's own output is not instrumented again."""
    source, module = Path(directory, "once.c"), Path(directory, "once.ll")
    source.write_text("int g; void f(void) { g = 1; }\n")
    subprocess.run([heddle, "cc", source, "-S", "-emit-llvm", "-o", module], check=True)
    result = subprocess.run([heddle, "cc", module, "-S", "-emit-llvm", "-o", "-"], check=True,
                            capture_output=True, text=True)
    count = result.stdout.count("call void @__heddle_write")
    if count != 1:
        yield f"a store has {count} hooks after two compilations"


def check_lasting(heddle, directory):
    """The compiler's own passes leave the hooks in."""
    source = Path(directory, "lasting.c")
    source.write_text("int g; void f(void) { g = 1; g = 2; while (!g); for (;;); }\n")
    result = subprocess.run([heddle, "cc", source, "-O3", "-S", "-emit-llvm", "-o", "-"],
                            check=True, capture_output=True, text=True)
    for hook, least in (("write", 2), ("read", 1), ("loop", 2), ("spin", 2)):
        if result.stdout.count(f"@__heddle_{hook}(") - 1 < least:
            yield f"__heddle_{hook} is gone at -O3"


def check_kept(heddle, directory):
    """Of functions that a library has as well, the body with hooks is the one that runs."""
    source = Path(directory, "kept.cpp")
    source.write_text("template <typename T> struct S { T& get() {\n"
                      "  static T x; return ++x; } };\nextern template struct S<int>;\n"
                      "int f() { return S<int>().get(); }\n")
    module = compile(heddle, source)
    if not re.search(r"define linkonce_odr .*@_ZN1SIiE3getEv", module):
        yield "the body of S<int>::get is not kept"
    if hooks(module)["_ZN1SIiE3getEv"] != ["read", "write"]:
        yield "S<int>::get has other hooks"


def check_record(heddle, directory):
    """What a module calls and does not define, and what it defines."""
    source = Path(directory, "record.c")
    source.write_text("void called(void); void never(void); void taken(void); int g;\n"
                      "void labelled(void) __asm__(\"label\");\n"
                      "static void own(void) { called(); called(); labelled(); }\n"
                      "void f(void (*p)(void)) { own(); p(); }\nvoid* t = (void*)taken;\n"
                      "void alias(void (*p)(void)) __attribute__((alias(\"f\")));\n")
    module = compile(heddle, source)
    record = re.search(r"@heddle\.module = .*? %heddle\.module { ptr @(\S+), ptr @(\S+), ptr @\S+, "
                       r"i32 (\d+), i32 (\d+), i32 (\d+), i32 \d+, i32 \d+ }", module)
    flags, names, *counts = record.groups()
    called = re.search(rf"@{re.escape(flags)} = .*? c\"(.*?)\"", module)[1]
    text = re.search(rf"@{re.escape(names)} = .*? c\"(.*?)\"", module)[1]
    found = dict(zip(text.split("\\00"), called.strip("\\").split("\\")))
    wanted = {"": "00", "called": "00", "label": "00", "taken": "02"}
    if found != wanted or counts != ["4", "20", "2"]:
        yield f"the record has {found}, {counts}"
    numbers = re.findall(r"@__heddle_call\(.*?, i32 (\d+)\)", module)
    if numbers != ["0", "1", "1", "2"]:
        yield f"calls have the numbers {numbers}"


def check_linked(heddle, directory):
    """Of an inline function of which the linker takes a body without hooks, it is said."""
    sources = {"own.h": "struct C { int v = 0; __attribute__((noinline)) void add() { ++v; } };\n"
                        "inline C& global() { static C c; return c; }\nvoid other();\n",
               "main.cpp": '#include "own.h"\nint main() { global().add(); other(); }\n',
               "other.cpp": '#include "own.h"\nvoid other() { global().add(); }\n'}
    for name, text in sources.items():
        Path(directory, name).write_text(text)
    run = lambda *words: subprocess.run(words, check=True, cwd=directory, capture_output=True, text=True)
    run(heddle, "c++", "-c", "main.cpp")
    for compiler, expected in (([heddle, "c++"], False), (["clang++-19"], True)):
        run(*compiler, "-c", "other.cpp")
        run(heddle, "c++", "other.o", "main.o", "-o", "program")
        limits = json.loads(run(heddle, "run", "program", "--json").stdout)["limits"]
        if any("linker" in limit and "C::add" in limit for limit in limits) != expected:
            yield f"a body by {compiler[0]}: {limits}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle")
    heddle = str(Path(parser.parse_args().heddle).resolve())
    failures = []
    for check in (check_hooks, check_sites, check_once, check_lasting, check_kept, check_record,
                  check_linked):
        with tempfile.TemporaryDirectory() as directory:
            failures += check(heddle, directory)
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
