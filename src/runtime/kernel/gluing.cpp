#include "runtime/kernel/gluing.hpp"

#include <cstring>
#include <iterator>

#include "runtime/abi/layout.h"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/operations.hpp"
#include "runtime/kernel/scheduler.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {

namespace {

// After this many rounds the run never ends, as far as the runtime can tell: about a second of a
// loop that only counts, while programs spin for some thousands of rounds.
constexpr std::uint64_t most_rounds = 50'000'000;

struct Gluing {
  std::uint64_t rounds;  // so far
};
constinit Gluing gluing{};

bool is_mapped(const void* address) {
  constexpr std::uint64_t size = abi::mappings_size * (abi::max_threads + 1);
  return reinterpret_cast<std::uint64_t>(address) - abi::mappings_begin < size;
}

// Other threads may have changed what it read first before it came to what it read last: a step
// that reads all of it shows that. Where the round had a single event, no thread came in between.
bool is_stable(const Fiber::Round& round) {
  if (round.events <= 1) return true;
  if (round.events > std::size(round.reads)) return false;
  step({.kind = OpKind::block});
  bool same = true;
  for (std::uint32_t k = 0; k < round.events; ++k) {
    const Fiber::Round::Read& read = round.reads[k];
    record_range(read.address, read.size, false);
    same = same && std::memcmp(read.address, read.value, read.size) == 0;
  }
  return same;
}

}  // namespace

void begin_round(Fiber& self) {
  self.round.open = true;
  self.round.events = 0;
}

// What cannot be kept, or may be unmapped when it is looked at again, is not looked at.
void note_round_read(Fiber& self, const void* address, std::uint64_t size) {
  Fiber::Round& round = self.round;
  if (!round.open) return;
  if (round.events >= std::size(round.reads) || size > sizeof round.reads[0].value ||
      is_mapped(address)) {
    round.events = round.events == 0 ? 1 : static_cast<std::uint32_t>(std::size(round.reads)) + 1;
    return;
  }
  Fiber::Round::Read& read = round.reads[round.events++];
  read.address = address;
  read.size = static_cast<std::uint32_t>(size);
  std::memcpy(read.value, address, size);
}

void digest_round(const Fiber& f, StateHash& into) {
  using Of = StateHash::Of;
  if (!f.round.open) return;
  into.add_words(Of::read, f.id, f.round.events);
  for (std::uint32_t k = 0; k < f.round.events && k < std::size(f.round.reads); ++k) {
    const Fiber::Round::Read& read = f.round.reads[k];
    std::uint64_t value[2] = {};
    std::memcpy(value, read.value, read.size);
    into.add_words(Of::read, f.id, k, read.address, read.size, value[0], value[1]);
  }
}

void glue(Fiber& self) {
  if (is_gluing()) {
    if (++gluing.rounds < most_rounds) return;
    end_gluing(self);
    end_endless();
  }
  if (!self.round.open || !is_stable(self.round)) return;
  HEDDLE_RUNTIME_CHECK(!is_trying());
  gluing.rounds = 0;
  detail::now.gluing = true;
}

void end_gluing(Fiber& self) {
  detail::now.gluing = false;
  self.round.open = false;
}

}  // namespace heddle::runtime
