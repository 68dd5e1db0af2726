#include "fuzz/fuzz.hpp"

#include "base/random.hpp"
#include "base/resources.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/shrink.hpp"

namespace heddle::fuzz {
namespace {

// Every language and level, and each program that is compiled for itself, costs a second or so. So
// there are many programs first, and then programs of many kinds.
constexpr std::uint64_t all_alike = 150;

void make_alike(Program& program) {
  Program alike = program;
  alike.cxx = alike.alone = false;
  alike.level = 1;
  if (is_well_formed(alike)) program = std::move(alike);
}

class Fuzzer {
 public:
  explicit Fuzzer(const FuzzOptions& options) : options_(options), random_(options.seed) {}

  FuzzReport run() {
    for (std::size_t n = 0; !done(); ++n) {
      const Shape& shape = shapes()[n % shapes().size()];
      if (!options_.shape.empty() && shape.name != options_.shape) continue;
      const std::uint64_t seed = random_.next();
      Program program = generate(shape, seed);
      if (report_.programs < all_alike && !options_.on_program) make_alike(program);
      if (options_.on_program)
        options_.on_program(program, shape.name, seed);
      else
        judge(program, shape, seed);
      ++report_.programs;
      if (options_.on_progress && clock_.seconds() - told_ > 1) {
        told_ = clock_.seconds();
        count();
        options_.on_progress(report_);
      }
    }
    count();
    return std::move(report_);
  }

 private:
  bool done() const {
    return report_.difference || clock_.seconds() >= options_.seconds ||
           (options_.max_programs != 0 && report_.programs >= options_.max_programs);
  }

  void count() {
    report_.seconds = clock_.seconds();
    report_.too_large = judge_.too_large();
    report_.compiled = judge_.compiled();
    report_.explorations = judge_.explorations();
    report_.executions = judge_.executions();
  }

  void judge(const Program& program, const Shape& shape, std::uint64_t seed) {
    const auto difference = judge_.check(program, seed);
    if (!difference) return;
    report_.shape = shape.name;
    report_.program_seed = seed;
    report_.found_after = clock_.seconds();
    const Mode* mode = difference->mode;
    const auto differs = [&](const Program& p) { return judge_.check(p, seed, mode).has_value(); };
    report_.program = compiled_alone(shrink(program, differs), differs);
    report_.difference = judge_.check(report_.program, seed, mode);
    if (!report_.difference) report_.difference = difference;  // not each time: all the worse
  }

  // That is what can be given to somebody, if it shows the same.
  static Program compiled_alone(const Program& program,
                                const std::function<bool(const Program&)>& differs) {
    for (const bool inlined : {program.inlined, !program.inlined}) {
      Program alone = program;
      alone.alone = true;
      alone.inlined = inlined;
      if (differs(alone)) return alone;
    }
    return program;
  }

  const FuzzOptions& options_;
  Random random_;
  Stopwatch clock_;
  Judge judge_;
  double told_ = 0;
  FuzzReport report_;
};

}  // namespace

FuzzReport fuzz(const FuzzOptions& options) { return Fuzzer(options).run(); }

}  // namespace heddle::fuzz
