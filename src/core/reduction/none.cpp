#include "core/reduction/none.hpp"

#include "core/reduction/depth_first.hpp"

namespace heddle {
namespace {

class EveryInterleaving : DepthFirst {
 public:
  EveryInterleaving(Machine& machine, const ExploreOptions& options)
      : DepthFirst(machine, options, Counted::schedule) {}

  Result explore() {
    return run([&] { visit(); });
  }

 private:
  void visit() {
    std::vector<Move> enabled;
    machine_.enabled(enabled);
    if (enabled.empty()) return end_run();
    machine_.save();
    for (const Move move : enabled) {
      step(move);
      visit();
      events_.pop_back();
      machine_.restore();
    }
    machine_.drop();
  }
};

}  // namespace

Result explore_none(Machine& machine, const ExploreOptions& options) {
  return EveryInterleaving(machine, options).explore();
}

}  // namespace heddle
