#include "runtime/kernel/thread_storage.hpp"

#include <link.h>

#include <cstring>
#include <iterator>
#include <span>

#include "runtime/sys/fs_base.hpp"
#include "runtime/sys/heap_layout.hpp"
#include "runtime/sys/process.hpp"

struct tls_index {
  unsigned long module, offset;
};
extern "C" void* __tls_get_addr(tls_index*);

namespace heddle::runtime {
namespace {

struct ThreadSegment {
  std::int64_t offset;  // from the FS base
  std::size_t size;
  const char* initial;  // for a new thread; null: as that of the first thread is when main begins
  std::size_t initial_size;
};

// For a library that was loaded late: each thread has a block of it somewhere, by the number of the
// module.
struct LateSegment {
  std::size_t module, size;
  char* first;          // that of the first thread when main began
  const char* initial;  // for a new one; zeros follow
  std::size_t initial_size;
};

constexpr unsigned max_segments = 256;  // a program that loads more libraries is refused

// Found once, when main begins.
struct ThreadStorage {
  // All thread-local segments together, in one piece, as they are laid out.
  std::int64_t offset;
  std::size_t size;
  char* initial;  // for a new thread
  char* first;    // that of the first thread when main began
  // Each of them.
  unsigned segment_count;
  ThreadSegment segments[max_segments];
  unsigned late_count;
  LateSegment late[64];  // likewise
};
constinit ThreadStorage thread_storage{};

char* thread_memory(std::uint64_t base, std::int64_t offset) {
  return reinterpret_cast<char*>(static_cast<std::int64_t>(base) + offset);
}

// Where the loader says it is.
char* late_block(std::uint64_t base, const LateSegment& s) {
  struct Block {
    char* at;
    void* unused;
  };
  return reinterpret_cast<Block*>(reinterpret_cast<std::uint64_t*>(base)[1])[s.module].at;
}

int add_late_segment(dl_phdr_info* object, std::size_t, void*) {
  for (int k = 0; k < object->dlpi_phnum; ++k) {
    const auto& h = object->dlpi_phdr[k];
    if (h.p_type != PT_TLS || h.p_memsz == 0 || !is_in_heap(object->dlpi_tls_data)) continue;
    if (thread_storage.late_count == std::size(thread_storage.late))
      refuse("too many loaded libraries");
    thread_storage.late[thread_storage.late_count++] = {
        object->dlpi_tls_modid, h.p_memsz, nullptr,
        reinterpret_cast<const char*>(object->dlpi_addr + h.p_vaddr), h.p_filesz};
  }
  return 0;
}

// What the loader allocated belongs to a library that was loaded late.
void add_thread_segment(const dl_phdr_info& object, const ElfW(Phdr) & header) {
  if (header.p_memsz == 0 || object.dlpi_tls_data == nullptr || is_in_heap(object.dlpi_tls_data))
    return;
  if (thread_storage.segment_count == max_segments) refuse("too many loaded libraries");
  ThreadSegment& t = thread_storage.segments[thread_storage.segment_count++];
  t.offset =
      static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(object.dlpi_tls_data) - fs_base());
  t.size = header.p_memsz;
  // Libraries fill theirs when a thread starts; no thread of the runtime does.
  const bool is_program = object.dlpi_name[0] == '\0';
  t.initial =
      is_program ? reinterpret_cast<const char*>(object.dlpi_addr + header.p_vaddr) : nullptr;
  t.initial_size = header.p_filesz;
}

int add_thread_segments(dl_phdr_info* object, std::size_t, void*) {
  for (int k = 0; k < object->dlpi_phnum; ++k)
    if (const auto& h = object->dlpi_phdr[k]; h.p_type == PT_TLS) add_thread_segment(*object, h);
  return 0;
}

std::uint64_t bytes_of_marks(Range storage) {
  return (static_cast<std::uint64_t>(storage.end - storage.begin) + 7) / 8;
}

}  // namespace

