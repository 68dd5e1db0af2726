#!/usr/bin/env python3
"""Translates model programs, as `heddle model --show` prints them, to C.

usage: model_to_c.py FILE...    prints one C program of those that C can express; its argument is
                                the index of a FILE

Variables become atomic ones, and each other object what POSIX has for it. Steps of the model are
then visible steps of the compiled program, one to one; what the C program has beside them (the
creation of threads, a barrier at their beginning) adds no traces.
"""

import re
import sys
from pathlib import Path

CMP = r"(==|!=|<=|>=|<|>)"
VALUE = r"(-?\d+|\$\d+(?:[+-]\d+)?)"
OBJECT = r"(\w+(?:\[(?:\d+|\$\d+)\])?)"
DECLARATION = re.compile(r"(\w+) (\w+)(?: (\d+))?(?: = (-?\d+))?$")
THREAD = re.compile(r"(thread|created) (\w+):(.*)")

# What POSIX calls the operations that have no result but whether they succeed.
CALLS = {
    "lock": "pthread_mutex_lock", "unlock": "pthread_mutex_unlock",
    "try_lock": "pthread_mutex_trylock", "timed_lock": "pthread_mutex_timedlock",
    "read_lock": "pthread_rwlock_rdlock", "try_read_lock": "pthread_rwlock_tryrdlock",
    "read_unlock": "pthread_rwlock_unlock", "write_lock": "pthread_rwlock_wrlock",
    "try_write_lock": "pthread_rwlock_trywrlock", "write_unlock": "pthread_rwlock_unlock",
    "wait": "pthread_cond_wait", "timed_wait": "pthread_cond_timedwait",
    "signal": "pthread_cond_signal", "broadcast": "pthread_cond_broadcast",
    "sem_wait": "sem_wait", "timed_sem_wait": "sem_timedwait", "sem_try_wait": "sem_trywait",
    "sem_post": "sem_post", "barrier": "pthread_barrier_wait",
}
TYPES = {"mutex": "pthread_mutex_t", "mutexes": "pthread_mutex_t", "rwlock": "pthread_rwlock_t",
         "cond": "pthread_cond_t", "sem": "sem_t", "barrier": "pthread_barrier_t"}
INITIALISERS = {"mutex": "PTHREAD_MUTEX_INITIALIZER", "rwlock": "PTHREAD_RWLOCK_INITIALIZER",
                "cond": "PTHREAD_COND_INITIALIZER"}
SIMPLE = {"atomic {": "heddle_atomic_begin();", "}": "heddle_atomic_end();", "fence": ";"}

HEAD = """\
#define _GNU_SOURCE
#include <errno.h>
#include <heddle/actors.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

static long at(long index, long size) {
  heddle_assert(index >= 0 && index < size);
  return index;
}
// Threads that wait with a time limit time out in the order of the threads' numbers, as in the model. So late
// are the limits that clocks do not move on to them.
static struct timespec limit(long thread, long wait) {
  return (struct timespec){10000000000 + 1000000 * thread + wait, 0};
}
// POSIX tells who would wait for itself; in the model, it waits.
static void waited(int result) {
  static sem_t nothing;
  if (result == EDEADLK) sem_wait(&nothing);
}
// The sender's number in the model, + 1: it is in the message. 0 if there is none.
static long received(unsigned long accepted, int64_t time) {
  heddle_pattern patterns[64];
  uint32_t count = 0, which;
  for (unsigned tag = 0; tag < 64; ++tag)
    if ((accepted >> tag & 1) != 0) patterns[count++] = heddle_tagged(tag);
  if (count == 0) patterns[count++] = heddle_tagged(64);
  heddle_message* m = heddle_take_(patterns, count, time, &which);
  if (m == NULL) return 0;
  const long sender = *(long*)heddle_data(m) + 1;
  heddle_free_message(m);
  return sender;
}
static void sent(pthread_t to, long tag, long from) {
  heddle_assert(tag >= 0 && tag < 64);
  heddle_send((heddle_process)to, (uint64_t)tag, &from, sizeof from);
}
static int exchanged(_Atomic long* x, long from, long to) {
  return atomic_compare_exchange_strong(x, &from, to);
}
"""


# Data races are findings in C, and end the run. They are compared elsewhere.
WEAK = re.compile(r"\b(plain|relaxed|acquire|release|acq_rel|seq_cst)\b")


class Inexpressible(Exception):
    """C has nothing like it."""


def expressible(text):
    """The program with what C has in the place of what it has not."""
    # Additions that no thread sees commute in the model. Compiled, they are as any others.
    return re.sub(r"(?m)(^|[:;{]) *(\w[\w\[\]$]*) \+= ([^;\n]+)", r"\1 fetch_add \2 \3", text)


