#!/usr/bin/env python3
"""Checks the table of functions (src/runtime/abi/functions.h).

Every function that the runtime has for programs has a row, and every row of one is such a function.
Of each row, what it says is tried: a thread calls the function with a shared buffer for an argument,
another writes to the buffer, and that must be a data race; so must be to use a stream that another
thread closes, and two uses of a descriptor must come in either order. Functions without a row must be
named as a limit, and so must those with one that are called where no hook can be.

    usage: functions_test.py HEDDLE
"""

import itertools
import json
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r'\{\s*"([^"]+)",\s*FunctionKind::(\w+)(?:,\s*"([^"]*)")?\s*\}')

FILE_WORD = re.compile(r"([fn])[rwoc]$")

# What waits, needs a network, changes the process or is not declared everywhere.
NOT_TRIED = set("""sigwait sigwaitinfo sigtimedwait sigsuspend setrlimit setrlimit64 prlimit prlimit64
    setgroups initgroups crypt ether_ntoa ether_aton getdate gethostbyname gethostbyaddr getservbyname
    getservbyport getprotobyname getpwnam getgrnam mq_send mq_unlink shm_open shm_unlink setxattr
    fsetxattr utime mkstemp64 mkostemp mkdtemp freopen64 utimensat""".split())
# Calls that the general form does not fit; B is the buffer under test. None: cannot be tried so.
CALLS = {
    "pthread_getcpuclockid": "pthread_getcpuclockid(pthread_self(), (void*)B)",
    "pthread_getattr_np": "pthread_getattr_np(pthread_self(), (void*)B)",
    "pthread_sigmask": "pthread_sigmask(SIG_BLOCK, 0, (void*)B)",
    "sigprocmask": "sigprocmask(SIG_BLOCK, 0, (void*)B)",
    "fputs": "fputs(B, stderr)", "fputs_unlocked": "fputs_unlocked(B, stderr)",
    "fgets": "fgets(B, 8, stdin)", "fwrite": "fwrite(B, 1, 4, stderr)",
    "fwrite_unlocked": "fwrite_unlocked(B, 1, 4, stderr)", "fread": "fread(B, 1, 4, stdin)",
    "fread_unlocked": None, "sem_clockwait":
    "sem_clockwait((void*)B, 0, (void*)O[1])", "timespec_get": "timespec_get((void*)B, TIME_UTC)", "fprintf": "fprintf(stderr, B)",
    "qsort": "qsort(B, 4, 4, compare)", "qsort_r": "qsort_r(B, 4, 4, compare3, 0)",
    "memccpy": None, "mkstemp": None, "strlcpy": None, "freopen": None, "err": None, "errx": None,
    "getloadavg": "getloadavg((void*)B, 3)", "poll": "poll((void*)B, 1, 0)",
    "ppoll": None, "select": None, "pselect": None, "getline": None, "getdelim": None,
    "strsep": None, "frexpl": "frexpl(1, (void*)B)", "modfl": "modfl(1, (void*)B)",
    "pthread_once": "pthread_once((void*)B, nothing)", "call_once": "call_once((void*)B, nothing)",
    "pthread_create": "pthread_create((void*)B, 0, run, 0)", "pthread_setaffinity_np": None,
    "thrd_create": "thrd_create((void*)B, run_c, 0)",
    "pthread_getaffinity_np": "pthread_getaffinity_np(pthread_self(), 8, (void*)B)",
    "pthread_key_create": "pthread_key_create((void*)B, 0)", "tss_create": "tss_create((void*)B, 0)",
    "settimeofday": None, "asctime_r": None, "ctime_r": None, "clock_settime": None,
    "printf": "printf(B)", "dprintf": "dprintf(2, B)", "warn": None, "warnx": None,
    "sprintf": "sprintf(B, \"%d\", 5)", "snprintf": "snprintf(B, 8, \"%d\", 5)",
    "asprintf": "asprintf((void*)B, \"%d\", 5)", "syslog": None, "sigaltstack": None,
    "setitimer": None, "pthread_join": None, "thrd_join": None,
    "dlopen": "dlopen(B, 1)", "pthread_tryjoin_np": None, "pthread_timedjoin_np": None, "pthread_clockjoin_np": None, "posix_memalign":
    "posix_memalign((void*)B, 64, 64)", "strtok_r": "strtok_r(B, \" \", (void*)O[1])",
    "pthread_spin_lock": "pthread_spin_lock((void*)B)", "sendto": None, "pthread_getname_np":
    "pthread_getname_np(pthread_self(), B, 16)", "read": "read(-1, B, 8)",
    "pthread_attr_setaffinity_np": None, "_setjmp": None, "setjmp": None, "__sigsetjmp": None,
    "remquo": "remquo(1, 1, (void*)B)", "utimes": None, "swab": "swab(B, O[1], 8)",
    "memmem": "sink = (long)memmem(B, 8, O[1], 8)", "sem_init": "sem_init((void*)B, 0, 0)", "sched_setaffinity": None, "getcpu": "getcpu((void*)B, 0)",
    "wcstod": "wcstod((void*)B, 0)", "wcsftime": None, "strerror_r": None, "statfs": None,
    "pthread_setcancelstate": "pthread_setcancelstate(0, (void*)B)",
    "pthread_setcanceltype": "pthread_setcanceltype(0, (void*)B)",
    "fstatfs": None, "fopen": "fopen(B, \"r\")", "fopen64": "fopen64(B, \"r\")",
}
# Their own misuse is found too, or that they wait for ever.
MISUSED = re.compile(r"unlock|destroy|barrier_wait|cond.*wait|cnd.*wait|sem_wait|spin_.*lock")
HEAD = r"""
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <syslog.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static char B[4096] __attribute__((aligned(64))), O[8][4096] __attribute__((aligned(64)));
static int which, D;
static FILE* S;
static volatile long sink;
static int compare(const void* a, const void* b) { return 0; }
static int compare3(const void* a, const void* b, void* c) { return 0; }
static void nothing(void) {}
static void* run(void* p) { return p; }
static int run_c(void* p) { return 0; }
static void* call(void* p) {
  switch (which) {
"""
TAIL = r"""
  }
  return 0;
}
static void* touch(void* p) {
  if (which >= STREAMS && which < DESCRIPTORS) fclose(S);
  else if (which >= DESCRIPTORS) lseek(D, 1, SEEK_SET);
  else B[0] = 0;
  return 0;
}
int main(int count, char** words) {
  pthread_t a, b;
  which = atoi(words[1]);
  S = fmemopen(O[7], 64, "r+");
  D = open("/proc/self/exe", O_RDONLY);
  pthread_create(&a, 0, call, 0);
  pthread_create(&b, 0, touch, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL, timeout=300)


def rows(name):
    return [(m[1], m[2], m[3] or "") for m in
            ROW.finditer((ROOT / "src" / "runtime" / "abi" / name).read_text())]


def has_row(name, table):
    return any(name == row[0] or (row[0].endswith("*") and name.startswith(row[0][:-1]))
               for row in table)


def check_exports(heddle, runtime, libraries):
    """What is exported and has no row, and the other way round."""
    listed = run(["nm", "-D", "--defined-only", heddle.parent / "libheddle_rt.so"]).stdout
    exported = {line.split()[2] for line in listed.splitlines()}
    wrong = [f"{name} is exported and has no row" for name in sorted(exported)
             if not has_row(name, runtime + libraries)]
    return wrong + [f"{name} has a row and is not exported" for name, _, _ in runtime
                    if not name.endswith("*") and name not in exported]


def general_call(name, uses, argument):
    words = uses.split(" ")
    texts = []
    for k, word in enumerate(words):
        if k == argument:
            texts.append("(void*)B")
        elif word in "-." or FILE_WORD.match(word):
            texts.append("")
        else:
            texts.append(f"(void*)O[{k}]")
    return texts


def file_cases(table, sort):
    """The same for streams or descriptors, shared ones."""
    for name, kind, uses in table:
        words = uses.split(" ")
        # Streams in memory have no wide characters.
        if (kind == "refused" or "v" in uses or name.endswith("wc") or
                name.startswith(("_", "freopen", "dup", "close", "send", "recv"))):
            continue
        for k, word in enumerate(words):
            if FILE_WORD.match(word) and word[0] == sort:
                texts = [("S" if sort == "f" else "D") if n == k else
                         "\"x\"" if w in ("rf", "rs") else
                         "(void*)&O[5]" if w == "wl" else f"(void*)O[{n}]" if w not in "-." else ""
                         for n, w in enumerate(words)]
                yield name, k, (name, texts)


def cases(table):
    """Each with the name of the function, the argument, and the call."""
    for name, kind, uses in table:
        if (not uses or kind in ("refused", "unseen") or name.startswith(("__", "_Z")) or "v" in uses or
                name in NOT_TRIED):
            continue
        if name in CALLS:
            if CALLS[name] is not None:
                yield name, 0, CALLS[name]
            continue
        for k, word in enumerate(uses.split(" ")):
            if word not in "-." and not FILE_WORD.match(word):
                yield name, k, (name, general_call(name, uses, k))


def plain_arguments(names):
    """The result of each function, and some argument for each parameter, as clang has them."""
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "all.c"
        file.write_text(HEAD.partition("static char B")[0] +
                        "".join(f"void* use_{n} = (void*){n};\n" for n in names))
        text = run(["clang-19", "-w", "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", file,
                    "-o", "-"]).stdout
    out = {}
    for m in re.finditer(r"^declare (.*?)@(?:\"\\01)?(\w+)\"?\((.*?)\)[^()]*$", text, re.MULTILINE):
        parameters = [p.strip() for p in m[3].split(",") if p.strip() and p.strip() != "..."]
        out[m[2].replace("__isoc23_", "").replace("__xpg_", "")] = (
            m[1], ["0" if p.startswith("ptr") else "8" for p in parameters])
    return out


def program(chosen):
    names = sorted({name for name, _, call in chosen if not isinstance(call, str)})
    plain = plain_arguments(names)
    lines = []
    for number, (name, _, call) in enumerate(chosen):
        if not isinstance(call, str):
            result, usual = plain.get(name, ("void", []))
            if "clock" in name:  # CLOCK_REALTIME
                usual = ["0"] * len(usual)
            texts = [given or other for given, other in itertools.zip_longest(call[1], usual)]
            call = f"{name}({', '.join(texts)})"
            if not result.split()[-1:] == ["void"]:  # what is not used need not be called
                call = f"sink = (long){call}"
        lines.append(f"    case {number}: {call}; break;\n")
    return HEAD + "".join(lines) + TAIL


def check_case(heddle, binary, number, name, argument):
    result = run([heddle, "run", binary, "--json", "--keep-going", "--", number])
    try:
        report = json.loads(result.stdout)
        if name.startswith("descriptor "):
            return None if report["executions"] == 2 else f"{name}: {report['executions']} executions"
        kinds = {f["kind"] for f in report["findings"]}
    except (json.JSONDecodeError, KeyError):
        return f"{name}, argument {argument}: {result.stderr[-300:]}"
    if name == "fclose":  # the use that comes second
        return None if "use-after-free" in kinds else f"{name}: {kinds}"
    if "data-race" in kinds or (MISUSED.search(name) and kinds & {"lock-misuse", "deadlock"}):
        return None
    return f"{name}, argument {argument}: no data race: {kinds}"


def check_limits(heddle, directory):
    """What has no row, or is called by way of its address, is named as a limit."""
    source, binary = directory / "limits.c", directory / "limits"
    source.write_text("#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n"
                      "char b[8]; size_t (*volatile f)(const char*) = strlen; int n;\n"
                      "int main(void) { sscanf(\"1\", \"%d\", &n); memcpy(b, \"a\", n + 1);\n"
                      "return (int)f(b) - 1; }\n")
    built = run([heddle, "cc", "-w", source, "-o", binary])
    if built.returncode != 0:
        return [built.stderr]
    limits = " ".join(json.loads(run([heddle, "run", binary, "--json"]).stdout)["limits"])
    wrong = [f"{name} is not named as a limit: {limits}" for name in ("sscanf", "strlen")
             if name not in limits]
    return wrong + (["memcpy is named as a limit"] if "memcpy" in limits else [])


def main():
    heddle = Path(sys.argv[1]).resolve()
    runtime, libraries = rows("functions_of_runtime.h"), rows("functions_of_libraries.h")
    failures = check_exports(heddle, runtime, libraries)
    chosen = list(cases(runtime + libraries))
    streams = list(file_cases(runtime + libraries, "f"))
    descriptors = list(file_cases(runtime + libraries, "n"))
    bounds = [f"-DSTREAMS={len(chosen)}", f"-DDESCRIPTORS={len(chosen) + len(streams)}"]
    chosen += streams + descriptors
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        directory = Path(directory)
        failures += check_limits(heddle, directory)
        source, binary = directory / "functions.c", directory / "functions"
        source.write_text(program(chosen))
        built = run([heddle, "cc", "-w", *bounds, source, "-o", binary, "-lm"])
        if built.returncode != 0:
            print(built.stderr)
            return 1
        failures += [text for text in pool.map(
            lambda c: check_case(heddle, binary, c[0], c[1][0] if c[1] not in descriptors else
                                 f"descriptor {c[1][0]}", c[1][1]), enumerate(chosen)) if text]
    for text in failures:
        print(f"FAIL  {text}")
    print(f"{len(runtime) + len(libraries)} rows, {len(chosen)} calls, {len(failures)} failures")
    return 1 if failures or len(chosen) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
