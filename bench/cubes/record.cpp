#include "cubes/record.hpp"

#include <algorithm>
#include <ctime>
#include <limits>

#include "base/check.hpp"
#include "core/algorithm.hpp"
#include "core/tree.hpp"
#include "interp/engine.hpp"
#include "interp/families.hpp"

namespace heddle::cubes {
namespace {

// A cube of no more runs is not split. (Below each of its runs there may be a whole exploration,
// see subject.hpp.)
constexpr std::uint64_t least = 4;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Recorder {
 public:
  Recorder(const interp::Program& program, const Algorithm& algorithm, Recorded& out)
      : algorithm_(algorithm),
        runner_(program),
        engine_(program, algorithm, {}, false),
        out_(out) {}

  void record(const std::string& cube, unsigned depth) {
    const std::size_t at = out_.cubes.size();
    out_.cubes.push_back(explored(cube, depth));
    if (out_.cubes[at].counted + out_.cubes[at].discarded <= least) return;
    const auto halves = engine_.halves(cube);
    if (!halves) return;
    out_.cubes[at].cost = halves->cost;
    out_.cubes[at].in_vain = halves->in_vain;
    out_.cubes[at].first = out_.cubes.size();
    record(halves->first, depth + 1);
    out_.cubes[at].second = out_.cubes.size();
    record(halves->second, depth + 1);
  }

 private:
  // All of it, with a look at the tree now and then.
  RecordedCube explored(const std::string& cube, unsigned depth) {
    runner_.machine().restrict_to(parse_cube(cube, runner_.thread_count()));
    std::uint64_t done = 0;
    std::size_t most = 0;
    std::vector<Point> all;  // at each number of runs that might be a look
    const auto looks = Recorded::looks(std::numeric_limits<std::int32_t>::max());
    ExploreOptions options;
    options.may_continue = [&](const Ongoing& now) {
      const Tree* const tree = now.tree;
      most = std::max(most, tree->live_nodes());
      if (all.size() < looks.size() && done == looks[all.size()])
        all.push_back({static_cast<double>(done), tree->outlook().runs});
      ++done;
      return true;
    };
    const double begin = cpu_seconds();
    const Result result = algorithm_.explore({runner_, runner_.machine()}, options);
    RecordedCube out;
    out.depth = depth;
    out.microseconds = static_cast<std::uint64_t>((cpu_seconds() - begin) * 1e6);
    out.counted = result.counts.executions + result.counts.blocked;
    out.nodes = most;
    out.discarded = result.counts.discarded;
    for (const Point& p : all)
      if (p.runs < out.runs()) out.points.push_back(p);
    out.points.push_back({out.runs(), out.runs()});
    HEDDLE_CHECK(out.points.size() == Recorded::looks(out.counted + out.discarded).size());
    return out;
  }

  const Algorithm& algorithm_;
  interp::ModelRunner runner_;
  interp::ModelEngine engine_;
  Recorded& out_;
};

}  // namespace

Recorded record(const std::string& family, int size, const std::string& algorithm) {
  const interp::Family* found = interp::find_family(family);
  const Algorithm* how = find_algorithm(algorithm);
  if (found == nullptr || how == nullptr || !how->any_order)
    throw Misuse("no such program, or none such algorithm that has a tree");
  Recorded out{family, size, algorithm, {}};
  Recorder(found->make(size), *how, out).record("", 0);
  return out;
}

}  // namespace heddle::cubes
