#include "core/algorithm.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "core/reduction/merging.hpp"
#include "core/reduction/merging_live.hpp"
#include "core/reduction/none.hpp"
#include "core/reduction/observers.hpp"
#include "core/reduction/optimal.hpp"
#include "core/reduction/published_context.hpp"
#include "core/reduction/published_optimal_context.hpp"
#include "core/reduction/source.hpp"

namespace heddle {
namespace {

template <auto explore>
Result on_machine(Target target, const ExploreOptions& options) {
  HEDDLE_CHECK(options.order == ExploreOptions::Pick::leftmost);
  return explore(target.machine, options);
}
// Runs end where states are known, whatever is known of plain accesses there.
template <auto explore>
Result without_plain(Target target, const ExploreOptions& options) {
  if (target.machine.has_plain())
    throw Misuse("this algorithm does not judge data races of plain accesses: use another one");
  return on_machine<explore>(target, options);
}
template <auto explore>
Result without_time_outs(Target target, const ExploreOptions& options) {
  if (target.machine.has_time_outs())
    throw Misuse("this algorithm does not know time-outs: use one that loses nothing");
  return without_plain<explore>(target, options);
}
template <auto explore>
Result on_runner(Target target, const ExploreOptions& options) {
  return explore(target.runner, options);
}

constexpr bool sound = true, lossy = false, any_order = true, one_order = false;
constexpr bool by_state = true, by_events = false;
constexpr AddsUp counts_add_up = AddsUp::counts, findings_do = AddsUp::findings,
                 one_piece = AddsUp::nothing;
constexpr bool time_outs = true, no_time_outs = false;
constexpr bool plain = true, no_plain = false;

constexpr Algorithm table[] = {
    {"none", "every interleaving", "", Covers::final_states, sound, one_order, by_events,
     counts_add_up, time_outs, plain, on_machine<explore_none>},
    {"source", "source sets and sleep sets", "Abdulla et al. 2014", Covers::final_states, sound,
     one_order, by_events, one_piece, time_outs, plain, on_machine<explore_source>},
    {"optimal", "each Mazurkiewicz trace exactly once", "Abdulla et al. 2014", Covers::final_states,
     sound, any_order, by_events, counts_add_up, time_outs, plain, on_runner<explore_optimal>},
    {"observers", "writes and sends are ordered only if an event sees it", "Aronis et al. 2018",
     Covers::observations, sound, any_order, by_events, counts_add_up, time_outs, plain,
     on_runner<explore_observers>},
    {"merging", "runs end in states that are known", "", Covers::final_states, sound, any_order,
     by_state, findings_do, time_outs, plain, on_runner<explore_merging>},
    {"merging-live", "the same, modulo memory that no thread will read", "", Covers::observations,
     sound, one_order, by_state, one_piece, time_outs, no_plain,
     without_plain<explore_merging_live>},
    {"published-context", "as published; loses behaviours", "Albert et al. 2017",
     Covers::final_states, lossy, one_order, by_state, one_piece, no_time_outs, no_plain,
     without_time_outs<explore_published_context>},
    {"published-optimal-context", "as published; loses behaviours", "Albert et al. 2023",
     Covers::final_states, lossy, one_order, by_state, one_piece, no_time_outs, no_plain,
     without_time_outs<explore_published_optimal_context>},
    {"published-optimal-context-observers", "as published; loses behaviours", "Albert et al. 2023",
     Covers::observations, lossy, one_order, by_state, one_piece, no_time_outs, no_plain,
     without_time_outs<explore_published_optimal_context_observers>},
};

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Algorithm::name);
  return found == std::end(table) ? nullptr : &*found;
}

}  // namespace heddle
