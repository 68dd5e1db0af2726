// Options: one row each, from the word on a command line to the member that it sets, and back.
//
// A row says all there is to know of an option: its name, which commands take it, what value it
// takes, what it means, and where the value is kept. The parser, help, the manual page, completion,
// failure files, checkpoints and the commands for replays are made from rows.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace heddle {

// The parts of a value: any number for a list, one for other values, none if the option is not
// given. A flag that is set has one part, which is empty.
using Parts = std::vector<std::string>;

struct OptionInfo {
  // What the option changes. A failure file has the options that change runs, a checkpoint also
  // those that change the exploration.
  enum class Changes : std::uint8_t { nothing, exploration, runs };

  std::string_view name;           // "--output", or with a short form "-o,--output"
  std::string_view value = {};     // what it takes, as help shows it; empty: it is a flag
  std::string_view commands = {};  // that take it, separated by spaces; empty: all of them
  std::string_view help = {};
  Changes changes = Changes::nothing;
  bool is_list = false;  // its value is a list separated by commas
  // The only words that it takes, if these are limited.
  std::function<std::vector<std::string_view>()> choices = {};

  std::string_view long_name() const { return name.substr(name.find("--")); }
  std::string_view bare_name() const { return long_name().substr(2); }
  bool is_flag() const { return value.empty(); }
  bool belongs_to(std::string_view command) const;
  // "invalid value 'x' for '--size' (expected a number)".
  Misuse refuse(std::string_view given, std::string_view expected) const;
  // Throws Misuse if there are choices, and it is not one of them.
  void check_choice(std::string_view given) const;
};

template <typename Holder>
struct Option : OptionInfo {
  // Throws Misuse if it does not take this value.
  std::function<void(Holder&, const OptionInfo&, const Parts&)> read;
  std::function<Parts(const Holder&)> write;

  bool is_default(const Holder& holder) const { return write(holder) == write(Holder()); }
  // The value if it is not given; empty if there is none.
  std::string default_text() const {
    const std::string text = fmt::format("{}", fmt::join(write(Holder()), ","));
    return text == "0" ? "" : text;
  }
};

// "1,2,3" as the parts of a value.
Parts parts_of(const OptionInfo& option, std::string_view given);

// The functions below make rows, one for each type of value. `access` is a member of the holder, or
// a function from the holder to a reference.

template <typename Holder, typename Access>
Option<Holder> flag(OptionInfo info, Access access) {
  return {std::move(info),
          [access](Holder& to, const OptionInfo&, const Parts&) { std::invoke(access, to) = true; },
          [access](const Holder& from) { return std::invoke(access, from) ? Parts{""} : Parts{}; }};
}

template <typename Holder, typename Access>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<Access, Holder&>>;

// One of some words, each of which stands for a value.
template <typename Holder, typename Access>
Option<Holder> choice(
    OptionInfo info, Access access,
    const std::vector<std::pair<std::string_view, std::type_identity_t<ValueOf<Holder, Access>>>>&
        words) {
  info.choices = [words] {
    std::vector<std::string_view> out;
    for (const auto& [word, value] : words) out.push_back(word);
    return out;
  };
  return {std::move(info),
          [access, words](Holder& to, const OptionInfo& option, const Parts& given) {
            option.check_choice(given[0]);
            for (const auto& [word, value] : words)
              if (word == given[0]) std::invoke(access, to) = value;
          },
          [access, words](const Holder& from) {
            for (const auto& [word, value] : words)
              if (value == std::invoke(access, from)) return Parts{std::string(word)};
            throw Bug("an option has a value without a word");
          }};
}

template <typename Number>
bool read_number(std::string_view text, Number& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && end == text.data() + text.size();
}

struct Range {
  std::uint64_t least = 0, most = std::numeric_limits<std::uint64_t>::max();
  std::string text() const;  // "a number from 1 to 9"
};

