#include "runtime/kernel/polling.hpp"

#include <iterator>

#include "runtime/kernel/clocks.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/updates.hpp"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t microsecond = 1000, second = 1'000'000'000, day = 86'400 * second;

// How long the rounds take in a row of rounds in which only time passes: from about the shortest
// time that programs wait to ten years, so that any limit is passed within seven rounds. After the
// last, time has run out.
constexpr std::uint64_t rounds_take[] = {second / 1000, second,    60 * second, 3600 * second,
                                         day,           365 * day, 3650 * day};

Fiber::Polling& polling_of(Fiber& self) {
  Fiber::Polling& p = self.polling;
  settle(self);
  if (p.effects == self.effects.counted()) return p;
  p.effects = self.effects.counted();
  p.looks = p.rounds = 0;
  p.jump = 0;
  return p;
}

const Fiber::Polling::Mark* mark_at(const Fiber& self, std::uint64_t effects) {
  const std::uint64_t but_time = self.effects.number() - self.effects.time();
  for (const Fiber::Polling::Mark& mark : self.polling.marks)
    if (but_time + mark.time == effects) return &mark;
  return nullptr;
}

// The limits of several threads that poll differ from each other: in which order they are reached
// makes no difference.
NextRound next_round(Fiber& self, const Fiber::Polling::Mark& since) {
  Fiber::Polling& p = self.polling;
  const bool waits = p.waits != since.waits;
  if (p.rounds == std::size(rounds_take)) {
    if (!waits) return {NextRound::never, 0};
    p.hopeless = since.world;
    return {NextRound::at_once, 0};
  }
  const std::uint64_t takes = rounds_take[p.rounds++] + self.id * microsecond;
  if (!waits) return {NextRound::later, time_of(self.id) + takes};
  p.jump = takes;
  return {NextRound::at_once, 0};
}

}  // namespace

std::uint64_t tick(Fiber& self) {
  if (is_trying()) return 0;
  // The first looks are a microsecond apart, as in a program that measures itself; then the
  // interval grows eightfold with each, up to 2^36 microseconds, which is most of a day.
  constexpr std::uint32_t leisurely = 4, shift = 3, most = 12;
  const std::uint32_t looks = ++polling_of(self).looks;
  const std::uint32_t beyond = looks < leisurely ? 0 : looks - leisurely;
  return microsecond << shift * (beyond < most ? beyond : most);
}

void pass_time(Fiber& self) {
  Fiber::Polling& p = polling_of(self);
  self.effects.pass_time();
  p.marks[p.next++ % std::size(p.marks)] = {self.effects.time(), done_by_all(), p.waits};
}

std::uint64_t pass_limit(Fiber& self) {
  Fiber::Polling& p = polling_of(self);
  ++p.waits;
  self.effects.forgive();
  pass_time(self);
  const std::uint64_t later = p.jump;
  p.jump = 0;
  return later;
}

bool only_time_passed(const Fiber& self, std::uint64_t effects) {
  return !self.polling.empty() && mark_at(self, effects) != nullptr;
}

NextRound come_round_in_time(Fiber& self, std::uint64_t effects, const abi::Site* loop,
                             const void* frame) {
  Fiber::Polling& p = polling_of(self);
  const Fiber::Polling::Mark since = *mark_at(self, effects);
  if (p.loop != loop || p.frame != frame || p.round_began != since.time) p.rounds = 0;
  p.loop = loop;
  p.frame = frame;
  return next_round(self, since);
}

void begin_round_in_time(Fiber& self) { self.polling.round_began = self.effects.time(); }

std::uint64_t done_by_all() {
  std::uint64_t out = 0;
  for_threads([&](const Fiber& f) {
    out += f.effects.counted() + f.effects.stack();
    if (f.status == Fiber::Status::ended) ++out;
  });
  return out;
}

bool is_hopeless(const Fiber& f, std::uint64_t world) {
  return !f.polling.empty() && f.polling.hopeless == world;
}

}  // namespace heddle::runtime
