#!/usr/bin/env python3
"""System calls that are refused, as containers do it, change no verdict.

usage: refused_test.py HEDDLE [PART OF A NAME...]

Programs are explored with one system call refused, with EPERM and with ENOSYS, for each of those that
engine and runtime need. What comes out must be the verdict as ever, or exit status 2 with one line
that says what was refused; never a finding that there is not, a bug of Heddle's, or a hang.
"""

import argparse
import errno
import itertools
import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import program_files

# With the sanitizers, heddle would be checked for leaks at its end by a process of its own, which
# what is done here disturbs as well: it would never end.
# And what is loaded here comes before the sanitizer's library.
os.environ["ASAN_OPTIONS"] = (os.environ.get("ASAN_OPTIONS", "") +
                              ":detect_leaks=0:verify_asan_link_order=0")

KEYS = "verdict", "complete", "executions", "blocked"
SECONDS = 600  # nothing here takes more than one, unless it hangs

# Refuses one system call from now on, and runs a command. As a library that is loaded with others, it
# does so in all programs but Heddle itself; or else in Heddle and its children, but not to the libraries
# of the sanitizers: they call by instructions of their own, or by functions that are here for them.
REFUSE = r"""
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IF(test, value, then, otherwise) BPF_JUMP(BPF_JMP | test | BPF_K, value, then, otherwise)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define LOW offsetof(struct seccomp_data, instruction_pointer)
#define HIGH (LOW + 4)
typedef struct {
  int count;
  struct { size_t begin, end; } of[3];
} Spared;  // instructions, the calls of which are not refused
static int refuse(int number, int error, const Spared* spared) {
  // Jumps count from the next line. After number, and after each range, comes what holds if it is not it.
  struct sock_filter code[64] = {LOAD(offsetof(struct seccomp_data, nr)), IF(BPF_JEQ, number, 1, 0),
                                 RETURN(SECCOMP_RET_ALLOW)};
  int size = 3;
  for (int k = 0; k < spared->count; ++k) {
    const size_t begin = spared->of[k].begin, end = spared->of[k].end;
    const struct sock_filter of_range[] = {
        LOAD(HIGH), IF(BPF_JGT, begin >> 32, 3, 0), IF(BPF_JEQ, begin >> 32, 0, 8),
        LOAD(LOW),  IF(BPF_JGE, (unsigned)begin, 0, 6),
        LOAD(HIGH), IF(BPF_JGT, end >> 32, 4, 0),   IF(BPF_JEQ, end >> 32, 0, 2),
        LOAD(LOW),  IF(BPF_JGE, (unsigned)end, 1, 0),
        RETURN(SECCOMP_RET_ALLOW)};
    memcpy(code + size, of_range, sizeof of_range);
    size += sizeof of_range / sizeof *of_range;
  }
  code[size++] = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | error);
  struct sock_fprog filter = {size, code};
  syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}
#if defined(IN_WORKERS)
__attribute__((constructor)) static void begin(void) {
  const Spared nothing = {0};
  char path[4096] = {0};
  if (readlink("/proc/self/exe", path, sizeof path - 1) < 0) return;
  if (strcmp(basename(path), "heddle") == 0) return;
  if (refuse(atoi(getenv("REFUSED")), atoi(getenv("REFUSED_WITH")), &nothing) != 0) _exit(99);
}
#elif defined(IN_SANITIZED)
static int spare(struct dl_phdr_info* library, size_t size, void* out) {
  static const char* const names[] = {"/libasan.so", "/libubsan.so", "/in_sanitized.so"};
  Spared* spared = out;
  for (int n = 0; n < 3; ++n) {
    if (strstr(library->dlpi_name, names[n]) == 0) continue;
    for (int k = 0; k < library->dlpi_phnum; ++k) {
      const ElfW(Phdr)* segment = &library->dlpi_phdr[k];
      if (segment->p_type != PT_LOAD || (segment->p_flags & PF_X) == 0) continue;
      if (spared->count == 3) _exit(99);
      spared->of[spared->count].begin = library->dlpi_addr + segment->p_vaddr;
      spared->of[spared->count++].end = library->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    }
  }
  return 0;
}
static int call(long number, void* first, void* second) {
  __asm__ volatile("syscall" : "+a"(number) : "D"(first), "S"(second) : "rcx", "r11", "memory");
  if (number >= 0) return 0;
  errno = (int)-number;
  return -1;
}
int sigaltstack(void* stack, void* old) { return call(SYS_sigaltstack, stack, old); }
int pipe(int* ends) { return call(SYS_pipe, ends, 0); }
__attribute__((constructor)) static void begin(void) {
  Spared spared = {0};
  dl_iterate_phdr(spare, &spared);
  if (spared.count != 3) _exit(99);
  if (refuse(atoi(getenv("REFUSED")), atoi(getenv("REFUSED_WITH")), &spared) != 0) _exit(99);
  unsetenv("LD_PRELOAD");  // children have the filter, and functions of their own
}
#else
int main(int argc, char** argv) {
  const Spared nothing = {0};
  if (refuse(atoi(argv[1]), atoi(argv[2]), &nothing) != 0) return 99;
  execvp(argv[3], argv + 3);
  return 98;
}
#endif
"""

