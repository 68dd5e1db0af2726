#include "runtime/kernel/stretches.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/hash.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/granules.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

constinit detail::Stretches detail::stretches{};

namespace {

using abi::WireAct, abi::WireStretch;
using detail::stretches;

constexpr std::uint32_t max_stretches = abi::max_steps + 1;  // and the beginning

constexpr std::uint32_t slot_count = 1U << 12;  // most runs have fewer different ones

// More accesses in a row than this are put into order, so that neighbours find each other.
constexpr std::uint32_t many_accesses = 32;

std::span<WireAct> open_acts() {
  return {stretches.acts + stretches.begin, stretches.used - stretches.begin};
}

bool same_access(const WireAct& a, const WireAct& b) {
  return a.kind == b.kind && a.thread == b.thread && a.mask == b.mask && a.bits == b.bits &&
         a.second == b.second && a.third == b.third;
}

// Makes one of both, if there is nothing between them.
bool unite(WireAct& to, const WireAct& more) {
  const std::uint64_t end = to.first + to.count, other_end = more.first + more.count;
  if (more.first > end || other_end < to.first) return false;
  const std::uint64_t first = std::min(to.first, more.first), last = std::max(end, other_end);
  if (last - first > ~std::uint32_t{0}) return false;
  to.first = first;
  to.count = static_cast<std::uint32_t>(last - first);
  return true;
}

// (It is no matter in which order accesses are that have no other act between them.)
void put_row_in_order() {
  const std::span row(stretches.acts + stretches.row, stretches.used - stretches.row);
  std::ranges::sort(row, [](const WireAct& a, const WireAct& b) {
    if (!same_access(a, b)) {
      if (a.second != b.second) return a.second < b.second;
      if (a.third != b.third) return a.third < b.third;
      if (a.thread != b.thread) return a.thread < b.thread;
      return a.mask != b.mask ? a.mask < b.mask : a.bits < b.bits;
    }
    return a.first < b.first;
  });
  std::size_t kept = 0;
  for (const WireAct& act : row)
    if (kept == 0 || !same_access(row[kept - 1], act) || !unite(row[kept - 1], act))
      row[kept++] = act;
  stretches.used = stretches.row + static_cast<std::uint32_t>(kept);
}

void end_row() {
  if (stretches.used - stretches.row > many_accesses) put_row_in_order();
  stretches.row = stretches.used;
}

// Runs repeat themselves: what has the same acts as an earlier one of the run refers to these.
void close() {
  end_row();
  const std::span<WireAct> acts = open_acts();
  if (acts.empty()) return;
  if (stretches.count == max_stretches) {  // only if the program has written over the reply
    stretches.telling = false;
    return;
  }
  WireStretch& made = stretches.list[stretches.count];
  made = {stretches.at, stretches.begin, static_cast<std::uint32_t>(acts.size()), 0};
  detail::Slot& slot = stretches.slots[hash_of<WireAct>(acts) % slot_count];
  if (slot.run == stretches.run) {
    const WireStretch& known = stretches.list[slot.stretch];
    if (known.count == made.count &&
        std::memcmp(stretches.acts + known.first, acts.data(), acts.size_bytes()) == 0) {
      made.first = known.first;
      stretches.used = stretches.begin;
    }
  } else {
    slot = {stretches.run, stretches.count};
  }
  ++stretches.count;
  stretches.begin = stretches.row = stretches.used;
}

// Whether acts are told here. Those of another event than the last are of another stretch.
bool is_told_here() {
  const std::uint32_t events = reply().event_count;
  if (events < stretches.from || is_trying()) return false;
  if (events == stretches.at) return true;
  close();
  stretches.at = events;
  return is_telling();
}

void add(const WireAct& act) {
  if (stretches.used == abi::max_acts) put_row_in_order();
  if (stretches.used == abi::max_acts)
    unsupported("a run with more accesses to memory than '--algorithm merging' can compare");
  stretches.acts[stretches.used++] = act;
}

void tell(abi::ActKind kind, Knower to, Knower from) {
  if (!is_told_here()) return;
  end_row();
  add({kind, 0, 0, 0, 0, to, from, 0});
  stretches.row = stretches.used;
}

void add_access(const WireAct& act) {
  const std::uint64_t name = act.second ^ act.third ^ act.thread ^ std::uint64_t{act.mask} << 8 ^
                             std::uint64_t{act.bits} << 16;
  std::uint32_t& recent = stretches.recent[mix(name, 0) % detail::recent_accesses];
  if (recent >= stretches.row && recent < stretches.used) {
    WireAct& last = stretches.acts[recent];
    if (same_access(last, act) && unite(last, act)) return;
  }
  add(act);
  recent = stretches.used - 1;
}

}  // namespace