class Translator:
    """One program; all its names begin with `prefix`."""

    def __init__(self, text, prefix):
        self.prefix, self.object_prefix = prefix, prefix + "o_"
        self.sizes = {}  # of arrays
        self.globals, self.set_up = [], []
        self.threads, self.created = {}, set()
        self.joined, self.creations = {}, {}
        self.has_messages = bool(re.search(r"\b(send|receive|try_receive) ", text))
        here = None
        for line in text.splitlines():
            line = line.partition("#")[0].strip()
            if match := THREAD.match(line):
                here = self.threads[match[2]] = []
                if match[1] == "created":
                    self.created.add(match[2])
                line = match[3]
            if here is None:
                self.declare(line)
            else:
                if WEAK.search(line):
                    raise Inexpressible("a plain access or a memory order")
                line = line.replace("atomic {", ";atomic {;").replace("}", ";};")
                here += [part.strip() for part in line.split(";") if part.strip()]

    def declare(self, line):
        if not line:
            return
        word, name, size, initial = DECLARATION.match(line).groups()
        self.sizes[name] = int(size) if size else 0
        brackets = f"[{size}]" if size else ""
        name = self.object_prefix + name
        if word in ("var", "array"):
            first = initial or "0"
            if size:
                first = "{" + ", ".join([first] * int(size)) + "}"
            self.globals.append(f"static _Atomic long {name}{brackets} = {first};")
        elif word in TYPES:
            first = INITIALISERS.get(word)
            self.globals.append(f"static {TYPES[word]} {name}{brackets}"
                                + (f" = {first};" if first else ";"))
            if word == "sem":
                self.set_up.append(f"sem_init(&{name}, 0, {initial or 0});")
            if word == "barrier":
                self.set_up.append(f"pthread_barrier_init(&{name}, 0, {initial});")
        else:
            raise Inexpressible(word)

    def value(self, text):
        return re.sub(r"\$(\d+)", r"r\1", text)

    def object(self, text):
        name, _, index = text.rstrip("]").partition("[")
        if name not in self.sizes:
            raise Inexpressible(f"'{text}'")
        if not index:
            return self.object_prefix + name
        return f"{self.object_prefix}{name}[at({self.value(index)}, {self.sizes[name]})]"

    def handle(self, thread):
        return f"{self.prefix}threads[{list(self.threads).index(thread)}]"

    def operation(self, thread, text):
        """The C of an instruction with a result, as an expression."""
        word, *rest = text.split(" ")
        if word in ("receive", "try_receive"):
            return f"received({self.accepted(' '.join(rest))}, {0 if word[0] == 't' else -1})"
        if word == "choose":
            return f"heddle_choose({rest[0]})"
        if word in ("fetch_add", "exchange"):
            return f"atomic_{word}(&{self.object(rest[0])}, {self.value(rest[1])})"
        if word == "cas":
            values = ", ".join(self.value(text) for text in rest[1:])
            return f"exchanged(&{self.object(rest[0])}, {values})"
        if word not in CALLS:
            raise Inexpressible(word)
        arguments = ["&" + self.object(name) for name in rest]
        if word.startswith("timed_"):
            number = list(self.threads).index(thread)
            arguments.append(f"(struct timespec[]){{limit({number}, waits++)}}")
        return f"{CALLS[word]}({', '.join(arguments)}) == 0"

    def accepted(self, text):
        """A set of tags, as bits."""
        if text.startswith("$"):
            return f"(unsigned long)({self.value(text)})"
        if text in ("*", "none"):
            return "~0ul" if text == "*" else "0ul"
        return hex(sum(1 << int(tag) for tag in text.split(","))) + "ul"

    def send(self, thread, to, tag):
        handles = f"{self.prefix}threads"
        to = self.handle(to) if to in self.threads else \
            f"{handles}[at({self.value(to)}, {len(self.threads)})]"
        return f"sent({to}, {self.value(tag)}, {list(self.threads).index(thread)});"

    def instruction(self, thread, text):
        v = self.value
        if match := re.fullmatch(rf"send (\$\d+(?:[+-]\d+)?|\w+) {VALUE}", text):
            return self.send(thread, match[1], match[2])
        if match := re.fullmatch(rf"\$(\d+) = \({OBJECT} {CMP} {VALUE}\)", text):
            return f"r{match[1]} = atomic_load(&{self.object(match[2])}) {match[3]} {v(match[4])};"
        if match := re.fullmatch(rf"\$(\d+) (:=|\+=|\*=) {VALUE}", text):
            return f"r{match[1]} {match[2].replace(':=', '=')} {v(match[3])};"
        if match := re.fullmatch(rf"\$(\d+) %= {VALUE}", text):
            return f"heddle_assert({v(match[2])} != 0); r{match[1]} %= {v(match[2])};"
        if match := re.fullmatch(rf"if \$(\d+) {CMP} {VALUE} goto (\w+)", text):
            return f"if (r{match[1]} {match[2]} {v(match[3])}) goto {match[4]};"
        if match := re.fullmatch(rf"claim \$(\d+) {CMP} {VALUE}", text):
            return f"heddle_assert(r{match[1]} {match[2]} {v(match[3])});"
        if match := re.fullmatch(rf"assume {OBJECT} {CMP} {VALUE}", text):
            return f"heddle_assume(atomic_load(&{self.object(match[1])}) {match[2]} {v(match[3])});"
        if match := re.fullmatch(r"goto (\w+)", text):
            return f"goto {match[1]};"
        if text in SIMPLE:
            return SIMPLE[text]
        if match := re.fullmatch(r"(create|join) (\w+)", text):
            return self.thread_operation(thread, *match.groups())
        if match := re.fullmatch(rf"\$(\d+) = {OBJECT}", text):
            return f"r{match[1]} = atomic_load(&{self.object(match[2])});"
        if match := re.fullmatch(rf"{OBJECT} = {VALUE}", text):
            return f"atomic_store(&{self.object(match[1])}, {v(match[2])});"
        if match := re.fullmatch(r"\$(\d+) = (.*)", text):
            return f"r{match[1]} = {self.operation(thread, match[2])};"
        call = self.operation(thread, text).removesuffix(" == 0")
        return f"waited({call});" if re.match("(read|write)_lock", text) else f"{call};"

    def thread_operation(self, thread, word, other):
        if word == "create":
            if other in self.creations:
                raise Inexpressible("a thread that several may create")
            self.creations[other] = thread
            return f"pthread_create(&{self.handle(other)}, 0, {self.prefix}t_{other}, 0);"
        if other in self.joined:
            raise Inexpressible("a thread that is joined twice")
        if any(re.search(rf"\bsend (\$|{other}\b)", t) for code in self.threads.values() for t in code):
            raise Inexpressible("a thread that may be sent a message when it is known to have ended")
        if other in self.created and self.creations.get(other) != thread:
            raise Inexpressible("a thread that is joined by who did not create it before")
        self.joined[other] = thread
        return f"pthread_join({self.handle(other)}, 0);"

    def body(self, thread):
        lines = []
        for text in self.threads[thread]:
            if match := re.match(r"(\w+):(?!=)\s*(.*)", text):
                lines.append(f"{match[1]}:;")
                text = match[2]
            if text:
                lines.append(self.instruction(thread, text))
        registers = sorted(set(re.findall(r"\br\d+\b", " ".join(lines))))
        variables = "".join(f", {r} = 0" for r in registers)
        if thread not in self.created and self.has_gate():
            lines.insert(0, f"pthread_barrier_wait(&{self.prefix}gate);")
        return [f"static void* {self.prefix}t_{thread}(void* unused) {{",
                f"long waits = 0{variables};", *lines, "return unused;", "}"]

    def has_gate(self):
        """Who is joined by another than who created it, or is sent a message, has to be there first."""
        if self.has_messages and self.created:
            raise Inexpressible("messages to a thread that may not be there")
        return self.has_messages or any(re.search(rf"\bjoin {t}$", text) for t in self.threads if t not in self.created
                   for code in self.threads.values() for text in code)

    def translate(self):
        """The C of the program: a function `PREFIXmain`."""
        bodies = [line for thread in self.threads for line in self.body(thread)]
        started = [t for t in self.threads if t not in self.created]
        main = [f"static void {self.prefix}main(void) {{", *self.set_up]
        if self.has_gate():
            self.globals.append(f"static pthread_barrier_t {self.prefix}gate;")
            main.append(f"pthread_barrier_init(&{self.prefix}gate, 0, {len(started) + 1});")
        main += [f"pthread_create(&{self.handle(t)}, 0, {self.prefix}t_{t}, 0);" for t in started]
        if self.has_gate():
            main.append(f"pthread_barrier_wait(&{self.prefix}gate);")
        declared = [f"static pthread_t {self.prefix}threads[{len(self.threads)}];",
                    *[f"static void* {self.prefix}t_{t}(void* unused);" for t in self.threads]]
        return "\n".join([*self.globals, *declared, *bodies, *main, "pthread_exit(0);", "}"])


def all_in_one(parts):
    """One C program of several, by number; its argument says which one to run."""
    cases = [f"case {n}: p{n}_main();" for n in parts]
    return "\n\n".join([HEAD, *parts.values(), "int main(int argc, char** argv) {",
                        "switch (argc > 1 ? atoi(argv[1]) : 0) {", *cases, "}", "}", ""])


def translate_all(texts):
    """One C program of several model programs."""
    return all_in_one({n: Translator(text, f"p{n}_").translate() for n, text in enumerate(texts)})


def main():
    parts = {}
    for number, file in enumerate(sys.argv[1:]):
        try:
            parts[number] = Translator(Path(file).read_text(), f"p{number}_").translate()
        except Inexpressible:
            pass
    print(all_in_one(parts))


if __name__ == "__main__":
    main()