DIES = r"""
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* work(void* unused) {
  if (x == 1) *(volatile int*)8 = 1;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  pthread_join(t, 0);
}
"""

# Leaves behind what has to be put back, and does not mind if that does not succeed.
LEAVES = r"""
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
static atomic_int x;
static int plain[5000];
static void* work(void* unused) {
  x++;
  x++;
  return unused;
}
int main(void) {
  char at[4096] = "";
  assert(getcwd(at, sizeof at) == 0 || strcmp(at, "/") != 0);
  if (chdir("/") != 0) at[0] = 1;
  assert(umask(077) != 077);
  for (int k = 0; k < 5; ++k) assert(open("/dev/null", O_RDONLY) < 20);
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) == 0) {
    assert(limit.rlim_cur != 4096);
    limit.rlim_cur = 4096;
    setrlimit(RLIMIT_CORE, &limit);
  }
  char* page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    assert(page[0] == 0);
    page[0] = 1;
  }
  assert(plain[2500] == 0);
  plain[2500] = 1;
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  x++;
  pthread_join(t, 0);
  assert(plain[2500] == 1);
}
"""

# Numbers are those of x86-64. Left out is what no program can do without: to start, to read its
# libraries, to map and protect memory, to end.
CALLS = {
    "write": 1, "lseek": 8, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "ioctl": 16,
    "access": 21, "madvise": 28, "dup2": 33, "nanosleep": 35, "getpid": 39, "clone": 56, "fork": 57,
    "vfork": 58, "wait4": 61, "kill": 62, "fcntl": 72, "ftruncate": 77, "rename": 82, "readlink": 89,
    "fchmod": 91, "umask": 95, "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "ptrace": 101,
    "setpgid": 109, "getppid": 110, "getgroups": 115, "getresuid": 118, "getresgid": 120, "getpgid": 121,
    "sigaltstack": 131, "personality": 135, "prctl": 157, "setrlimit": 160, "gettid": 186, "futex": 202,
    "sched_getaffinity": 204, "getdents64": 217, "set_tid_address": 218, "clock_gettime": 228,
    "clock_getres": 229, "clock_nanosleep": 230, "tgkill": 234, "waitid": 247, "set_robust_list": 273,
    "dup3": 292, "pipe2": 293, "prlimit64": 302, "process_vm_readv": 310, "getrandom": 318,
    "chdir": 80, "fchdir": 81, "getcwd": 79, "mremap": 25, "memfd_create": 319, "rseq": 334, "clone3": 435, "close_range": 436,
}

# In workers only.
MORE_CALLS = {"read": 0, "open": 2, "close": 3, "fstat": 5, "poll": 7, "mmap": 9, "mprotect": 10,
              "pread64": 17, "mremap": 25, "execve": 59, "arch_prctl": 158, "openat": 257,
              "newfstatat": 262}

