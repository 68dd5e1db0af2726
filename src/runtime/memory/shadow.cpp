#include "runtime/memory/shadow.hpp"

#include <span>

#include "runtime/kernel/access_bits.hpp"
#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/granules.hpp"
#include "runtime/kernel/pardons.hpp"
#include "runtime/kernel/run_table.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/stretches.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/memory/hidden_parts.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

// Made of whole words, as the processor is slow to copy what was written in parts just before.
class Record {
 public:
  Record() = default;
  Record(const abi::Site* site, std::uint32_t tick, unsigned thread, std::uint8_t mask,
         std::uint8_t bits)
      : site_(site),
        what_(tick | std::uint64_t{thread} << 32 | std::uint64_t{mask} << 40 |
              std::uint64_t{bits} << 48) {}

  static_assert(abi::max_threads <= 256 && abi::mask_bits == 8 && sizeof(abi::AccessBits) == 1);

  const abi::Site* site() const { return site_; }
  std::uint32_t tick() const { return static_cast<std::uint32_t>(what_); }
  std::uint8_t thread() const { return static_cast<std::uint8_t>(what_ >> 32); }
  std::uint8_t mask() const { return static_cast<std::uint8_t>(what_ >> 40); }
  std::uint8_t bits() const { return static_cast<std::uint8_t>(what_ >> 48); }

 private:
  const abi::Site* site_;
  std::uint64_t what_;
};

// Two, as most granules are used by one or two threads, and a cell is then 48 bytes, less than a
// cache line; seven, as a chunk is then 120 bytes, less than two lines.
constexpr std::uint32_t inline_records = 2, chunk_records = 7;

// Records beyond those in the cell.
struct Chunk {
  Record records[chunk_records];
  std::uint32_t next;  // its number + 1
  std::uint32_t unused;
};

struct Cell {
  std::uint64_t key;
  std::uint32_t count;
  std::uint32_t more;  // the number of a chunk + 1
  Record records[inline_records];
};

constexpr std::uint32_t max_chunks = 1 << 18;  // 30 MB; a run with more is not supported

// Races of one run that are reported. What is left out is found again in a later run, when the
// memory of these is visible.
constexpr std::uint32_t max_races = 64;

// Of a run, but for where the chunks are.
struct Accesses {
  RunTable<Cell> table;
  Chunk* chunks;
  std::uint32_t chunk_count;
  std::uint32_t race_count;
  abi::WireRace races[max_races];
};
constinit Accesses accesses{};

// Iterates over the records of a cell, in order.
class Walk {
 public:
  explicit Walk(Cell& cell) : at_(cell.records), end_(at_ + inline_records), next_(&cell.more) {}

  // The next record; made if there is none.
  Record& next() {
    if (at_ == end_) [[unlikely]]
      enter_chunk();
    return *at_++;
  }

 private:
  void enter_chunk() {
    if (*next_ == 0) {
      if (accesses.chunk_count == max_chunks)
        unsupported("a run with too many accesses to remember");
      accesses.chunks[accesses.chunk_count].next = 0;
      *next_ = ++accesses.chunk_count;
    }
    Chunk& c = accesses.chunks[*next_ - 1];
    at_ = c.records;
    end_ = at_ + chunk_records;
    next_ = &c.next;
  }

  Record *at_, *end_;
  std::uint32_t* next_;
};

abi::RaceSort sort_of(const abi::WireRace& race) {
  if (is_hidden(race.memory >> abi::mask_bits << abi::granule_bits)) return abi::RaceSort::observed;
  if (((race.first_bits | race.second_bits) & bit_benign) != 0) return abi::RaceSort::benign;
  return is_pardoned(race.stacks, race.memory) ? abi::RaceSort::suppressed : abi::RaceSort::finding;
}

// What is reported again and again leaves room for what is new: memory that is not visible yet.
bool has_room_for(const abi::WireRace& race) {
  const bool known = race.sort != abi::RaceSort::finding && is_visible(race.memory);
  return accesses.race_count < (known ? max_races / 2 : max_races);
}

void note_race(const Record& first, const Record& second, std::uint64_t granule) {
  abi::WireRace race{};
  race.first_site = reinterpret_cast<std::uint64_t>(site_of(first.site()));
  race.second_site = reinterpret_cast<std::uint64_t>(site_of(second.site()));
  race.memory = granule << abi::mask_bits | (first.mask() & second.mask());
  race.stacks = abi::name_of_stacks(stack_name_of(first.site()), stack_name_of(second.site()));
  for (const abi::WireRace& known : std::span(accesses.races, accesses.race_count))
    if (known.first_site == race.first_site && known.second_site == race.second_site &&
        known.memory == race.memory && known.stacks == race.stacks)
      return;
  race.first_thread = first.thread();
  race.second_thread = second.thread();
  race.first_bits = first.bits();
  race.second_bits = second.bits();
  race.first_mask = first.mask();
  race.second_mask = second.mask();
  race.sort = sort_of(race);
  if (has_room_for(race)) accesses.races[accesses.race_count++] = race;
  if (settings().races == abi::Races::report && race.sort == abi::RaceSort::finding)
    note_data_race(race, first.site(), second.site());
}