void remember_thread_storage() {
  dl_iterate_phdr(add_thread_segments, nullptr);
  for (LateSegment& s : std::span(thread_storage.late, thread_storage.late_count)) {
    s.first = static_cast<char*>(map_anywhere(s.size));
    std::memcpy(s.first, late_block(fs_base(), s), s.size);
  }
  if (thread_storage.segment_count == 0) return;
  std::int64_t begin = 0, end = thread_storage.segments[0].offset;
  for (unsigned k = 0; k < thread_storage.segment_count; ++k) {
    const ThreadSegment& t = thread_storage.segments[k];
    const std::int64_t t_end = t.offset + static_cast<std::int64_t>(t.size);
    if (t.offset < begin) begin = t.offset;
    if (t_end > end) end = t_end;
  }
  auto& all = thread_storage;
  all.offset = begin;
  all.size = static_cast<std::size_t>(end - begin);
  for (char** copy : {&all.first, &all.initial}) {
    *copy = static_cast<char*>(map_anywhere(all.size));
    std::memcpy(*copy, thread_memory(fs_base(), begin), all.size);
  }
  for (unsigned k = 0; k < thread_storage.segment_count; ++k) {
    const ThreadSegment& t = thread_storage.segments[k];
    if (t.initial == nullptr) continue;
    char* to = all.initial + (t.offset - begin);
    std::memset(to, 0, t.size);
    std::memcpy(to, t.initial, t.initial_size);
  }
}

Range thread_storage_of(std::uint64_t base) {
  char* begin = thread_memory(base, thread_storage.offset);
  return {begin, begin + thread_storage.size};
}

Range own_thread_storage_of(std::uint64_t base) {
  for (unsigned k = 0; k < thread_storage.segment_count; ++k) {
    const ThreadSegment& t = thread_storage.segments[k];
    if (t.initial == nullptr) continue;
    char* begin = thread_memory(base, t.offset);
    return {begin, begin + t.size};
  }
  return {};
}

void save_thread_storage(std::uint64_t base, Savepoint& into) {
  into.keep(thread_memory(base, thread_storage.offset), thread_storage.size);
  for (const LateSegment& s : std::span(thread_storage.late, thread_storage.late_count))
    into.keep(late_block(base, s), s.size);
}

// When it is requested by the number of its module, a thread gets the block that it does not have
// yet.
void allocate_late_storage() {
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void*) {
        tls_index wanted{object->dlpi_tls_modid, 0};
        if (object->dlpi_tls_modid != 0) __tls_get_addr(&wanted);
        return 0;
      },
      nullptr);
}

bool find_late_storage() {
  allocate_late_storage();
  dl_iterate_phdr(add_late_segment, nullptr);
  return thread_storage.late_count != 0;
}

void for_thread_storage(std::uint64_t base, void (*visit)(const char* begin, const char* end)) {
  const char* p = thread_memory(base, thread_storage.offset);
  visit(p, p + thread_storage.size);
  for (const LateSegment& s : std::span(thread_storage.late, thread_storage.late_count)) {
    const char* block = late_block(base, s);
    visit(block, block + s.size);
  }
}

void fill_thread_storage(std::uint64_t base, bool first) {
  const auto& all = thread_storage;
  std::memcpy(thread_memory(base, all.offset), first ? all.first : all.initial, all.size);
  for (const LateSegment& s : std::span(thread_storage.late, thread_storage.late_count)) {
    char* block = late_block(base, s);
    if (first) {
      std::memcpy(block, s.first, s.size);
      continue;
    }
    std::memcpy(block, s.initial, s.initial_size);
    std::memset(block + s.initial_size, 0, s.size - s.initial_size);
  }
}

void mark_thread_storage(Range storage, bool usable) {
  std::memset(shadow_of(storage.begin), usable ? Shadow::live : Shadow::freed,
              bytes_of_marks(storage));
}

void save_thread_marks(Range storage, Savepoint& into) {
  if (*shadow_of(storage.begin) == Shadow::live) return;
  into.keep(shadow_of(storage.begin), bytes_of_marks(storage));
}

void clear_thread_marks(Range storage) {
  if (*shadow_of(storage.begin) != Shadow::live) mark_thread_storage(storage, true);
}

}  // namespace heddle::runtime
