#include "runtime/api/files.hpp"

#include <unistd.h>

#include <cstdio>

#include "runtime/api/channels.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden.hpp"
#include "runtime/memory/memory.hpp"

namespace heddle::runtime {
namespace {

// Names of files: those of the standard streams are their numbers, then comes one for all that are
// not known, then those of each thread.
constexpr unsigned unknown = STDERR_FILENO + 1, first_own = unknown + 1;
static_assert(first_own == files_of_no_thread);

constexpr unsigned max_descriptors = 1024;
struct Files {
  std::uint16_t names[max_descriptors];  // by descriptor; 0: it has none
  std::uint16_t opened[abi::max_threads];
  bool any_noted;
};
constinit Files files{};  // of a run

bool is_number(int fd) { return fd >= 0 && fd < static_cast<int>(max_descriptors); }

unsigned file_behind(int fd) {
  if (is_number(fd) && files.names[fd] != 0) return files.names[fd];
  return fd >= 0 && fd < static_cast<int>(unknown) ? static_cast<unsigned>(fd) : unknown;
}

// Streams in memory have no descriptor: their addresses distinguish them, well enough.
unsigned file_of(const void* stream) {
  const int fd = fileno(static_cast<std::FILE*>(const_cast<void*>(stream)));
  if (fd >= 0) return file_behind(fd);
  const auto address = reinterpret_cast<std::uint64_t>(stream);
  return first_own + static_cast<unsigned>(address / 16 % (abi::max_threads * files_of_thread));
}

bool is_output(unsigned file) { return file == STDOUT_FILENO || file == STDERR_FILENO; }

void use_file(unsigned file, FileUse how) {
  const bool looks = how == FileUse::looks || (how == FileUse::puts_out && is_output(file));
  looks ? look_at(hidden.files[file]) : change(hidden.files[file]);
}

void forget(int fd) {
  if (files.any_noted && is_number(fd)) files.names[fd] = 0;
}

// Its memory, like that of other objects that begin and end: to close it is a plain write.
void use_memory(const void* stream, bool closes) {
  if (closes) return plain_write(stream, 1);
  if (any_visible() && is_visible(stream, 1))
    step({.kind = OpKind::load, .object = const_cast<void*>(stream), .size = 1});
  use_object(stream);
}

}  // namespace

void use_stream(const void* stream, FileUse how) {
  if (!is_running() || stream == nullptr) return;
  check_heap(stream, 1);
  if (is_concurrent()) {
    use_memory(stream, how == FileUse::closes);
    check_heap(stream, 1);  // another thread may have closed it meanwhile
    // This comes last: the order of these steps is that of the calls.
    use_file(file_of(stream), how);
    check_heap(stream, 1);
  }
  if (how == FileUse::closes) forget(fileno(static_cast<std::FILE*>(const_cast<void*>(stream))));
}

void use_descriptor(int fd, FileUse how) {
  if (!is_running() || !is_number(fd)) return;
  // Functions that channels have do not ask.
  if (is_channel(fd)) unsupported("a function that channels (pipes, sockets, ...) do not have");
  use_file(file_behind(fd), how);
  if (how == FileUse::closes) forget(fd);
}

void note_opened(int fd) {
  if (!is_running() || !is_number(fd)) return;
  check_not_channel(fd);
  files.any_noted = true;
  const unsigned thread = current().id;
  const unsigned which = files.opened[thread]++ % files_of_thread;
  files.names[fd] = static_cast<std::uint16_t>(first_own + thread * files_of_thread + which);
}

void note_copy(int of, int copy) {
  if (!is_running() || !is_number(copy)) return;
  check_not_channel(copy);
  files.any_noted = true;
  files.names[copy] = static_cast<std::uint16_t>(file_behind(of));
}

void clear_files() {
  if (files.any_noted) files = {};
}

void save_files(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_files(); }, nullptr, 0);
  if (!files.any_noted) return;
  into.keep(files);
}

}  // namespace heddle::runtime
