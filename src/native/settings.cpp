#include "native/settings.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "base/check.hpp"

namespace heddle::native {
namespace {

void set_waits(const Cube& cube, abi::Settings& to) {
  if (cube.waits.size() > std::size(to.waits))
    throw Misuse("a part of an exploration cannot have more than " +
                 std::to_string(std::size(to.waits)) + " waits");
  for (const Wait& w : cube.waits) {
    HEDDLE_CHECK(w.first.thread < abi::max_threads && w.second.thread < abi::max_threads);
    to.waits[to.wait_count++] = {w.first.thread, w.second.thread, w.first.index, w.second.index};
  }
}

}  // namespace

std::unique_ptr<abi::Settings> settings_of(const Options& from, const Knowledge& knowledge,
                                           Covers covers, const Cube& cube) {
  auto out = std::make_unique<abi::Settings>();
  abi::Settings& to = *out;
  // More would not have been accepted, see the option and Decoder::learn_races.
  HEDDLE_CHECK(from.nondet.size() <= std::size(to.nondet));
  HEDDLE_CHECK(knowledge.visible.size() <= std::size(to.visible));
  HEDDLE_CHECK(knowledge.pardoned.size() <= std::size(to.pardoned));
  to.observers = covers == Covers::observations ? 1 : 0;
  to.step_limit = std::min(from.max_steps, abi::max_steps);
  to.waiting_rounds = from.waiting_rounds;
  to.races = from.races;
  to.timeouts = from.timeouts;
  to.spurious_wakeups = from.spurious_wakeups ? 1 : 0;
  to.fork_each = from.isolate ? 1 : 0;
  to.savepoints = from.savepoints;
  to.all_visible = from.all_visible ? 1 : 0;
  to.semaphore_values = knowledge.semaphore_values ? 1 : 0;
  to.block_choices = knowledge.block_choices ? 1 : 0;
  to.kill_at_exit = from.kill_at_exit ? 1 : 0;
  to.nondet_count = static_cast<std::uint32_t>(from.nondet.size());
  std::ranges::copy(from.nondet, to.nondet);
  to.visible_count = static_cast<std::uint32_t>(knowledge.visible.size());
  std::ranges::copy(knowledge.visible, to.visible);
  to.pardoned_count = static_cast<std::uint32_t>(knowledge.pardoned.size());
  std::ranges::copy(std::views::keys(knowledge.pardoned), to.pardoned);
  set_waits(cube, to);
  return out;
}

std::string run_file(const Options& options, const Schedule& schedule, const Knowledge& knowledge) {
  const auto file = std::make_unique<abi::RunFile>();
  file->version = abi::version;
  file->settings = *settings_of(options, knowledge);
  file->request.then = abi::Then::explain;
  file->request.move_count = static_cast<std::uint32_t>(schedule.size());
  std::string out(reinterpret_cast<const char*>(file.get()), sizeof *file);
  for (const Move& m : schedule) {
    const abi::WireMove wire{m.thread, m.alternative};
    out.append(reinterpret_cast<const char*>(&wire), sizeof wire);
  }
  return out;
}

}  // namespace heddle::native