// Reported once.
void note_memory(std::uint64_t memory, bool observed) {
  for (std::uint32_t k = 0; k < accesses.race_count; ++k)
    if (accesses.races[k].memory == memory && accesses.races[k].first_site == 0) return;
  abi::WireRace race{};
  race.memory = memory;
  race.sort = observed ? abi::RaceSort::observed : abi::RaceSort::finding;
  if (accesses.race_count < max_races) accesses.races[accesses.race_count++] = race;
}

// Among the bytes that are read, those that two threads wrote atomically, neither before the other:
// which of the writes was last is what the reader sees. (If one happens before the other, it is not
// remembered.)
class Writers {
 public:
  void add(const Record& r, std::uint8_t read) {
    if ((r.bits() & (bit_write | bit_plain)) != bit_write) return;
    for (auto rest = static_cast<unsigned>(r.mask() & read); rest != 0; rest &= rest - 1) {
      const auto byte = static_cast<unsigned>(__builtin_ctz(rest));
      const auto bit = static_cast<std::uint8_t>(1U << byte);
      if ((written_ & bit) != 0 && last_[byte] != r.thread()) both_ |= bit;
      written_ |= bit;
      last_[byte] = r.thread();
    }
  }
  std::uint8_t both() const { return both_; }

 private:
  std::uint8_t written_ = 0, both_ = 0;
  std::uint8_t last_[granule_size] = {};  // the thread that wrote each byte
};

bool must_be_seen(const Record& access) {
  return (access.bits() & ~bit_benign) == bit_plain && settings().observers != 0;
}

[[gnu::noinline]] std::uint8_t seen_order(Cell& cell, std::uint8_t read) {
  Writers writers;
  Walk all(cell);
  for (std::uint32_t k = 0; k < cell.count; ++k) writers.add(all.next(), read);
  return writers.both();
}

void note_order_seen(Cell& cell, std::uint8_t read) {
  const std::uint8_t mask = seen_order(cell, read);
  if (mask == 0) return;
  bool visible = false;
  for_visible(reinterpret_cast<const void*>(cell.key << abi::granule_bits), granule_size,
              [&](std::uint64_t memory) { visible = visible || (memory & mask) == mask; });
  if (!visible) note_memory(cell.key << abi::mask_bits | mask, true);
}

bool conflict(std::uint8_t x, std::uint8_t y) {
  return ((x | y) & bit_write) != 0 && ((x | y) & bit_plain) != 0;
}

// As strong: a race with it is a race with the other, and a finding if that is one.
bool stands_for(const Record& later, const Record& earlier) {
  const unsigned weaker = (later.bits() ^ earlier.bits()) & (earlier.bits() ^ bit_benign);
  return weaker == 0 && (later.mask() & earlier.mask()) == earlier.mask();
}

[[gnu::noinline]] void check_all(Cell& cell, const Record& access, const Clock& now) {
  if (must_be_seen(access)) note_order_seen(cell, access.mask());
  bool known = false;
  std::uint32_t kept = 0;
  Walk all(cell), keeping(cell);
  for (std::uint32_t k = 0; k < cell.count; ++k) {
    const Record& r = all.next();
    bool before = true;
    if (r.thread() == access.thread()) {
      known = known || (r.tick() == access.tick() && stands_for(r, access));
    } else if (r.tick() > now[r.thread()]) {
      before = false;
      if ((r.mask() & access.mask()) != 0 && conflict(r.bits(), access.bits()))
        note_race(r, access, cell.key);
    }
    if (!known && before && stands_for(access, r)) continue;
    Record& place = keeping.next();
    if (&place != &r) place = r;
    ++kept;
  }
  if (!known) {
    keeping.next() = access;
    ++kept;
  }
  cell.count = kept;
}

// Most memory is used by one thread at a time, each covering what was there before.
[[gnu::always_inline]] inline void check(Cell& cell, const Record& access, const Clock& now) {
  Record& only = cell.records[0];
  if (cell.count == 0) {
    only = access;
    cell.count = 1;
    return;
  }
  const bool own = only.thread() == access.thread();
  if (cell.count == 1 && (own || only.tick() <= now[only.thread()])) [[likely]] {
    if (own && only.tick() == access.tick() && stands_for(only, access)) return;
    if (stands_for(access, only)) {
      only = access;
      return;
    }
  }
  check_all(cell, access, now);
}

void tell(unsigned thread, const void* address, std::uint64_t size, unsigned bits,
          const abi::Site* where) {
  if (is_hidden(reinterpret_cast<std::uint64_t>(address))) bits |= bit_hidden;
  tell_access(thread, address, size, static_cast<std::uint8_t>(bits), where);
}