void begin_stretches(bool from_main) {
  stretches.telling = request().compare != abi::Compare::nothing;
  if (!is_telling()) return;
  if (stretches.list == nullptr) {
    stretches.list = static_cast<WireStretch*>(map_anywhere(max_stretches * sizeof(WireStretch)));
    stretches.acts = static_cast<WireAct*>(map_anywhere(abi::max_acts * sizeof(WireAct)));
    stretches.slots = static_cast<detail::Slot*>(map_anywhere(slot_count * sizeof(detail::Slot)));
  }
  const bool tells_beginning = request().digest_from == 0 && from_main;
  stretches.from = tells_beginning ? 0 : request().digest_from + 1;
  stretches.at = stretches.from;
  stretches.count = stretches.used = stretches.begin = stretches.row = 0;
  ++stretches.run;
}

void report_stretches() {
  if (!is_telling()) return;
  close();
  stretches.telling = false;
  const std::uint64_t list_bytes = stretches.count * sizeof(WireStretch),
                      act_bytes = stretches.used * sizeof(WireAct);
  auto* const out = static_cast<char*>(add_to_reply(list_bytes + act_bytes));
  HEDDLE_RUNTIME_CHECK(out != nullptr);
  std::memcpy(out, stretches.list, list_bytes);
  std::memcpy(out + list_bytes, stretches.acts, act_bytes);
  reply().stretch_count = stretches.count;
  reply().act_count = stretches.used;
}

void tell_add(Knower to, Knower from) { tell(abi::ActKind::add, to, from); }
void tell_replace(Knower to, Knower from) { tell(abi::ActKind::replace, to, from); }
void tell_forget(Knower to) { tell(abi::ActKind::forget, to, 0); }

void tell_access(unsigned thread, const void* address, std::uint64_t size, std::uint8_t bits,
                 const abi::Site* where) {
  if (!is_told_here()) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address), end = begin + size;
  WireAct act{abi::ActKind::access,
              static_cast<std::uint8_t>(thread),
              0xff,
              bits,
              1,
              0,
              reinterpret_cast<std::uint64_t>(site_of(where)),
              stack_name_of(where)};
  const auto add_granules = [&](std::uint64_t first, std::uint64_t count, unsigned mask) {
    act.mask = static_cast<std::uint8_t>(mask);
    constexpr std::uint64_t most = 1U << 31;
    for (; count != 0; first += act.count, count -= act.count) {
      act.first = first;
      act.count = static_cast<std::uint32_t>(std::min(count, most));
      add_access(act);
    }
  };
  const std::uint64_t first = begin / granule_size, last = (end - 1) / granule_size;
  const unsigned above = 0xffU << begin % granule_size & 0xffU;
  const unsigned below = 0xffU >> (granule_size - 1 - (end - 1) % granule_size);
  if (first == last) return add_granules(first, 1, above & below);
  // Whole granules are one range.
  const std::uint64_t whole = first + (above == 0xff ? 0 : 1);
  const std::uint64_t whole_end = last + (below == 0xff ? 1 : 0);
  if (whole != first) add_granules(first, 1, above);
  add_granules(whole, whole_end - whole, 0xff);
  if (whole_end == last) add_granules(last, 1, below);
}

}  // namespace heddle::runtime
