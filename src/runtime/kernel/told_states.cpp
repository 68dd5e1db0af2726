#include "runtime/kernel/told_states.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/sys/mapping.hpp"
#include "runtime/sys/own_descriptors.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {

constinit detail::ToldStates detail::told_states{};

namespace {

using detail::told_states;

// For one state, of a hundred kilobytes at most in the programs that this was made for. Of a larger
// one, the rest is left out.
constexpr std::uint64_t room = 16 << 20;

void write_all(const char* from, std::uint64_t size) {
  while (size != 0) {
    const long written = system_call(SYS_write, told_states.file, reinterpret_cast<long>(from),
                                     static_cast<long>(size));
    if (written <= 0) refuse("the file of states cannot be written");
    from += written;
    size -= static_cast<std::uint64_t>(written);
  }
}

void write_words(std::initializer_list<std::uint64_t> words) {
  write_all(reinterpret_cast<const char*>(words.begin()), words.size() * sizeof(std::uint64_t));
}

// Where code is, for names of functions.
void write_map() {
  char text[1 << 16];
  std::uint64_t size = 0;
  const long maps = system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"),
                                O_RDONLY | O_CLOEXEC);
  for (long got = 1; maps >= 0 && got > 0 && size < sizeof text;
       size += static_cast<std::uint64_t>(got))
    got = std::max(0L, system_call(SYS_read, maps, reinterpret_cast<long>(text + size),
                                   static_cast<long>(sizeof text - size)));
  system_call(SYS_close, maps);
  write_words({size});
  write_all(text, size);
}

}  // namespace

void begin_telling_states() {
  if (told_states.known) return;
  told_states.known = true;
  const char* const path = std::getenv(states_variable);
  if (path == nullptr) return;
  char name[4096];
  std::snprintf(name, sizeof name, "%s.%ld", path, system_call(SYS_getpid));
  told_states.file =
      reserve_descriptor(system_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(name),
                                     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (told_states.file < 0) refuse("the file of states cannot be made");
  told_states.begin = told_states.end = static_cast<char*>(map_anywhere(room));
  told_states.on = true;
  write_map();
}

void tell_part(std::uint64_t kind, const void* address, const void* content, std::uint64_t size) {
  const std::uint64_t words[] = {kind, reinterpret_cast<std::uint64_t>(address), size};
  char*& to = told_states.end;
  if (sizeof words + size > room - static_cast<std::uint64_t>(to - told_states.begin)) return;
  std::memcpy(to, words, sizeof words);
  std::memcpy(to + sizeof words, content, size);
  to += sizeof words + size;
  ++told_states.part_count;
}

void tell_state(const abi::WireDigest& digest, std::uint32_t events, unsigned thread) {
  const auto bytes = static_cast<std::uint64_t>(told_states.end - told_states.begin);
  write_words({events, thread, digest.first, digest.second, told_states.part_count, bytes});
  write_all(told_states.begin, bytes);
  told_states.end = told_states.begin;
  told_states.part_count = 0;
}

}  // namespace heddle::runtime
