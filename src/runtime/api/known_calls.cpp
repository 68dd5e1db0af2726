#include "runtime/api/known_calls.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "runtime/abi/functions.h"
#include "runtime/api/uses.hpp"
#include "runtime/kernel/findings.hpp"

namespace heddle::runtime {
namespace {

struct KnownCall {
  long number;
  abi::Uses uses;
  bool outside;  // changes something that is not put back
};

// What the row of the function says. Calls without a name access no memory.
constexpr KnownCall like(long number, std::string_view function, bool outside = false) {
  if (function.empty()) return {number, {}, outside};
  return {number, abi::uses_of(*abi::find_function(function)), outside};
}
constexpr KnownCall changes(long number, std::string_view function) {
  return like(number, function, true);
}

constexpr KnownCall calls[] = {
    like(SYS_write, "write"),
    like(SYS_pread64, "pread64"),
    like(SYS_pwrite64, "pwrite64"),
    like(SYS_access, "access"),
    like(SYS_chdir, "chdir"),
    like(SYS_readlink, "readlink"),
    like(SYS_getcwd, "getcwd"),
    like(SYS_stat, "stat"),
    like(SYS_lstat, "lstat"),
    like(SYS_fstat, "fstat"),
    like(SYS_newfstatat, "fstatat"),
    like(SYS_statfs, "statfs"),
    like(SYS_fstatfs, "fstatfs"),
    like(SYS_poll, "poll"),
    like(SYS_clock_getres, "clock_getres"),
    like(SYS_times, "times"),
    like(SYS_getrusage, "getrusage"),
    like(SYS_uname, "uname"),
    like(SYS_sysinfo, "sysinfo"),
    like(SYS_getrlimit, "getrlimit"),
    like(SYS_sched_getaffinity, "sched_getaffinity"),
    like(SYS_sched_setaffinity, "sched_setaffinity"),
    like(SYS_getcpu, "getcpu"),
    changes(SYS_creat, "creat"),
    changes(SYS_unlink, "unlink"),
    changes(SYS_unlinkat, "unlinkat"),
    changes(SYS_rename, "rename"),
    changes(SYS_renameat, "renameat"),
    changes(SYS_renameat2, "renameat2"),
    changes(SYS_mkdir, "mkdir"),
    changes(SYS_mkdirat, "mkdirat"),
    changes(SYS_rmdir, "rmdir"),
    changes(SYS_link, "link"),
    changes(SYS_linkat, "linkat"),
    changes(SYS_symlink, "symlink"),
    changes(SYS_symlinkat, "symlinkat"),
    changes(SYS_truncate, "truncate"),
    changes(SYS_ftruncate, "ftruncate"),
    changes(SYS_chmod, "chmod"),
    changes(SYS_fchmod, "fchmod"),
    changes(SYS_chown, "chown"),
    changes(SYS_fchown, "fchown"),
    changes(SYS_sendto, "sendto"),
    changes(SYS_connect, "connect"),
    changes(SYS_bind, "bind"),
    like(SYS_getpid, ""),
    like(SYS_getppid, ""),
    like(SYS_getuid, ""),
    like(SYS_geteuid, ""),
    like(SYS_getgid, ""),
    like(SYS_getegid, ""),
    like(SYS_getpgrp, ""),
    like(SYS_getpgid, ""),
    like(SYS_getsid, ""),
    like(SYS_getpriority, ""),
    like(SYS_lseek, "lseek"),
    like(SYS_umask, ""),
    like(SYS_dup, ""),
    like(SYS_fchdir, ""),
    like(SYS_fsync, ""),
    like(SYS_fdatasync, ""),
    like(SYS_membarrier, ""),
    like(SYS_mlock, ""),
    like(SYS_mlock2, ""),
    like(SYS_munlock, ""),
    like(SYS_mlockall, ""),
    like(SYS_munlockall, ""),
    like(SYS_socket, ""),
    like(SYS_listen, ""),
    like(SYS_shutdown, ""),
};

}  // namespace

bool tell_call(long number, const long* arguments) {
  const auto* known = std::find_if(std::begin(calls), std::end(calls),
                                   [&](const KnownCall& c) { return c.number == number; });
  if (known == std::end(calls)) return false;
  std::uint64_t words[6];
  std::copy(arguments, arguments + 6, words);
  for (const bool late : {false, true}) tell_uses(known->uses.all(), words, late);
  if (known->outside) note(abi::note_outside);
  return true;
}

}  // namespace heddle::runtime
