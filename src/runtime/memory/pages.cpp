#include "runtime/memory/pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "runtime/abi/layout.h"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/sys/own_descriptors.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t page = 4096;

struct Segment {
  char *begin, *end;
  char* first_page;
  char* initial;      // of whole pages
  std::uint8_t* hot;  // by page: is written, and copied back
  std::uint32_t pages;
};

// The part of a written page that belongs to a segment.
struct HotPage {
  char* memory;
  const char* initial;
  std::size_t size;
};

constexpr unsigned max_segments = 256;  // a program with more libraries is refused
struct Watched {
  Watch how;
  int page_map;  // the system's table of this process's pages, if they are watched by copies
  std::uint64_t page_count;  // of all segments
  unsigned segment_count;
  Segment segments[max_segments];
  // More of them with each run that writes to others: they stay hot.
  std::uint64_t hot_count;
  HotPage* hot_pages;
  std::uint64_t faults_seen;
};
constinit Watched watched{};

bool protect(char* from, std::uint64_t pages, int protection) {
  return system_call(SYS_mprotect, reinterpret_cast<long>(from), static_cast<long>(pages * page),
                     protection) == 0;
}

void make_hot(Segment& s, std::uint32_t k) {
  HEDDLE_RUNTIME_CHECK(k < s.pages && watched.hot_count < watched.page_count);
  s.hot[k] = 1;
  char* begin = std::max(s.first_page + k * page, s.begin);
  char* end = std::min(s.first_page + (k + 1) * page, s.end);
  watched.hot_pages[watched.hot_count++] = {begin, s.initial + (begin - s.first_page),
                                            static_cast<std::size_t>(end - begin)};
}

void make_all_hot() {
  for (unsigned n = 0; n < watched.segment_count; ++n)
    for (std::uint32_t k = 0; k < watched.segments[n].pages; ++k)
      if (watched.segments[n].hot[k] == 0) make_hot(watched.segments[n], k);
}

// Large variables are mostly zero; so is new memory.
bool is_zero(const char* memory) {
  return memory[0] == 0 && std::memcmp(memory, memory + 1, page - 1) == 0;
}

void copy_pages(char* to, const Segment& s) {
  for (std::uint32_t k = 0; k < s.pages; ++k)
    if (!is_zero(s.first_page + k * page))
      std::memcpy(to + k * page, s.first_page + k * page, page);
}

// A page is copied before the first write to it; until then, reads see that of the file.
bool map_from_file() {
  const long file = system_call(SYS_memfd_create, reinterpret_cast<long>(abi::image_name), 0);
  watched.page_map = reserve_descriptor(system_call(
      SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC));
  const auto size = static_cast<long>(watched.page_count * page);
  if (file < 0 || watched.page_map < 0 || system_call(SYS_ftruncate, file, size) != 0) return false;
  const long all = system_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (all < 0) return false;
  long at = 0;
  for (unsigned n = 0; n < watched.segment_count; ++n) {
    Segment& s = watched.segments[n];
    s.initial = reinterpret_cast<char*>(all + at);
    copy_pages(s.initial, s);
    const auto bytes = static_cast<long>(s.pages * page);
    if (system_call(SYS_mmap, reinterpret_cast<long>(s.first_page), bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED, file, at) < 0)
      refuse("the system does not let memory be replaced by a copy of it");
    at += bytes;
  }
  system_call(SYS_close, file);
  return true;
}

void keep_copies() {
  for (unsigned n = 0; n < watched.segment_count; ++n) {
    Segment& s = watched.segments[n];
    s.initial = static_cast<char*>(map_anywhere(s.pages * page));
    copy_pages(s.initial, s);
  }
}

// If the system does not say, there may always be more.
std::uint64_t faults() {
  rusage used{};
  if (system_call(SYS_getrusage, RUSAGE_THREAD, reinterpret_cast<long>(&used)) != 0)
    return watched.faults_seen + 1;
  return static_cast<std::uint64_t>(used.ru_minflt) + static_cast<std::uint64_t>(used.ru_majflt);
}

// A page that is private to this process, in memory or swapped out.
bool is_copied(std::uint64_t entry) {
  constexpr std::uint64_t of_file = std::uint64_t{1} << 61, anywhere = std::uint64_t{3} << 62;
  return (entry & anywhere) != 0 && (entry & of_file) == 0;
}

// False if the system does not say.
bool look_for_copies(Segment& s) {
  std::uint64_t entries[512];
  for (std::uint32_t from = 0; from < s.pages;) {
    const auto count = std::min<std::uint32_t>(s.pages - from, std::size(entries));
    const auto bytes = static_cast<long>(count * sizeof entries[0]);
    const std::uint64_t first = reinterpret_cast<std::uint64_t>(s.first_page) / page + from;
    if (system_call(SYS_pread64, watched.page_map, reinterpret_cast<long>(entries), bytes,
                    static_cast<long>(first * sizeof entries[0])) != bytes)
      return false;
    for (std::uint32_t k = 0; k < count; ++k)
      if (s.hot[from + k] == 0 && is_copied(entries[k])) make_hot(s, from + k);
    from += count;
  }
  return true;
}

