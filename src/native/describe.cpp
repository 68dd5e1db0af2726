#include "native/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "findings/phrases.hpp"
#include "findings/repeats.hpp"
#include "native/trace.hpp"

namespace heddle::native {

using findings::Finding;
using findings::is_system;
using findings::Stack;

namespace {

std::vector<Stack> stacks_of(const Explanation& e, const Symbols& symbols) {
  std::vector<Stack> out;
  const bool race = e.outcome.finding == abi::Finding::data_race && e.stacks.size() > 1;
  for (std::size_t k = 0; k < e.stacks.size(); ++k) {
    const auto whose = k == 0           ? Stack::Whose::finding
                       : race && k == 1 ? Stack::Whose::previous
                                        : Stack::Whose::other;
    out.push_back({whose, e.stacks[k].thread, symbols.stack(e.stacks[k].frames)});
  }
  return out;
}

// If the place is in a library, its caller in the user's code. Libraries that are linked statically
// have no lines.
Place users_place(const Place& place, const std::vector<Place>& stack) {
  if (!is_system(place.file)) return place;
  const auto users = std::ranges::find_if(
      stack, [](const Place& frame) { return frame.line != 0 && !is_system(frame.file); });
  return users == stack.end() ? place : *users;
}

findings::DataRace::Side side_of(const Explanation::Spot& spot, bool ends_thread,
                                 const Symbols& symbols) {
  constexpr std::uint8_t bit_write = 1, bit_plain = 2,
                         bit_free = 4;  // see runtime/memory/shadow.hpp
  const abi::WireSpot& access = spot.access;
  const bool frees = (access.bits & bit_free) != 0, writes = (access.bits & bit_write) != 0;
  using findings::Verb;
  return {access.thread,
          frees    ? Verb::free
          : writes ? Verb::write
                   : Verb::read,
          !frees && (access.bits & bit_plain) == 0,
          frees && ends_thread,
          access.value.size,
          users_place(symbols.site(access.site).value_or(Place{}), places(spot.frames, symbols))};
}

// None if the run did not record both accesses, or the memory has no name.
std::optional<findings::DataRace> race_of(const Explanation& e, const Symbols& symbols,
                                          Names& names) {
  const std::size_t open = e.outcome.text.find("{0x"), close = e.outcome.text.find('}');
  if (e.outcome.finding != abi::Finding::data_race || e.spots.size() != 2 ||
      open == std::string::npos || close == std::string::npos)
    return std::nullopt;
  // The memory belongs to a thread, and is freed because the thread ends.
  const bool ends = e.outcome.text.find("ends, and with it") != std::string::npos;
  return findings::DataRace{names.with_names(e.outcome.text.substr(open, close + 1 - open), false),
                            side_of(e.spots[0], ends, symbols), side_of(e.spots[1], ends, symbols)};
}

// The runtime tells where threads are blocked, which may be in a library; the trace knows better.
void name_users_places(Finding& f, const Explanation& e, const Symbols& symbols) {
  auto row = f.trace.rows.begin();
  for (const Explanation::Step& step : e.waiting) {
    row = std::find_if(row, f.trace.rows.end(),
                       [](const findings::Row& r) { return r.kind == findings::Row::Kind::waits; });
    if (row == f.trace.rows.end()) return;
    const Place told = symbols.site(step.site).value_or(Place{});
    const Place& better = (row++)->place;
    const std::string text = fmt::format(" at {}:{}", told.file, told.line);
    const std::size_t at = f.message.find(text);
    if (is_system(told.file) && !is_system(better.file) && at != std::string::npos)
      f.message.replace(at, text.size(), fmt::format(" at {}:{}", better.file, better.line));
  }
}

}  // namespace

Finding describe(const Explanation& e, const Symbols& symbols) {
  Finding f;
  Names names(e, symbols);
  f.kind = e.outcome.finding;
  f.message = names.with_names(e.outcome.text, f.kind == abi::Finding::use_after_free ||
                                                   f.kind == abi::Finding::double_free);
  f.race = race_of(e, symbols, names);
  if (f.race) f.message = message_of(*f.race);
  f.thread = e.outcome.thread;
  f.place = symbols.site(e.outcome.site).value_or(Place{});
  f.schedule = e.moves();
  f.stacks = stacks_of(e, symbols);
  if (!f.stacks.empty()) f.place = users_place(f.place, f.stacks[0].frames);
  f.trace = trace_of(e, symbols, names, f.message, f.place);
  name_users_places(f, e, symbols);
  if (f.kind == abi::Finding::endless)
    if (const auto loop = findings::what_repeats(f.trace)) f.message += "; " + text_of(*loop);
  for (const findings::Row& row : f.trace.rows)  // as the compiler was given it, if that is known
    if (row.source == f.place.file) f.place.file = row.place.file;
  return f;
}

findings::Trace trace_without_finding(const Explanation& run, const Symbols& symbols) {
  Names names(run, symbols);
  return trace_of(run, symbols, names, "", {});
}

Misuse unsupported(const Outcome& outcome, const Symbols& symbols) {
  const std::optional<Place> place = symbols.site(outcome.site);
  return Misuse(fmt::format(
      "not supported by heddle: {}{}", outcome.text,
      place ? fmt::format(" ({}:{}, in {})", place->file, place->line, place->function) : ""));
}

}  // namespace heddle::native
