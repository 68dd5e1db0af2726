#include "fuzz/fuzz.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/resources.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/shrink.hpp"

namespace heddle::fuzz {
namespace {

// Every language and level, and each program that is compiled for itself, costs a second or so. So
// there are many programs first, and then programs of many kinds.
constexpr std::uint64_t all_alike = 1'000;
constexpr std::uint64_t together = 12;  // programs of one shape that are explored at once

// False: it is C++ only.
bool make_alike(Program& program) {
  program.cxx = program.alone = false;
  program.level = 1;
  return is_well_formed(program);
}

// What is compiled in the same way.
struct Batch {
  std::vector<Program> programs;
  std::vector<std::uint64_t> seeds;
};

bool fit(const Program& a, const Program& b) {
  return !a.alone && !b.alone && a.cxx == b.cxx && a.level == b.level;
}

void add(std::vector<Batch>& to, Program program, std::uint64_t seed) {
  auto batch =
      std::ranges::find_if(to, [&](const Batch& b) { return fit(b.programs.front(), program); });
  if (batch == to.end()) batch = to.insert(to.end(), Batch{});
  batch->programs.push_back(std::move(program));
  batch->seeds.push_back(seed);
}

class Fuzzer {
 public:
  explicit Fuzzer(const FuzzOptions& options) : options_(options), random_(options.seed) {}

  FuzzReport run() {
    for (std::size_t n = 0; !done(); ++n) {
      const Shape& shape = shapes()[n % shapes().size()];
      if (!options_.shape.empty() && shape.name != options_.shape) continue;
      if (options_.on_program)
        show(shape);
      else
        for (const Batch& batch : some(shape))
          if (!done()) judge(batch, shape);
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
    report_.compared_waits = judge_.compared_waits();
    report_.explorations = judge_.explorations();
    report_.executions = judge_.executions();
  }

  void show(const Shape& shape) {
    const std::uint64_t seed = random_.next();
    options_.on_program(generate(shape, seed), shape.name, seed);
    ++report_.programs;
  }

  std::vector<Batch> some(const Shape& shape) {
    std::vector<Batch> out;
    std::uint64_t most = together;
    if (options_.max_programs != 0) most = std::min(most, options_.max_programs - report_.programs);
    for (std::uint64_t n = 0; n < most;) {
      const std::uint64_t seed = random_.next();
      Program program = generate(shape, seed);
      if (report_.programs < all_alike && !make_alike(program)) continue;
      add(out, std::move(program), seed);
      ++n;
    }
    return out;
  }

  void judge(const Batch& batch, const Shape& shape) {
    report_.programs += batch.programs.size();
    const auto difference = judge_.check(batch.programs, batch.seeds[0]);
    if (!difference) return;
    report_.shape = shape.name;
    report_.found_after = clock_.seconds();
    report_.difference = difference;
    const auto differ = [&](std::span<const Program> p) {
      return judge_.check(p, batch.seeds[0], difference->mode);
    };
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      if (!differ({&batch.programs[n], 1})) continue;
      report_.program_seed = batch.seeds[n];
      report_.differing = {smallest(batch.programs[n], differ)};
      if (auto again = differ(report_.differing)) report_.difference = std::move(again);
      return;
    }
    report_.program_seed = batch.seeds[0];
    report_.differing = fewest(batch.programs, differ);
  }

  using Differ = std::function<std::optional<Difference>(std::span<const Program>)>;

  static Program smallest(const Program& program, const Differ& differ) {
    const auto differs = [&](const Program& p) { return differ({&p, 1}).has_value(); };
    return compiled_alone(shrink(program, differs), differs);
  }

  static std::vector<Program> fewest(std::vector<Program> programs, const Differ& differ) {
    for (std::size_t n = 0; n < programs.size();) {
      std::vector<Program> fewer = programs;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(n));
      if (!fewer.empty() && differ(fewer))
        programs = std::move(fewer);
      else
        ++n;
    }
    return programs;
  }

  // The form in which a failure is reported, if it shows the same.
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
