#include "core/reduction/replayed.hpp"

#include <algorithm>

namespace heddle {

const Replayed* Replays::run(const Schedule& moves) {
  const auto [at, fresh] = known_.try_emplace(moves);
  if (!fresh) return at->second.get();
  machine_.reset();
  std::vector<Event> events;
  for (const Move m : moves) {
    if (!machine_.why_not(m).empty()) return nullptr;
    events.push_back(machine_.step(m));
  }
  Order order(machine_.footprints(), events, observers_);
  auto run =
      std::make_unique<Replayed>(Replayed{std::move(events), std::move(order), {}, {}, {}, {}});
  machine_.enabled(run->enabled);
  machine_.describe(run->control, run->memory);
  for (std::size_t t = 0; t < machine_.thread_count(); ++t)
    run->observed.push_back(machine_.observed(static_cast<ThreadId>(t)));
  at->second = std::move(run);
  return at->second.get();
}

bool Replays::weak_initial(const Schedule& E, Move p, const Schedule& w) {
  const auto same_thread = [&](Move m) { return m.thread == p.thread; };
  const auto first = std::ranges::find_if(w, same_thread);
  if (first != w.end() && *first != p) return false;  // the thread goes another way in w
  if (first == w.end()) {
    const auto& enabled = run(E)->enabled;
    if (std::ranges::find(enabled, p) == enabled.end()) return false;
  }
  const Replayed* all = run(first == w.end() ? E + w + p : E + w);
  if (all == nullptr) return false;
  const std::size_t at = E.size() + static_cast<std::size_t>(first - w.begin());
  for (std::size_t i = E.size(); i < at; ++i)
    if (all->order.before(i, at)) return false;
  return true;
}

bool Replays::independent(const Schedule& E, Move p, const Schedule& v) {
  const Replayed* all = run(E + p + v);
  if (all == nullptr) return false;
  for (std::size_t k = E.size() + 1; k < all->order.size(); ++k)
    if (all->order.before(E.size(), k)) return false;
  return true;
}

}  // namespace heddle
