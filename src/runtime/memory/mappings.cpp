#include "runtime/memory/mappings.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

#include "runtime/abi/layout.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/trying.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/process.hpp"

namespace heddle::runtime {
namespace {

using abi::mappings_begin;
using abi::mappings_size;

// Mappings of the size of a huge page or more are aligned to one, as the system does.
constexpr std::uint64_t page = 4096, large = 2 << 20;
constexpr unsigned before_main = abi::max_threads;

struct Pages {
  std::uint64_t begin, end;
  bool contains(const Pages& r) const { return begin <= r.begin && r.end <= end; }
};
constexpr unsigned max_ranges = 1024;  // a run with more is cut off (Bound::mappings)
// A few ranges; more than max_ranges are not supported.
struct PageRanges {
  Pages list[max_ranges];
  unsigned count;

  void add(const Pages& r) {
    if (count == max_ranges) reach_bound(abi::Bound::mappings);
    list[count++] = r;
  }
  void subtract(const Pages& r) {
    for (unsigned k = count; k-- > 0;) {
      const Pages old = list[k];
      if (old.end <= r.begin || r.end <= old.begin) continue;
      list[k] = list[--count];
      if (old.begin < r.begin) add({old.begin, r.begin});
      if (r.end < old.end) add({r.end, old.end});
    }
  }
  bool contains(const Pages& r) const {
    for (unsigned k = 0; k < count; ++k)
      if (list[k].contains(r)) return true;
    return false;
  }
};

struct Mappings {
  PageRanges early;  // before main
  // By a run, but for what is used before main.
  std::uint64_t used[abi::max_threads + 1];
  std::uint64_t zones_used;  // of threads, by number
  static_assert(abi::max_threads <= 64);
  PageRanges placed;      // where the program asked for
  PageRanges protected_;  // memory from before main whose protection it has changed
};
constinit Mappings mappings{};

std::uint64_t rounded(std::uint64_t size, std::uint64_t to) { return (size + to - 1) / to * to; }

unsigned zone_of_current() { return is_running() ? current().id : before_main; }
std::uint64_t begin_of(unsigned zone) { return mappings_begin + zone * mappings_size; }

Pages range_of(long address, std::size_t size) {
  const auto begin = static_cast<std::uint64_t>(address);
  return {begin, begin + rounded(size, page)};
}

bool is_early(long address) {
  const std::uint64_t offset = static_cast<std::uint64_t>(address) - begin_of(before_main);
  return offset < mappings_size;
}

// Mapped in this run, or to be mapped: not what was there when main began.
bool is_of_run(const Pages& r) {
  const std::uint64_t offset = r.begin - mappings_begin;
  if (offset < before_main * mappings_size)
    return r.end <= begin_of(static_cast<unsigned>(offset / mappings_size) + 1);
  return mappings.placed.contains(r);
}

// Where the next mapping of the current thread goes; 0 if there is no room.
std::uint64_t next_place(std::size_t size) {
  const unsigned zone = zone_of_current();
  const std::uint64_t at = size < large ? mappings.used[zone] : rounded(mappings.used[zone], large);
  if (size > mappings_size || at + rounded(size, page) + page > mappings_size) return 0;
  mappings.used[zone] = at + rounded(size, page) + page;  // and a page without memory
  if (zone != before_main) mappings.zones_used |= std::uint64_t{1} << zone;
  return begin_of(zone) + at;
}

long map_there(std::uint64_t at, std::size_t size, int protection, int flags, int fd, long offset) {
  return system_call(SYS_mmap, static_cast<long>(at), static_cast<long>(size), protection, flags,
                     fd, offset);
}

// Other threads can see that it happened.
void count_effect() {
  if (!is_running()) return;
  current().effects.count();
  if (is_trying()) try_effect();
  settle_all();
}

// What is mapped before main is put back after each run like other memory, if it can be written.
void note_early(const Pages& r, bool written) {
  mappings.early.subtract(r);
  if (written) mappings.early.add(r);
}

bool is_written(int protection) {
  return (protection & (PROT_READ | PROT_WRITE | PROT_EXEC)) == (PROT_READ | PROT_WRITE);
}

// Maps over what a run has mapped, or where nothing is.
long map_fixed(const Pages& r, std::size_t size, int protection, int flags, int fd, long offset) {
  if (!is_running()) return map_there(r.begin, size, protection, flags, fd, offset);
  if (is_of_run(r)) {
    end_memory(reinterpret_cast<void*>(r.begin), r.end - r.begin);
    return map_there(r.begin, size, protection, flags, fd, offset);
  }
  const long result = map_there(r.begin, size, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
  if (result == -EEXIST) unsupported("mmap over memory that the run has not mapped");
  if (result >= 0) mappings.placed.add(r);
  return result;
}

}  // namespace

long map_memory(long address, std::size_t size, int protection, int flags, int fd, long offset) {
  count_effect();
  const bool fixed = (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) != 0;
  if (is_running() && (flags & MAP_TYPE) != MAP_PRIVATE && (flags & MAP_ANONYMOUS) == 0 &&
      (protection & PROT_WRITE) != 0)
    note(abi::note_outside);
  long result;
  if ((flags & MAP_FIXED) != 0) {
    result = map_fixed(range_of(address, size), size, protection, flags, fd, offset);
  } else if ((flags & MAP_32BIT) != 0) {
    result = map_there(0, size, protection, flags, fd, offset);
    if (result >= 0 && is_running()) mappings.placed.add(range_of(result, size));
  } else if (address != 0) {  // a hint
    result = map_there(static_cast<std::uint64_t>(address), size, protection,
                       flags | MAP_FIXED_NOREPLACE, fd, offset);
    if (result >= 0 && is_running()) mappings.placed.add(range_of(address, size));
    if (result < 0 && !fixed) return map_memory(0, size, protection, flags, fd, offset);
  } else {
    const std::uint64_t at = size == 0 ? 0 : next_place(size);
    if (at == 0) return size == 0 ? -EINVAL : -ENOMEM;
    result = map_there(at, size, protection, flags | MAP_FIXED_NOREPLACE, fd, offset);
  }
  const bool own = (flags & MAP_TYPE) == MAP_PRIVATE || (flags & MAP_ANONYMOUS) != 0;
  if (result >= 0 && !is_running())
    note_early(range_of(result, size), own && is_written(protection));
  return result;
}

long unmap_memory(long address, std::size_t size) {
  count_effect();
  const Pages r = range_of(address, size);
  if (is_running() && size != 0 && address % static_cast<long>(page) == 0) {
    if (!is_of_run(r)) unsupported("munmap of memory that the run has not mapped");
    end_memory(reinterpret_cast<void*>(address), r.end - r.begin);
  }
  if (!is_running()) note_early(r, false);
  return system_call(SYS_munmap, address, static_cast<long>(size));
}

long remap_memory(long address, std::size_t old_size, std::size_t size, int flags, long to) {
  count_effect();
  const Pages old = range_of(address, old_size);
  if (is_running()) {
    if (!is_of_run(old)) unsupported("mremap of memory that the run has not mapped");
    if ((flags & MREMAP_FIXED) != 0 && !is_of_run(range_of(to, size)))
      unsupported("mremap to memory that the run has not mapped");
    // Whether there is room after it would depend on other mappings.
    if (size > old_size && (flags & MREMAP_MAYMOVE) != 0 && (flags & MREMAP_FIXED) == 0) {
      to = static_cast<long>(next_place(size));
      if (to == 0) return -ENOMEM;
      flags |= MREMAP_FIXED;
    }
    // What is there is seen in its new place; and where no thread sees the order of two writes,
    // none is explored.
    plain_read(reinterpret_cast<void*>(address), size < old_size ? size : old_size);
    if (size != old_size || (flags & MREMAP_FIXED) != 0)
      end_memory(reinterpret_cast<void*>(address), old.end - old.begin);
  }
  const long result = system_call(SYS_mremap, address, static_cast<long>(old_size),
                                  static_cast<long>(size), flags, to);
  if (!is_running() && result >= 0) {
    note_early(old, false);
    note_early(range_of(result, size), true);
  }
  return result;
}

long protect_memory(long address, std::size_t size, int protection) {
  count_effect();
  if (is_running()) {
    const Pages r = range_of(address, size);
    if (!is_of_run(r)) mappings.protected_.add(r);
    if ((protection & PROT_READ) == 0)
      end_memory(reinterpret_cast<void*>(address), size);
    else if ((protection & PROT_WRITE) == 0)
      end_writes(reinterpret_cast<void*>(address), size);
  }
  const long result = system_call(SYS_mprotect, address, static_cast<long>(size), protection);
  if (!is_running() && result == 0 && is_early(address))
    note_early(range_of(address, size), is_written(protection));
  return result;
}

// Advice that drops the contents of memory is a write of zeros.
long advise_memory(long address, std::size_t size, int advice) {
  count_effect();
  // More would take longer to record than it is worth: then it is the end of the memory instead.
  constexpr std::size_t told_at_most = 1 << 20;
  if (advice == MADV_DONTNEED || advice == MADV_FREE || advice == MADV_REMOVE) {
    if (size <= told_at_most)
      plain_write(reinterpret_cast<void*>(address), size);
    else
      end_memory(reinterpret_cast<void*>(address), size);
    if (is_running() && !is_of_run(range_of(address, size)))
      unsupported("madvise that drops memory that the run has not mapped");
  }
  return system_call(SYS_madvise, address, static_cast<long>(size), advice);
}

void for_early_mappings(void (*visit)(char* begin, char* end)) {
  for (unsigned k = 0; k < mappings.early.count; ++k)
    visit(reinterpret_cast<char*>(mappings.early.list[k].begin),
          reinterpret_cast<char*>(mappings.early.list[k].end));
}

bool are_mappings_as_remembered() {
  return mappings.zones_used == 0 && mappings.placed.count == 0 && mappings.protected_.count == 0;
}

void restore_mappings() {
  for (; mappings.zones_used != 0; mappings.zones_used &= mappings.zones_used - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(mappings.zones_used));
    system_call(SYS_munmap, static_cast<long>(begin_of(id)), static_cast<long>(mappings.used[id]));
    mappings.used[id] = 0;
  }
  for (; mappings.placed.count > 0; --mappings.placed.count) {
    const Pages& r = mappings.placed.list[mappings.placed.count - 1];
    system_call(SYS_munmap, static_cast<long>(r.begin), static_cast<long>(r.end - r.begin));
  }
  for (; mappings.protected_.count > 0; --mappings.protected_.count) {
    const Pages& r = mappings.protected_.list[mappings.protected_.count - 1];
    system_call(SYS_mprotect, static_cast<long>(r.begin), static_cast<long>(r.end - r.begin),
                PROT_READ | PROT_WRITE);
  }
}

bool was_mapped(const void* address) {
  const std::uint64_t offset = reinterpret_cast<std::uint64_t>(address) - mappings_begin;
  const std::uint64_t zone = offset / mappings_size;
  return zone < before_main && offset % mappings_size < mappings.used[zone];
}

}  // namespace heddle::runtime
