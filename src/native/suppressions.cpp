#include "native/suppressions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/check.hpp"
#include "base/files.hpp"
#include "native/names.hpp"

namespace heddle::native {
namespace {

using Kind = Suppression::Kind;

// Known, intended races of libstdc++: caches to which all threads write the same value. They are in
// headers, so programs built with heddle contain them.
constexpr const char* built_in = R"(
# The tables of std::ctype are filled when a character is asked for first; std::regex does.
race_top:^std::ctype<char>::narrow
race_top:^std::ctype<char>::widen
)";

struct Word {
  std::string_view name;
  Kind kind;
};
constexpr Word applied[] = {
    {"race", Kind::race}, {"race_top", Kind::race_top}, {"called_from_lib", Kind::called_from_lib}};

struct Ignored {
  std::string_view name;
  const char* why;
};
constexpr Ignored ignored[] = {
    {"deadlock", "heddle reports deadlocks that happen, not orders of locks"},
    {"mutex", "a thread that misuses a lock cannot continue"},
    {"thread", "a thread that is never joined is a warning, not a finding"},
    {"signal", "heddle has no such finding"},
};

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view space = " \t\r\n\f\v";
  const std::size_t begin = s.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(space) + 1 - begin);
}

// "a::f(int) const" as "a::f": that is what "f$" means.
std::string_view without_parameters(std::string_view name) {
  const std::size_t end = name.rfind(')');
  if (end == std::string_view::npos || name.find("::", end) != std::string_view::npos) return name;
  int depth = 0;
  for (std::size_t k = end + 1; k-- > 0;) {
    depth += name[k] == ')' ? 1 : name[k] == '(' ? -1 : 0;
    if (depth == 0) return k == 0 ? name : name.substr(0, k);
  }
  return name;
}

bool fits_place(const std::string& pattern, const Place& place) {
  return fits(pattern, place.function) || fits(pattern, without_parameters(place.function)) ||
         fits(pattern, place.file) || fits(pattern, place.module);
}

std::uint64_t address_of(const abi::WireRace& race) {
  const auto mask = static_cast<unsigned>(race.memory & 0xff) | 0x100;
  return (race.memory >> abi::mask_bits << abi::granule_bits) +
         static_cast<unsigned>(__builtin_ctz(mask));
}

// For a part of a variable, the name of the whole variable counts, too.
bool fits_variable(const std::string& pattern, const std::string& name) {
  return fits(pattern, name) || fits(pattern, name.substr(0, name.find_first_of(".[")));
}

}  // namespace

std::string Suppression::from() const {
  return file.empty() ? "the built-in list" : fmt::format("{}:{}", file, line);
}
std::string Suppression::text() const {
  return fmt::format("{}:{}", std::ranges::find(applied, kind, &Word::kind)->name, pattern);
}

std::string Suppressed::text() const {
  return fmt::format("suppressed races: {} (by {} {})", count, from, pattern);
}

std::vector<Suppressed> suppressed_races(const Knowledge& knowledge) {
  std::map<Knowledge::Pardon, std::uint64_t> counts;
  for (const auto& [stacks, pardon] : knowledge.pardoned) ++counts[pardon];
  std::vector<Suppressed> out;
  for (const auto& [pardon, count] : counts) out.push_back({pardon.from, pardon.pattern, count});
  if (!knowledge.benign.empty())
    out.push_back({"functions with", "HEDDLE_BENIGN_RACES", knowledge.benign.size()});
  return out;
}

bool fits(std::string_view pattern, std::string_view name) {
  if (name.empty()) return false;
  const bool at_begin = pattern.starts_with('^'), at_end = pattern.ends_with('$');
  pattern.remove_prefix(at_begin ? 1 : 0);
  pattern.remove_suffix(at_end && !pattern.empty() ? 1 : 0);
  // A pattern that is not anchored has an implicit * on that side. On a mismatch, the search
  // resumes at the last *.
  std::size_t p = 0, n = 0, star = std::string_view::npos, tried = 0;
  if (!at_begin) star = 0;
  for (;;) {
    if (p == pattern.size() && (n == name.size() || !at_end)) return true;
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      tried = n;
    } else if (p < pattern.size() && n < name.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos && tried < name.size()) {
      p = star;
      n = ++tried;
    } else {
      return false;
    }
  }
}

