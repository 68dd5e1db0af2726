#include "fuzz/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/random.hpp"
#include "core/algorithm.hpp"

namespace heddle::fuzz {
namespace {

constexpr std::uint64_t most_executions = 6'000;
constexpr std::uint64_t most_interleavings = 3'000;  // each step of which is a run
constexpr double most_seconds = 4;
constexpr Bound first_bound = 3, large_bound = 6;
constexpr std::size_t modes_beside = 1;

using O = native::Options;
constexpr Mode table[] = {
    {"observers", ""},
    {"optimal, loops going round a few times", "--algorithm optimal", "optimal", [](O&) {},
     first_bound},
    {"optimal", "--algorithm optimal", "optimal"},
    {"source", "--algorithm source", "source"},
    {"every interleaving", "--algorithm none", "none"},
    {"runs from savepoints, each repeated from the beginning",
     "--savepoints always --repeat-every 1", "observers",
     [](O& o) {
       o.savepoints = abi::Savepoints::always;
       o.repeat_every = 1;
     }},
    {"no savepoints", "--algorithm optimal --savepoints never", "optimal",
     [](O& o) { o.savepoints = abi::Savepoints::never; }},
    {"a process for each run", "--isolate fork", "observers", [](O& o) { o.isolate = true; }},
    {"all visible", "--algorithm optimal --all-visible", "optimal",
     [](O& o) { o.all_visible = true; }},
    {"random order", "--order random", "observers",
     [](O& o) { o.explore.order = ExploreOptions::Pick::random; }},
    {"another round of waiting", "--waiting-rounds 2", "observers",
     [](O& o) { o.waiting_rounds = 2; }},
    {"observers, loops going round a few times", "", "observers", [](O&) {}, first_bound},
    {"source, loops going round a few times", "--algorithm source", "source", [](O&) {},
     first_bound},
    {"another level of optimisation", "--algorithm optimal", "optimal", [](O&) {}, 0, 2},
};

bool is_wrong(abi::Finding kind) {
  using enum abi::Finding;
  return kind == data_race || kind == use_after_free || kind == double_free ||
         kind == invalid_free || kind == out_of_bounds || kind == lock_misuse;
}

// Whatever threads do to each other, no program of ours does this.
bool is_odd(abi::Finding kind) {
  using enum abi::Finding;
  return kind == nondeterminism || kind == died || kind == signal || kind == terminate ||
         kind == stack_overflow || kind == abort || kind == assertion;
}

View view_of(const native::Report& report) {
  View out;
  out.complete = report.complete;
  for (const auto& [outcome, runs] : report.outcomes) {
    if (is_wrong(outcome.finding)) out.wrong = true;
    if (outcome.finding == abi::Finding::endless) out.complete = false;
    std::string text = outcome.value ? fmt::format("{}", *outcome.value) : "";
    if (outcome.finding != abi::Finding::none && outcome.finding != abi::Finding::exit)
      text += fmt::format("{}{}", text.empty() ? "" : " ", abi::name_of(outcome.finding));
    if (!text.empty()) out.outcomes.insert(text);
  }
  for (const native::Finding& f : report.findings) {
    if (is_odd(f.kind)) out.oddity = fmt::format("{}: {}", f.kind_name(), f.message);
    if (f.kind == abi::Finding::exit) out.outcomes.insert(f.message);
  }
  return out;
}

bool waits_for_ever(const std::string& outcome) {
  return outcome.find("livelock") != std::string::npos ||
         outcome.find("deadlock") != std::string::npos;
}

std::size_t missing(const std::set<std::string>& from, const std::set<std::string>& in) {
  return static_cast<std::size_t>(
      std::ranges::count_if(from, [&](const std::string& x) { return !in.contains(x); }));
}

std::string lost(std::size_t n, std::size_t of) {
  return fmt::format("loses {} of {} outcomes", n, of);
}

}  // namespace

std::span<const Mode> modes() { return table; }

View Judge::explore(const Program& program, const Mode& mode, Bound bound) {
  Program built = program;
  if (mode.level != 0) built.level = program.level == mode.level ? 1 : mode.level;
  native::Options options;
  options.command = builds_.command(built, bound);
  options.keep_going = true;
  options.explain = false;
  options.max_steps = 2'000;
  options.limits.seconds = most_seconds;
  options.explore.max_executions = mode.algorithm == "none" ? most_interleavings : most_executions;
  mode.set(options);
  const native::Report report =
      native::explore(*find_algorithm(std::string(mode.algorithm)), options);
  ++explorations_;
  executions_ += report.counts.executions + report.counts.blocked;
  return view_of(report);
}

// Nothing: they agree, or it cannot be told.
std::optional<Difference> Judge::compare(const Program& program, const View& base,
                                         const Mode& mode) {
  if (mode.bound != 0) return compare_bounded(program, base, mode);
  const View other = explore(program, mode, 0);
  const auto differs = [&](std::string what) {
    return Difference{std::move(what), &mode, 0, other, base};
  };
  if (!other.oddity.empty()) return differs(other.oddity);
  if (!other.complete) return std::nullopt;
  // A race of what only a waiting loop reads may take another round.
  if (other.wrong != base.wrong && !(other.wrong && mode.name == "another round of waiting"))
    return differs(other.wrong ? "misses what is wrong with it" : "finds something wrong with it");
  if (other.wrong || base.wrong) return std::nullopt;
  if (const std::size_t n = missing(other.outcomes, base.outcomes))
    return differs(lost(n, other.outcomes.size()));
  if (const std::size_t n = missing(base.outcomes, other.outcomes))
    return differs(fmt::format("has {} outcomes more", n));
  return std::nullopt;
}

// In a bounded form, a thread that waits for ever is given up, and with it the run.
std::optional<Difference> Judge::compare_bounded(const Program& program, const View& base,
                                                 const Mode& mode) {
  if (!waits(program)) return std::nullopt;
  for (const Bound bound : {mode.bound, large_bound}) {
    const View other = explore(program, mode, bound);
    const auto differs = [&](std::string what) {
      return Difference{std::move(what), &mode, bound, other, base};
    };
    if (!other.oddity.empty()) return differs(other.oddity);
    if (!other.complete || base.wrong || other.wrong) return std::nullopt;
    if (const std::size_t n = missing(other.outcomes, base.outcomes))
      return differs(lost(n, other.outcomes.size()));
    std::set<std::string> ends;
    for (const std::string& o : base.outcomes)
      if (!waits_for_ever(o)) ends.insert(o);
    const std::size_t more = missing(ends, other.outcomes);
    if (more == 0 || is_timed(program)) return std::nullopt;
    if (bound == large_bound) return differs(fmt::format("has {} outcomes more", more));
  }
  return std::nullopt;
}

std::optional<Difference> Judge::check(const Program& program, std::uint64_t seed,
                                       const Mode* only) {
  const View base = explore(program, table[0], 0);
  if (!base.oddity.empty()) return Difference{base.oddity, &table[0], 0, base, base};
  if (!base.complete) {
    ++too_large_;
    return std::nullopt;
  }
  if (only != nullptr) return only == &table[0] ? std::nullopt : compare(program, base, *only);
  if (auto found = compare(program, base, waits(program) ? table[1] : table[2])) return found;
  Random random(seed);
  for (std::size_t n = 0; n < modes_beside; ++n)
    if (auto found = compare(program, base, table[1 + random.below(std::size(table) - 1)]))
      return found;
  return std::nullopt;
}

}  // namespace heddle::fuzz
