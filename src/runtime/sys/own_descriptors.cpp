#include "runtime/sys/own_descriptors.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>

#include "runtime/sys/system_call.hpp"

namespace heddle::runtime {
namespace {

constexpr long most_files = 1024;  // the usual limit of a process
// What is open when main begins is copied (64 at most); the rest is for what the runtime opens.
constexpr long room_for_own = 64 + 8;

Reserved reserved{-1, -1};  // or there has been no need yet

void find_room() {
  rlimit limit{most_files, most_files};  // if the system does not say
  system_call(SYS_getrlimit, RLIMIT_NOFILE, reinterpret_cast<long>(&limit));
  const long most = limit.rlim_cur < most_files ? static_cast<long>(limit.rlim_cur) : most_files;
  reserved.first = most > 2 * room_for_own ? most - room_for_own : most / 2;
  reserved.end = reserved.first;
}

}  // namespace

int reserve_descriptor(long descriptor) {
  if (descriptor < 0) return -1;
  const Reserved known = reserved_descriptors();
  long moved = descriptor;
  if (descriptor < known.first) {
    moved = system_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, known.first);
    system_call(SYS_close, descriptor);
  }
  reserved.end = std::max(known.end, moved + 1);
  return static_cast<int>(moved);
}

bool is_reserved(long descriptor) {
  return reserved.first >= 0 && descriptor >= reserved.first && descriptor < reserved.end;
}

Reserved reserved_descriptors() {
  if (reserved.first < 0) find_room();
  return reserved;
}

}  // namespace heddle::runtime