// Without a fault, no page has been copied.
void find_hot_pages() {
  if (watched.how != Watch::by_copies) return;
  const std::uint64_t now = faults();
  if (now == watched.faults_seen) return;
  for (unsigned n = 0; n < watched.segment_count && watched.how == Watch::by_copies; ++n)
    if (!look_for_copies(watched.segments[n])) {
      make_all_hot();
      watched.how = Watch::not_at_all;
    }
  watched.faults_seen = faults();
}

// Pages that have become hot since there were `from` of them.
void restore_from(std::uint64_t from) {
  find_hot_pages();
  for (std::uint64_t k = from; k < watched.hot_count; ++k)
    std::memcpy(watched.hot_pages[k].memory, watched.hot_pages[k].initial,
                watched.hot_pages[k].size);
}

Segment* segment_of(const void* address) {
  const auto* p = static_cast<const char*>(address);
  for (unsigned k = 0; k < watched.segment_count; ++k) {
    Segment& s = watched.segments[k];
    if (s.first_page <= p && p < s.first_page + s.pages * page) return &s;
  }
  return nullptr;
}

}  // namespace

void add_memory(char* begin, char* end) {
  if (begin >= end) return;
  if (watched.segment_count == max_segments) refuse("too many loaded libraries");
  Segment& s = watched.segments[watched.segment_count++];
  s.begin = begin;
  s.end = end;
  s.first_page = reinterpret_cast<char*>(reinterpret_cast<std::uint64_t>(begin) & ~(page - 1));
  s.pages = static_cast<std::uint32_t>((static_cast<std::uint64_t>(end - s.first_page) + page - 1) /
                                       page);
  s.hot = static_cast<std::uint8_t*>(map_anywhere(s.pages));
  watched.page_count += s.pages;
}

void watch_memory(Watch how) {
  watched.hot_pages =
      static_cast<HotPage*>(map_anywhere((watched.page_count + 1) * sizeof(HotPage)));
  watched.how = how;
  if (how == Watch::by_copies && map_from_file()) return;
  keep_copies();
  if (how != Watch::by_faults) {
    watched.how = Watch::not_at_all;
    return make_all_hot();
  }
  for (unsigned n = 0; n < watched.segment_count; ++n)
    needed_call("mprotect", SYS_mprotect, reinterpret_cast<long>(watched.segments[n].first_page),
                static_cast<long>(watched.segments[n].pages * page), PROT_READ);
}

void restore_pages() { restore_from(0); }

void save_pages(Savepoint& into) {
  find_hot_pages();
  into.undo([](void*, std::uint64_t count) { restore_from(count); }, nullptr, watched.hot_count);
  for (std::uint64_t k = 0; k < watched.hot_count; ++k)
    into.keep(watched.hot_pages[k].memory, watched.hot_pages[k].size);
}

void digest_pages(StateHash& into) {
  constexpr std::size_t part = 256;
  find_hot_pages();
  for (std::uint64_t k = 0; k < watched.hot_count; ++k) {
    const HotPage& p = watched.hot_pages[k];
    for (std::size_t at = 0; at < p.size; at += part) {
      const std::size_t size = std::min(part, p.size - at);
      if (std::memcmp(p.memory + at, p.initial + at, size) != 0) into.add(p.memory + at, size);
    }
  }
}

void for_written_pages(void (*visit)(const char* begin, const char* end)) {
  find_hot_pages();
  for (std::uint64_t k = 0; k < watched.hot_count; ++k)
    visit(watched.hot_pages[k].memory, watched.hot_pages[k].memory + watched.hot_pages[k].size);
}

bool allow_write(void* address) {
  if (watched.how != Watch::by_faults) return false;
  Segment* s = segment_of(address);
  if (s == nullptr) return false;
  const auto k = static_cast<std::uint32_t>(
      static_cast<std::uint64_t>(static_cast<char*>(address) - s->first_page) / page);
  if (s->hot[k] != 0) return false;
  if (!protect(s->first_page + k * page, 1, PROT_READ | PROT_WRITE)) return false;
  make_hot(*s, k);
  return true;
}

void allow_writes(void* from, std::size_t size) {
  auto* p = static_cast<char*>(from);
  for (std::size_t at = 0; at < size; at += page) allow_write(p + at);
  if (size != 0) allow_write(p + size - 1);
}

}  // namespace heddle::runtime
