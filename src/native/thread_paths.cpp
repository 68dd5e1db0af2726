#include "native/thread_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/check.hpp"
#include "runtime/abi/wire.h"

namespace heddle::native {
namespace {

// The part of the text before the first such character, which is taken from it together with that
// character; all of it if there is none.
std::string_view take_until(char end, std::string_view& text) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view out = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return out;
}

// As it is written by us: digits, without leading zeros. Throws Misuse.
std::uint32_t number_in(std::string_view text, std::uint32_t below) {
  std::uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || out >= below || (text.size() > 1 && text[0] == '0'))
    throw Misuse(fmt::format("'{}' is not a number below {}", text, below));
  return out;
}

ThreadId child_of(unsigned creator, unsigned nth, Numbering& numbering) {
  const Numbering::Child child{static_cast<std::uint8_t>(creator), static_cast<std::uint8_t>(nth)};
  const auto known = std::ranges::find(numbering.threads, child);
  const auto number = static_cast<std::size_t>(known - numbering.threads.begin()) + 1;
  if (number >= abi::max_threads)
    throw Misuse(fmt::format("a program cannot have more than {} threads", abi::max_threads));
  if (known == numbering.threads.end()) numbering.threads.push_back(child);
  return static_cast<ThreadId>(number);
}

StepName step_in(std::string_view text, Numbering& numbering) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw Misuse(fmt::format("'{}' is not a step: a thread, a colon, and a number", text));
  return {number_of(text.substr(0, colon), numbering),
          number_in(text.substr(colon + 1), abi::max_steps)};
}

Wait wait_in(std::string_view text, Numbering& numbering) {
  Wait out;
  out.ordered = text.ends_with('!');
  if (out.ordered) text.remove_suffix(1);
  const std::size_t before = text.find('<');
  if (before == std::string_view::npos)
    throw Misuse(fmt::format("'{}' is not a wait: two steps with '<' between them", text));
  out.first = step_in(text.substr(0, before), numbering);
  out.second = step_in(text.substr(before + 1), numbering);
  if (out.first.thread == out.second.thread)
    throw Misuse(fmt::format("'{}': a thread cannot wait for itself", text));
  return out;
}

std::string to_text(StepName step, const Numbering& numbering) {
  return fmt::format("{}:{}", path_of(step.thread, numbering), step.index);
}

}  // namespace

std::string path_of(ThreadId thread, const Numbering& numbering) {
  if (thread == 0) return "0";
  HEDDLE_CHECK(thread <= numbering.threads.size());
  const auto [creator, nth] = numbering.threads[thread - 1U];
  HEDDLE_CHECK(creator < thread);
  return fmt::format("{}.{}", path_of(creator, numbering), unsigned{nth});
}

ThreadId number_of(std::string_view path, Numbering& numbering) {
  HEDDLE_CHECK(numbering.is_sound());
  if (path != "0" && !path.starts_with("0."))
    throw Misuse(fmt::format("'{}' is not a thread: these begin with 0, which is main", path));
  Numbering extended = numbering;
  ThreadId out = 0;
  for (std::string_view rest = path.substr(1); !rest.empty();) {
    rest.remove_prefix(1);  // the dot
    const std::string_view nth = rest.substr(0, rest.find('.'));
    out = child_of(out, number_in(nth, abi::max_threads), extended);
    rest.remove_prefix(nth.size());
  }
  HEDDLE_CHECK(extended.is_sound());
  numbering = std::move(extended);
  return out;
}

std::string to_text(const Cube& cube, const Numbering& numbering) {
  std::string out;
  for (const Wait& w : cube.waits)
    out += fmt::format("{}{}<{}{}", out.empty() ? "" : " ", to_text(w.first, numbering),
                       to_text(w.second, numbering), w.ordered ? "!" : "");
  return out;
}

Cube cube_of(std::string_view text, Numbering& numbering) {
  Numbering extended = numbering;
  Cube out;
  if (text.ends_with(' ')) throw Misuse("waits are separated by one space each");
  while (!text.empty()) {
    if (out.waits.size() == abi::max_waits)
      throw Misuse(
          fmt::format("a part of an exploration cannot have more than {} waits", abi::max_waits));
    out.waits.push_back(wait_in(take_until(' ', text), extended));
  }
  numbering = std::move(extended);
  return out;
}

}  // namespace heddle::native
