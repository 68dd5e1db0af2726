#include "fuzz/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "base/random.hpp"
#include "core/algorithm.hpp"
#include "fuzz/parts.hpp"

namespace heddle::fuzz {
namespace {

constexpr std::uint64_t most_executions = 6'000;     // of programs that are explored together
constexpr std::uint64_t most_interleavings = 3'000;  // each step of which is a run
constexpr double most_seconds = 4;
constexpr Bound first_bound = 3, large_bound = 6;
constexpr std::size_t modes_beside = 1;
constexpr std::uint64_t of_one_level = 300;  // explorations, until another level is worth its time

using O = native::Options;
constexpr Mode table[] = {
    {"observers", ""},
    {"optimal, loops going round a few times", "--algorithm optimal", "optimal", [](O&) {},
     first_bound},
    {"optimal", "--algorithm optimal", "optimal"},
    {"source", "--algorithm source", "source", [](O&) {}, 0, 0, true},
    {"every interleaving", "--algorithm none", "none", [](O&) {}, 0, 0, true},
    {"runs from savepoints, each repeated from the beginning",
     "--savepoints always --repeat-every 1", "observers",
     [](O& o) {
       o.savepoints = abi::Savepoints::always;
       o.repeat_every = 1;
     }},
    {"no savepoints", "--algorithm optimal --savepoints never", "optimal",
     [](O& o) { o.savepoints = abi::Savepoints::never; }},
    {"a process for each run", "--isolate fork", "observers", [](O& o) { o.isolate = true; }, 0, 0,
     true},
    {"all visible", "--algorithm optimal --all-visible", "optimal",
     [](O& o) { o.all_visible = true; }},
    {"random order", "--order random", "observers",
     [](O& o) { o.explore.order = ExploreOptions::Pick::random; }},
    {"another round of waiting", "--waiting-rounds 2", "observers",
     [](O& o) { o.waiting_rounds = 2; }},
    {"observers, loops going round a few times", "", "observers", [](O&) {}, first_bound},
    {"source, loops going round a few times", "--algorithm source", "source", [](O&) {},
     first_bound, 0, true},
    {"another level of optimisation", "--algorithm optimal", "optimal", [](O&) {}, 0, 2},
    {"merging", "--algorithm merging", "merging"},
    {"merging, in random order", "--algorithm merging --order random", "merging",
     [](O& o) { o.explore.order = ExploreOptions::Pick::random; }},
    {"merging, from savepoints, each run repeated from the beginning",
     "--algorithm merging --savepoints always --repeat-every 1", "merging",
     [](O& o) {
       o.savepoints = abi::Savepoints::always;
       o.repeat_every = 1;
     }},
    {"merging, all visible", "--algorithm merging --all-visible", "merging",
     [](O& o) { o.all_visible = true; }},
    {.name = "observers, in parts", .options = "", .in_parts = true},
    {.name = "optimal, in parts",
     .options = "--algorithm optimal",
     .algorithm = "optimal",
     .in_parts = true},
    {.name = "optimal, in parts, from savepoints",
     .options = "--algorithm optimal --savepoints always --repeat-every 1",
     .algorithm = "optimal",
     .set =
         [](O& o) {
           o.savepoints = abi::Savepoints::always;
           o.repeat_every = 1;
         },
     .in_parts = true},
    {.name = "merging, in parts",
     .options = "--algorithm merging",
     .algorithm = "merging",
     .in_parts = true},
    {.name = "merging, in parts, in random order",
     .options = "--algorithm merging --order random",
     .algorithm = "merging",
     .set = [](O& o) { o.explore.order = ExploreOptions::Pick::random; },
     .in_parts = true},
    {.name = "source, in parts",
     .options = "--algorithm source",
     .algorithm = "source",
     .is_slow = true,
     .in_parts = true},
    {.name = "every interleaving, in parts",
     .options = "--algorithm none",
     .algorithm = "none",
     .is_slow = true,
     .in_parts = true},
};

bool is_wrong(abi::Finding kind) {
  using enum abi::Finding;
  return kind == data_race || kind == use_after_free || kind == double_free ||
         kind == invalid_free || kind == out_of_bounds || kind == lock_misuse ||
         kind == message_misuse;
}

// Whatever threads do to each other, no program of ours does this.
bool is_odd(abi::Finding kind) {
  using enum abi::Finding;
  return kind == nondeterminism || kind == died || kind == signal || kind == terminate ||
         kind == stack_overflow || kind == abort || kind == assertion;
}

View view_of(const native::Outcomes& outcomes, bool complete) {
  View out;
  out.complete = complete;
  for (const auto& [outcome, runs] : outcomes) {
    if (is_wrong(outcome.finding)) out.wrong = true;
    if (outcome.finding == abi::Finding::endless) out.complete = false;
    std::string text = outcome.value ? fmt::format("{}", *outcome.value) : "";
    if (outcome.finding != abi::Finding::none && outcome.finding != abi::Finding::exit)
      text += fmt::format("{}{}", text.empty() ? "" : " ", abi::name_of(outcome.finding));
    if (!text.empty()) out.outcomes.insert(text);
  }
  return out;
}

View view_of(const native::Report& report) {
  View out = view_of(report.outcomes, report.complete);
  out.races = report.races;
  for (const findings::Finding& f : report.findings) {
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

native::Options Judge::options_for(std::span<const Program> programs, const Mode& mode,
                                   Bound bound) {
  std::vector<Program> built(programs.begin(), programs.end());
  if (mode.level != 0)
    for (Program& p : built) p.level = p.level == mode.level ? 1 : mode.level;
  native::Options options;
  options.command = builds_.command(built, bound);
  options.keep_going = true;
  options.explain = false;
  options.collect_races = true;
  options.max_steps = 2'000;
  options.limits.seconds = most_seconds;
  options.explore.max_executions = mode.algorithm == "none" ? most_interleavings : most_executions;
  mode.set(options);
  return options;
}

View Judge::explore(std::span<const Program> programs, const Mode& mode, Bound bound) {
  const native::Report report = native::explore(*find_algorithm(std::string(mode.algorithm)),
                                                options_for(programs, mode, bound));
  ++explorations_;
  executions_ += report.counts.executions + report.counts.blocked;
  return view_of(report);
}

// Nothing: they agree, or it cannot be told.
std::optional<Difference> Judge::compare(std::span<const Program> programs, const View& base,
                                         const Mode& mode, std::uint64_t seed) {
  if (mode.in_parts) return compare_in_parts(programs, mode, seed);
  if (mode.bound != 0) return compare_bounded(programs, base, mode);
  const View other = explore(programs, mode, 0);
  const auto differs = [&](std::string what) {
    return Difference{std::move(what), &mode, 0, other, base};
  };
  if (!other.oddity.empty()) return differs(other.oddity);
  if (!other.complete) return check_parts(programs, seed, &mode);
  // A race of what only a waiting loop reads may take another round.
  if (other.wrong != base.wrong && !(other.wrong && mode.name == "another round of waiting"))
    return differs(other.wrong ? "misses what is wrong with it" : "finds something wrong with it");
  if (other.wrong || base.wrong) return compare_races(base, other, mode);
  if (const std::size_t n = missing(other.outcomes, base.outcomes))
    return differs(lost(n, other.outcomes.size()));
  if (const std::size_t n = missing(base.outcomes, other.outcomes))
    return differs(fmt::format("has {} outcomes more", n));
  return std::nullopt;
}

// No run has a data race that the graph of states does not have.
std::optional<Difference> Judge::compare_races(const View& base, const View& other,
                                               const Mode& mode) {
  const auto differs = [&](std::string what) {
    return Difference{std::move(what), &mode, 0, other, base};
  };
  if (mode.algorithm == "merging" && !std::ranges::includes(other.races, base.races))
    return differs("has data races that merging does not have");
  return std::nullopt;
}

// Nothing is compared with another mode here: the whole is explored as its parts are.
std::optional<Difference> Judge::compare_in_parts(std::span<const Program> programs,
                                                  const Mode& mode, std::uint64_t seed) {
  const native::Options options = options_for(programs, mode, 0);
  const InParts both =
      explore_in_parts(*find_algorithm(std::string(mode.algorithm)), options, seed);
  ++explorations_;
  executions_ += both.whole.counts.executions + both.parts.counts.executions;
  const View whole = view_of(both.whole.outcomes, both.whole.complete);
  const View parts = view_of(both.parts.outcomes, both.parts.complete);
  const auto differs = [&](const std::string& what) {
    return Difference{what + ", in parts" + both.cubes, &mode, 0, whole, parts};
  };
  for (const std::string& oddity : {both.whole.oddity, both.parts.oddity})
    if (!oddity.empty()) return differs(oddity);
  if (!whole.complete || !parts.complete) return check_parts(programs, seed, &mode);
  if (const std::string what = both.difference_in_races(); !what.empty()) return differs(what);
  if (whole.wrong || parts.wrong) return check_parts(programs, seed, &mode);
  const bool exact = find_algorithm(mode.algorithm)->adds_up == AddsUp::counts;
  if (const std::string what = both.difference(exact); !what.empty()) return differs(what);
  return std::nullopt;
}

void Judge::note_compared(std::span<const Program> programs) {
  for (const Program& program : programs)
    for (const auto& thread : program.threads)
      for (const Step& s : thread)
        if (kinds()[s.kind].role == Role::waits) compared_waits_.insert(s.kind);
}

// In a bounded form, a thread that waits for ever is given up, and with it the run.
std::optional<Difference> Judge::compare_bounded(std::span<const Program> programs,
                                                 const View& base, const Mode& mode) {
  if (std::ranges::none_of(programs, waits)) return std::nullopt;
  const bool timed = std::ranges::any_of(programs, is_timed);
  for (const Bound bound : {mode.bound, large_bound}) {
    const View other = explore(programs, mode, bound);
    const auto differs = [&](std::string what) {
      return Difference{std::move(what), &mode, bound, other, base};
    };
    if (!other.oddity.empty()) return differs(other.oddity);
    if (!other.complete || other.wrong) return check_parts(programs, 0, &mode);
    if (base.wrong) return std::nullopt;
    if (const std::size_t n = missing(other.outcomes, base.outcomes))
      return differs(lost(n, other.outcomes.size()));
    std::set<std::string> ends;
    for (const std::string& o : base.outcomes)
      if (!waits_for_ever(o)) ends.insert(o);
    const std::size_t more = missing(ends, other.outcomes);
    if (more == 0 || timed) {
      note_compared(programs);
      return std::nullopt;
    }
    if (bound == large_bound) return differs(fmt::format("has {} outcomes more", more));
  }
  return std::nullopt;
}

std::optional<Difference> Judge::check(std::span<const Program> programs, std::uint64_t seed,
                                       const Mode* only) {
  const View base = explore(programs, table[0], 0);
  if (!base.oddity.empty()) return Difference{base.oddity, &table[0], 0, base, base};
  // What is wrong with one of them, or too large, says nothing of the others.
  if (programs.size() > 1 && (!base.complete || base.wrong))
    return check_parts(programs, seed, only);
  if (!base.complete) {
    ++too_large_;
    return std::nullopt;
  }
  if (only != nullptr)
    return only == &table[0] ? std::nullopt : compare(programs, base, *only, seed);
  const bool some_wait = std::ranges::any_of(programs, waits);
  if (auto found = compare(programs, base, some_wait ? table[1] : table[2], seed)) return found;
  return compare_with_some(programs, base, seed);
}

std::optional<Difference> Judge::check_parts(std::span<const Program> programs, std::uint64_t seed,
                                             const Mode* only) {
  if (programs.size() == 1) return std::nullopt;
  const std::size_t half = programs.size() / 2;
  if (auto found = check(programs.first(half), seed, only)) return found;
  return check(programs.subspan(half), seed, only);
}

std::optional<Difference> Judge::compare_with_some(std::span<const Program> programs,
                                                   const View& base, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t n = 0; n < modes_beside; ++n) {
    const Mode& mode = table[1 + random.below(std::size(table) - 1)];
    if (mode.level != 0 && explorations_ < of_one_level) continue;
    const bool one = mode.is_slow && programs.size() > 1;
    if (auto found = one ? check(programs.subspan(random.below(programs.size()), 1), seed, &mode)
                         : compare(programs, base, mode, seed))
      return found;
  }
  return std::nullopt;
}

}  // namespace heddle::fuzz