// Compares with all earlier accesses there, or writes. Large memory is mostly untouched.
void check_end(unsigned thread, const void* address, std::uint64_t size, const abi::Site* site,
               bool of_writes) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  const Clock& now = clock_of(thread).now;
  const abi::Site* where = with_stack(site, address, is_explaining() ? 0 : size);
  const std::uint8_t benign = site != nullptr && site->benign != 0 ? bit_benign : 0;
  if (is_telling())
    tell(thread, address, size, bit_plain | bit_free | benign | (of_writes ? 0 : bit_write), where);
  const auto check_cell = [&](Cell& cell, std::uint8_t mask) {
    const Record access(where, now.ticks[thread], thread, mask,
                        bit_write | bit_plain | bit_free | benign);
    Walk all(cell);
    for (std::uint32_t k = 0; k < cell.count; ++k) {
      const Record& r = all.next();
      if (of_writes && (r.bits() & bit_write) == 0) continue;
      if (r.thread() != thread && r.tick() > now[r.thread()] && (r.mask() & mask) != 0)
        note_race(r, access, cell.key);
    }
  };
  const auto begin = reinterpret_cast<std::uint64_t>(address), end = begin + size;
  const auto mask_of = [&](std::uint64_t granule) {
    const std::uint64_t from = granule << abi::granule_bits, to = from + 8;
    const unsigned below = begin > from ? 0xffU << (begin - from) : 0xffU;
    const unsigned above = end < to ? 0xffU >> (to - end) : 0xffU;
    return static_cast<std::uint8_t>(below & above);
  };
  if (size >> abi::granule_bits > accesses.table.size())
    return accesses.table.for_all([&](Cell& cell) {
      const std::uint64_t at = cell.key << abi::granule_bits;
      if (at + 8 > begin && at < end) check_cell(cell, mask_of(cell.key));
    });
  for_granules(address, size, [&](std::uint64_t granule, std::uint8_t mask) {
    if (Cell* cell = accesses.table.find(granule)) check_cell(*cell, mask);
  });
}

}  // namespace

void set_up_shadow() {
  accesses.table.set_up(1 << 16);
  accesses.chunks = static_cast<Chunk*>(map_anywhere(max_chunks * sizeof(Chunk)));
}

void clear_shadow() {
  accesses.table.clear();
  accesses.chunk_count = accesses.race_count = 0;
}

void save_shadow(Savepoint& into) {
  accesses.table.save(into);
  into.keep(accesses.chunks, accesses.chunk_count * sizeof(Chunk));
  into.keep(accesses.chunk_count);
  into.keep(accesses.races, accesses.race_count * sizeof accesses.races[0]);
  into.keep(accesses.race_count);
}

namespace {
[[gnu::always_inline]] inline void remember(unsigned thread, const void* address,
                                            std::uint64_t size, std::uint8_t bits,
                                            const abi::Site* where) {
  const Clock& now = clock_of(thread).now;
  if (where != nullptr && where->benign != 0) bits |= bit_benign;
  if (is_telling()) [[unlikely]]
    tell(thread, address, size, bits, where);
  for_granules(address, size,
               [&] [[gnu::always_inline]] (std::uint64_t granule, std::uint8_t mask) {
                 check(accesses.table.at(granule),
                       Record(where, now.ticks[thread], thread, mask, bits), now);
               });
}
}  // namespace

void check_access(unsigned thread, const void* address, std::uint64_t size, std::uint8_t bits,
                  const abi::Site* site) {
  remember(thread, address, size, bits, with_stack(site, address, size));
}

void check_free(unsigned thread, const void* address, std::uint64_t size, const abi::Site* site) {
  check_end(thread, address, size, site, false);
}
void check_end_of_writes(unsigned thread, const void* address, std::uint64_t size,
                         const abi::Site* site) {
  check_end(thread, address, size, site, true);
}

void note_freed_use(const void* address, std::uint64_t size) {
  if (settings().races != abi::Races::explore || is_visible(address, size)) return;
  for_granules(address, size, [](std::uint64_t granule, std::uint8_t mask) {
    note_memory(granule << abi::mask_bits | mask, false);
  });
}

void make_visible(const void* address, std::uint64_t size) {
  for_granules(address, size, [](std::uint64_t granule, std::uint8_t mask) {
    note_memory(granule << abi::mask_bits | mask, true);
  });
}

void note_look_at_exit(const void* address, std::uint64_t size) {
  if (settings().observers == 0) return;
  for_granules(address, size, [](std::uint64_t granule, std::uint8_t mask) {
    Cell* cell = accesses.table.find(granule);
    if (cell == nullptr || seen_order(*cell, mask) == 0) return;
    note_order_seen(*cell, mask);
    if (!is_exit_visible()) note_memory(abi::at_exit, true);
  });
}

void report_races() {
  for (std::uint32_t k = 0; k < accesses.race_count; ++k)
    if (auto* out = add_to_reply<abi::WireRace>()) {
      *out = accesses.races[k];
      ++reply().race_count;
    }
}

}  // namespace heddle::runtime