// A whole number. The member is in a unit that is `scale` times smaller than the option's.
template <typename Holder, typename Access>
Option<Holder> number(OptionInfo info, Access access, Range range = {}, std::uint64_t scale = 1) {
  return {std::move(info),
          [access, range, scale](Holder& to, const OptionInfo& option, const Parts& given) {
            std::uint64_t value = 0;
            if (!read_number(given[0], value) || value < range.least || value > range.most)
              throw option.refuse(given[0], range.text());
            std::invoke(access, to) =
                static_cast<std::remove_cvref_t<decltype(std::invoke(access, to))>>(value * scale);
          },
          [access, scale](const Holder& from) {
            return Parts{std::to_string(std::invoke(access, from) / scale)};
          }};
}

// An optional number.
template <typename Holder, typename Access>
Option<Holder> optional_number(OptionInfo info, Access access) {
  return {std::move(info),
          [access](Holder& to, const OptionInfo& option, const Parts& given) {
            std::uint64_t value = 0;
            if (!read_number(given[0], value)) throw option.refuse(given[0], Range().text());
            std::invoke(access, to) = value;
          },
          [access](const Holder& from) {
            const auto& value = std::invoke(access, from);
            return value ? Parts{std::to_string(*value)} : Parts{};
          }};
}

template <typename Holder, typename Access>
Option<Holder> seconds(OptionInfo info, Access access) {
  return {
      std::move(info),
      [access](Holder& to, const OptionInfo& option, const Parts& given) {
        double value = 0;
        if (!read_number(given[0], value) || !std::isfinite(value) || value <= 0)
          throw option.refuse(given[0], "a positive number");
        std::invoke(access, to) = value;
      },
      [access](const Holder& from) { return Parts{fmt::format("{}", std::invoke(access, from))}; }};
}

template <typename Holder, typename Access>
Option<Holder> text(OptionInfo info, Access access) {
  return {std::move(info),
          [access](Holder& to, const OptionInfo& option, const Parts& given) {
            if (given[0].empty())
              throw Misuse(fmt::format("'{}' needs a value", option.long_name()));
            option.check_choice(given[0]);
            std::invoke(access, to) = given[0];
          },
          [access](const Holder& from) {
            const std::string& value = std::invoke(access, from);
            return value.empty() ? Parts{} : Parts{value};
          }};
}

// An optional text, which may be empty.
template <typename Holder, typename Access>
Option<Holder> optional_text(OptionInfo info, Access access) {
  return {std::move(info),
          [access](Holder& to, const OptionInfo&, const Parts& given) {
            std::invoke(access, to) = given[0];
          },
          [access](const Holder& from) {
            const auto& value = std::invoke(access, from);
            return value ? Parts{*value} : Parts{};
          }};
}

template <typename Holder, typename Access>
Option<Holder> texts(OptionInfo info, Access access) {
  info.is_list = true;
  return {std::move(info),
          [access](Holder& to, const OptionInfo& option, const Parts& given) {
            for (const std::string& one : given) option.check_choice(one);
            std::invoke(access, to) = given;
          },
          [access](const Holder& from) { return std::invoke(access, from); }};
}

template <typename Holder, typename Access>
Option<Holder> numbers(OptionInfo info, Access access, std::size_t most) {
  info.is_list = true;
  return {std::move(info),
          [access, most](Holder& to, const OptionInfo& option, const Parts& given) {
            std::remove_cvref_t<decltype(std::invoke(access, to))> values;
            for (const std::string& one : given)
              if (!read_number(one, values.emplace_back()) || given.size() > most)
                throw option.refuse(fmt::format("{}", fmt::join(given, ",")),
                                    fmt::format("at most {} numbers, with commas between", most));
            std::invoke(access, to) = std::move(values);
          },
          [access](const Holder& from) {
            Parts out;
            for (const auto& value : std::invoke(access, from))
              out.push_back(std::to_string(value));
            return out;
          }};
}

// The same option for a Holder that has a Part as a member.
template <typename Holder, typename Part>
Option<Holder> lifted(const Option<Part>& option, Part Holder::* part) {
  return {static_cast<const OptionInfo&>(option),
          [option, part](Holder& to, const OptionInfo& info, const Parts& given) {
            option.read(to.*part, info, given);
          },
          [option, part](const Holder& from) { return option.write(from.*part); }};
}

}  // namespace heddle
