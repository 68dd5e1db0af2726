#include "runtime/wire/run_file.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cstring>

#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

void read_all(long fd, void* out, std::uint64_t size) {
  for (std::uint64_t done = 0; done < size;) {
    const long n = system_call(SYS_read, fd, reinterpret_cast<long>(out) + static_cast<long>(done),
                               static_cast<long>(size - done));
    if (n <= 0) refuse("the file that HEDDLE_RUN names is too short");
    done += static_cast<std::uint64_t>(n);
  }
}

}  // namespace

void read_run_file(const char* path, abi::Settings& settings, char* request) {
  const long fd =
      system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse("the file that HEDDLE_RUN names cannot be read");
  static abi::RunFile file;
  read_all(fd, &file, sizeof file);
  if (file.version != abi::version || file.request.move_count > abi::max_steps ||
      file.request.asleep_count != 0)
    refuse("the file that HEDDLE_RUN names is for another version of heddle");
  settings = file.settings;
  std::memcpy(request, &file.request, sizeof file.request);
  read_all(fd, request + sizeof file.request, file.request.move_count * sizeof(abi::WireMove));
  system_call(SYS_close, fd);
}

std::uint64_t bytes_of(const abi::RequestHeader& request) {
  const std::uint64_t moves = std::uint64_t{request.move_count} + request.asleep_count;
  return (sizeof request + moves * sizeof(abi::WireMove) + 7) / 8 * 8;
}

}  // namespace heddle::runtime