Suppressions::Suppressions(const std::vector<std::string>& files) {
  read(built_in, "");
  for (const std::string& file : files) read(read_file(file), file);
}

void Suppressions::read(const std::string& text, const std::string& file) {
  unsigned number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    read_line(trimmed(line), file, ++number);
  }
}

void Suppressions::read_line(std::string_view line, const std::string& file, unsigned number) {
  if (line.empty() || line[0] == '#') return;
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  const auto refuse = [&](const std::string& why) {
    return Misuse(fmt::format("{}:{}: {} in '{}'", file, number, why, line));
  };
  if (colon == std::string_view::npos) throw refuse("expected KIND:PATTERN");
  const std::string_view pattern = line.substr(colon + 1);
  if (pattern.empty()) throw refuse("missing pattern");
  if (const auto word = std::ranges::find(applied, name, &Word::name); word != std::end(applied)) {
    all_.push_back({word->kind, std::string(pattern), file, number});
    return;
  }
  const auto other = std::ranges::find(ignored, name, &Ignored::name);
  if (other == std::end(ignored))
    throw refuse(fmt::format("unknown kind of suppression '{}'", name));
  remarks_.push_back(fmt::format("{}:{}: '{}' is not applied: {}", file, number, line, other->why));
}

namespace {

// The data race that the run has found.
const abi::WireRace* found_race(const Explanation& run) {
  const auto found = std::ranges::find_if(run.races, [](const abi::WireRace& r) {
    return r.sort == abi::RaceSort::finding && r.first_site != 0;
  });
  return found == run.races.end() ? nullptr : &*found;
}

}  // namespace

Suppressions::Match Suppressions::match(const Explanation& run, const Symbols& symbols) const {
  const abi::WireRace* race = found_race(run);
  if (race == nullptr || run.stacks.size() < 2) return {};
  const std::array stacks = {symbols.stack(run.stacks[0].frames),
                             symbols.stack(run.stacks[1].frames)};
  const auto applies_to = [&](const Suppression& s, const std::vector<Place>& stack) {
    const auto fits_here = [&](const Place& place) { return fits_place(s.pattern, place); };
    if (s.kind == Kind::race) return std::ranges::any_of(stack, fits_here);
    if (stack.empty()) return false;
    return s.kind == Kind::race_top ? fits_here(stack[0]) : fits(s.pattern, stack[0].module);
  };
  for (const Suppression& s : all_)
    if (applies_to(s, stacks[0]) || applies_to(s, stacks[1])) return {&s, false};
  const auto variable = symbols.global(address_of(*race));
  for (const Suppression& s : all_)
    if (s.kind == Kind::race && variable && fits_variable(s.pattern, variable->name))
      return {&s, true};
  return {};
}

bool pardon(const Explanation& run, const Suppressions& suppressions, Worker& worker,
            Knowledge& knowledge) {
  if (run.outcome.finding != abi::Finding::data_race) return false;
  const abi::WireRace* race = found_race(run);
  if (race == nullptr || race->stacks == 0) return false;
  const auto [s, by_variable] =
      worker.with_process([&](pid_t process) { return suppressions.match(run, Symbols(process)); });
  if (s == nullptr) return false;
  if (knowledge.pardoned.size() == abi::max_pardoned)
    throw Misuse(fmt::format("too many suppressed data races (at most {})", abi::max_pardoned));
  const std::uint64_t name =
      by_variable ? abi::race_with(race->stacks, race->memory) : race->stacks;
  return knowledge.pardoned.insert({name, {s->from(), s->text()}}).second;
}

}  // namespace heddle::native
