#include "bench/bench.hpp"

#include <memory>
#include <set>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/resources.hpp"
#include "interp/engine.hpp"
#include "interp/families.hpp"
#include "native/exploration.hpp"

namespace heddle::bench {
namespace {

// A little more than it gives itself: it says how far it came, and looks at the clock now and then.
constexpr double patience = 30;

Measurement measure_native(const std::string& executable, const Algorithm& algorithm,
                           double seconds, unsigned engines) {
  return measure(seconds + patience, [&] {
    native::Options options;
    options.command = {executable};
    options.limits.seconds = seconds;
    options.keep_going = true;  // otherwise the numbers would be those of an accident
    options.engines = engines;
    const native::Report report = native::explore(algorithm, options);
    return Measurement{.counts = report.counts,
                       .complete = report.complete,
                       .finding = !report.findings.empty(),
                       .seconds = report.seconds,
                       .overhead = report.overhead};
  });
}

Measurement measure_model(const interp::Program& program, const Algorithm& algorithm,
                          double seconds, unsigned engines) {
  return measure(seconds, [&] {
    const auto make = [&] {
      return std::make_unique<interp::ModelEngine>(program, algorithm, ExploreOptions(), false);
    };
    const auto engine = make();
    parallel::Control control;
    control.divisible = algorithm.is_divisible();
    control.engines = algorithm.is_divisible() ? engines : 1;
    control.resumable = false;
    std::vector<parallel::Item> open = {{}};
    Measurement out;
    const Stopwatch watch;
    const auto end = parallel::explore(*engine, make, control, open, out.overhead);
    out.seconds = watch.seconds();
    out.counts = engine->total();
    out.complete = end == parallel::Engine::End::complete;
    return out;
  });
}

// One size of one program, with the algorithms that are asked for.
class Measured {
 public:
  Measured(const Program& program, int size) : program_(program), size_(size) {}

  // The fast ones are measured on compiled programs. (Those that take single steps could be, too.)
  static bool is_native(const Algorithm& algorithm) {
    return is_for_compiled(algorithm) && algorithm.any_order;
  }
  bool has(const Algorithm& algorithm) const {
    return is_native(algorithm) || !program_.model.empty();
  }

  Measurement measure_with(const Algorithm& algorithm, double seconds, unsigned engines) {
    if (is_native(algorithm)) return measure_native(executable(), algorithm, seconds, engines);
    return measure_model(model(), algorithm, seconds, engines);
  }

 private:
  interp::Program model() const {
    const interp::Family* family = interp::find_family(program_.model);
    if (family == nullptr ||
        (family->sized && (size_ < family->min_size || size_ > family->max_size)))
      throw Misuse("suite.tsv: unknown model program " + title(program_, size_));
    return family->make(size_);
  }

  // Built when it is first needed.
  std::string executable() {
    const std::string path = (directory_.path() / program_.name).string();
    if (!built_) build(program_, size_, path);
    built_ = true;
    return path;
  }

  const Program& program_;
  int size_;
  TemporaryDirectory directory_;
  bool built_ = false;
};

std::vector<int> sizes_of(const Program& program, bool smallest) {
  if (program.sizes.empty()) return {0};
  return smallest ? std::vector<int>{program.sizes.front()} : program.sizes;
}

}  // namespace

const char* Row::status() const {
  if (!tried) return "not-tried";
  if (measured.finding) return "finding";
  return measured.complete ? "complete" : "stopped";
}

double Row::runs_per_second() const {
  const Counts& c = measured.counts;
  return measured.seconds > 0
             ? static_cast<double>(c.executions + c.blocked + c.merged) / measured.seconds
             : 0;
}

std::vector<Row> run(const Options& options, const Papers& papers) {
  std::vector<Row> rows;
  for (const Program* program : options.programs) {
    std::set<const Algorithm*> too_slow;
    for (const int size : sizes_of(*program, options.smallest)) {
      Measured measured(*program, size);
      for (const Algorithm* algorithm : options.algorithms) {
        if (!measured.has(*algorithm)) continue;
        Row row{program,
                size,
                algorithm,
                Measured::is_native(*algorithm),
                !too_slow.contains(algorithm),
                {},
                {}};
        if (row.tried)
          row.measured = measured.measure_with(*algorithm, options.seconds, options.engines);
        if (!row.measured.complete) too_slow.insert(algorithm);
        row.compared = papers.compare(*program, size, *algorithm, row.measured.counts.executions,
                                      row.measured.complete);
        options.on_row(row);
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

}  // namespace heddle::bench