# What the sanitizers' libraries need themselves in the engine, to which it is refused only when they are
# ready, and never to them: to begin with, AddressSanitizer looks at limits, handles signals and unmaps
# what is not aligned, and when an exception is thrown it asks for the signal stack; where a type is
# checked, UndefinedBehaviorSanitizer finds out by writing to a pipe which memory can be read.
NEEDED_BY_SANITIZERS = "prlimit64", "rt_sigaction", "munmap", "sigaltstack", "pipe2", "write"

# name, source, options
CASES = [
    ("verified", program_files.find("cond_orders_three.c"), []),
    ("isolated", program_files.find("cond_orders_three.c"), ["--isolate", "fork"]),
    ("step by step", program_files.find("cond_broadcast.c"), ["--algorithm", "source"]),
    ("assertion", program_files.find("lost_update.c"), []),
    ("dies", DIES, []),
    ("leaves behind", LEAVES, []),
    ("leaves behind, from the beginning", LEAVES, ["--savepoints", "never"]),
]


def built(heddle, directory):
    refuse = directory / "refuse"
    (directory / "refuse.c").write_text(REFUSE)
    subprocess.run(["cc", directory / "refuse.c", "-o", refuse], check=True)
    for library in "in_workers", "in_sanitized":
        subprocess.run(["cc", f"-D{library.upper()}", "-shared", "-fPIC", directory / "refuse.c", "-o",
                        directory / f"{library}.so"], check=True)
    programs = {}
    for name, source, _ in CASES:
        if isinstance(source, str):
            text, source = source, directory / f"{name.split(',')[0].replace(' ', '_')}.c"
            source.write_text(text)
        programs[name] = directory / source.stem
        if not programs[name].exists():
            subprocess.run([heddle, "cc", source, "-o", programs[name]], check=True)
    return refuse, programs


def preloaded(library, number, error):
    return ["env", f"LD_PRELOAD={library}", f"REFUSED={number}", f"REFUSED_WITH={error}"]


def explored(command):
    """The exit status, what was found, and the lines on stderr. None: it hangs."""
    with tempfile.TemporaryDirectory() as cwd:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, cwd=cwd,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
    found = json.loads(out) if out else {}
    return (process.returncode, [found.get(key) for key in KEYS],
            sorted(f["kind"] for f in found.get("findings", [])), [line for line in err.splitlines() if line])


def judged(command, call, right):
    """What is wrong with it, or nothing."""
    got = explored(command)
    if got is None:
        return "hangs"
    status, _, _, said = got
    if got[:3] == right[:3]:
        return None
    if status == 2 and (call == "write" or (len(said) == 1 and said[0].startswith("heddle: "))):
        return None
    return f"status {status}: {' / '.join(said)[:300]} {got[1:3]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("heddle", type=Path)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    heddle = arguments.heddle.resolve()
    sanitized = b"libasan.so" in heddle.read_bytes()
    failures = 0
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        refuse, programs = built(heddle, Path(directory))
        right = {name: explored([heddle, "run", programs[name], "--json", *options])
                 for name, _, options in CASES}
        tried = []
        for (call, number), error, (name, _, options) in itertools.product(
                (CALLS | MORE_CALLS).items(), (errno.EPERM, errno.ENOSYS), CASES):
            if arguments.names and not any(part in call for part in arguments.names):
                continue
            explore = [heddle, "run", programs[name], "--json", *options]
            title = f"{call} {errno.errorcode[error]} {name}"
            if call in CALLS:
                command = ([*preloaded(refuse.parent / "in_sanitized.so", number, error), *explore]
                           if sanitized and call in NEEDED_BY_SANITIZERS
                           else [refuse, number, error, *explore])
                tried.append((title, pool.submit(judged, command, call, right[name])))
            command = [*preloaded(refuse.parent / "in_workers.so", number, error), *explore]
            tried.append((title + ", worker", pool.submit(judged, command, call, right[name])))
        for title, result in tried:
            if wrong := result.result():
                print(f"FAIL  {title}: {wrong}", flush=True)
                failures += 1
    print(f"{len(tried)} tried, {failures} failures")
    return 1 if failures or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
