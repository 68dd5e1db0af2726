#include "runtime/kernel/giving_up.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/kernel/polling.hpp"

namespace heddle::runtime {
namespace {

struct Election {
  std::uint16_t elected = no_thread;
};
constinit Election election;  // of a run

// The threads whose limits end before all others', except those whose waits lead to nothing.
std::uint64_t first_of(std::uint64_t live) {
  std::uint64_t first = 0, earliest = ~0ULL;
  const std::uint64_t world = done_by_all();
  for (std::uint64_t rest = live; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<unsigned>(__builtin_ctzll(rest));
    const Op& op = fiber(id).pending;
    if (!op.timed || op.deadline > earliest || is_hopeless(fiber(id), world)) continue;
    first = bit(id) | (op.deadline < earliest ? 0 : first);
    earliest = op.deadline;
  }
  return first;
}

std::uint16_t lowest(std::uint64_t threads) {
  return static_cast<std::uint16_t>(__builtin_ctzll(threads));
}

}  // namespace

abi::WireMove next_to_give_up(std::uint64_t live) {
  if (election.elected != no_thread) return {election.elected, timed_out};
  const std::uint64_t first = first_of(live);
  if (first == 0) return {no_thread, 0};
  const bool alone = (first & (first - 1)) == 0;
  return {lowest(first), alone ? timed_out : std::uint16_t{0}};
}

unsigned elects(unsigned id, std::uint64_t live) {
  if (election.elected != no_thread || !fiber(id).pending.timed) return 0;
  const std::uint64_t first = first_of(live);
  if (first == bit(id) || lowest(first) != id) return 0;
  return static_cast<unsigned>(__builtin_popcountll(first));
}

void elect(abi::WireMove move, std::uint64_t live) {
  std::uint64_t chosen = first_of(live);
  for (unsigned k = 0; k < move.alternative; ++k) chosen &= chosen - 1;
  election.elected = lowest(chosen);
}

void end_election() { election.elected = no_thread; }

void save_election(Savepoint& into) { into.keep(election.elected); }

}  // namespace heddle::runtime
