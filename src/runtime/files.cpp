#include "runtime/files.hpp"

#include <unistd.h>

#include <cstdio>

#include "runtime/ending.hpp"
#include "runtime/heap.hpp"
#include "runtime/hidden.hpp"
#include "runtime/image.hpp"
#include "runtime/memory.hpp"
#include "runtime/scheduler.hpp"
#include "runtime/shadow.hpp"
#include "runtime/visible.hpp"

namespace heddle::runtime {
namespace {

// The first number of the same file, where that is another; and what is no more what it was when
// main began.
std::uint16_t same_as[max_descriptors];
bool replaced[STDERR_FILENO + 1];
bool any_noted = false;

bool is_number(int fd) { return fd >= 0 && fd < static_cast<int>(max_descriptors); }

unsigned file_behind(int fd) {
  const auto k = static_cast<unsigned>(fd) % max_descriptors;
  return same_as[k] != 0 ? same_as[k] - 1U : k;
}

bool is_output(unsigned file) {
  return (file == STDOUT_FILENO || file == STDERR_FILENO) && !replaced[file];
}

void use_file(unsigned file, FileUse how) {
  const bool looks = how == FileUse::looks || (how == FileUse::puts_out && is_output(file));
  looks ? look_at(hidden.files[file]) : change(hidden.files[file]);
}

// Those in memory have no descriptor: their own addresses tell them apart, well enough.
unsigned file_of(const void* stream) {
  const int fd = fileno(static_cast<std::FILE*>(const_cast<void*>(stream)));
  if (fd >= 0) return file_behind(fd);
  return max_descriptors + reinterpret_cast<std::uint64_t>(stream) / 16 % max_streams;
}

// Its memory, as that of other objects that begin and end: to close it is a plain write.
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
  if (!is_concurrent()) return;
  if (how == FileUse::closes) change(hidden.descriptor_numbers);
  use_memory(stream, how == FileUse::closes);
  check_heap(stream, 1);  // others may have closed it meanwhile
  // This comes last: the order of these steps is that of the calls.
  use_file(file_of(stream), how);
  check_heap(stream, 1);
}

void use_descriptor(int fd, FileUse how) {
  if (!is_running() || !is_number(fd)) return;
  if (how == FileUse::closes) change(hidden.descriptor_numbers);
  use_file(file_behind(fd), how);
}

void take_descriptor_number(const void* caller) {
  if (is_running() && !is_in_system(caller)) change(hidden.descriptor_numbers);
}

void note_copy(int of, int copy) {
  if (!is_running() || !is_number(of) || !is_number(copy)) return;
  any_noted = true;
  same_as[copy] = static_cast<std::uint16_t>(file_behind(of) + 1);
  note_replaced(copy);
}

void note_opened(int fd) {
  if (!is_running() || !is_number(fd)) return;
  if (any_noted) same_as[fd] = 0;
  note_replaced(fd);
}

void note_replaced(int fd) {
  if (!is_running() || fd < 0 || fd > STDERR_FILENO) return;
  any_noted = true;
  replaced[fd] = true;
}

void clear_files() {
  if (!any_noted) return;
  any_noted = false;
  for (std::uint16_t& k : same_as) k = 0;
  for (bool& r : replaced) r = false;
}

void save_files(Savepoint& into) {
  into.undo([](void*, std::uint64_t) { clear_files(); }, nullptr, 0);
  if (!any_noted) return;
  into.keep(any_noted);
  into.keep(same_as);
  into.keep(replaced);
}

}  // namespace heddle::runtime
