#include "native/describe.hpp"

#include <fmt/format.h>

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
          symbols.site(access.site).value_or(Place{})};
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

// If the place is in a library, shows its caller in the user's code. Libraries that are linked
// statically have no lines.
void prefer_users_code(Finding& f) {
  if (!is_system(f.place.file) || f.stacks.empty()) return;
  for (const Place& frame : f.stacks[0].frames)
    if (frame.line != 0 && !is_system(frame.file)) {
      f.place = frame;
      return;
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
  prefer_users_code(f);
  f.trace = trace_of(e, symbols, names, f.message, f.place);
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
