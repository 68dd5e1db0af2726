#include "core/reduction/optimal.hpp"

#include "core/explorer.hpp"

namespace heddle {

void Optimal::reversal(const Execution& execution, const Race& race, std::vector<Event>& v) const {
  v.clear();
  for (std::uint32_t k = race.first + 1; k < execution.size(); ++k)
    if (execution.stays(race, k)) v.push_back(execution.event(k));
  v.push_back(execution.event(race.second));
}

Result explore_optimal(Runner& runner, const ExploreOptions& options) {
  return Explorer(runner, Optimal(runner.footprints()), options).explore();
}

}  // namespace heddle
