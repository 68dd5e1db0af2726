#include "broker/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <span>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "base/option.hpp"

namespace heddle::broker {
namespace {

constexpr std::uint64_t most_count = 999'999'999'999'999;

bool is_count_name(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
}

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> out;
  for (const auto part : std::views::split(text, separator))
    out.emplace_back(part.begin(), part.end());
  return out;
}

void check_outcome(const Done& done) {
  for (const auto& [name, count] : done.counts)
    if (!is_count_name(name) || count > most_count)
      throw Error(fmt::format("not a count: {}={}", name, count));
  check_text(done.result, most_record, "the result of a cube");
}

void check_outcome(const Split& split) {
  std::size_t size = 0;
  for (const std::string& cube : split.cubes) {
    check_cube(cube);
    size += cube.size();
  }
  if (split.cubes.empty()) throw Error("a split into nothing");
  const std::set<std::string> different(split.cubes.begin(), split.cubes.end());
  if (different.size() != split.cubes.size()) throw Error("a split into cubes that are the same");
  if (size > most_record) throw Error("the parts of a cube are too large together");
}

void check_outcome(const Failed& failed) {
  check_text(failed.why, most_record, "the reason of a failure");
}

std::string hex(WideHash hash) { return fmt::format("{:016x}{:016x}", hash.first, hash.second); }

Done parse_done(std::span<const std::string> words, std::string_view rest) {
  Done out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    std::uint64_t count = 0;
    if (equals == std::string::npos ||
        !read_number(std::string_view(word).substr(equals + 1), count))
      throw Malformed(fmt::format("the record of a cube has a count that is none: '{}'", word));
    if (!out.counts.emplace(word.substr(0, equals), count).second)
      throw Malformed("the record of a cube has a count twice");
  }
  out.result = rest;
  return out;
}

Split parse_split(std::span<const std::string> names, std::string_view rest,
                  std::string_view generation) {
  Split out{split_at(rest, '\n')};
  if (out.cubes.size() != names.size())
    throw Malformed("the record of a split has more or fewer names than cubes");
  for (std::size_t k = 0; k < names.size(); ++k)
    if (cube_name(generation, out.cubes[k]) != names[k])
      throw Malformed(fmt::format("the record of a split has a cube that is not {}", names[k]));
  return out;
}

}  // namespace

void require_same(const Identity& job, const Identity& own) {
  std::set<std::string> names;
  for (const auto& [name, value] : job) names.insert(name);
  for (const auto& [name, value] : own) names.insert(name);
  std::vector<std::string> differences;
  const auto shown = [](const Identity& in, const std::string& name) -> std::string {
    const auto found = in.find(name);
    if (found == in.end()) return "none";
    constexpr std::size_t most = 200;
    return found->second.size() <= most ? found->second : found->second.substr(0, most) + "...";
  };
  for (const std::string& name : names)
    if (!job.contains(name) || !own.contains(name) || job.at(name) != own.at(name))
      differences.push_back(fmt::format("{}: the job has {}, this worker {}", name,
                                        shown(job, name), shown(own, name)));
  if (!differences.empty())
    throw Misuse(fmt::format("this job is for something else: {}", fmt::join(differences, "; ")));
}

std::string first_generation(std::string_view knowledge) {
  return next_generation("0-", knowledge);
}

std::string next_generation(std::string_view generation, std::string_view knowledge) {
  std::uint64_t number = 0;
  const std::size_t dash = generation.find('-');
  if (dash == std::string_view::npos || !read_number(generation.substr(0, dash), number))
    throw Malformed(fmt::format("not a generation: '{}'", generation));
  return fmt::format("{}-{}", number + 1, hex(wide_hash_of(std::span(knowledge))));
}

bool is_generation_of(std::string_view generation, std::string_view knowledge) {
  std::uint64_t number = 0;
  return read_number(generation.substr(0, generation.find('-')), number) && number > 0 &&
         generation == next_generation(fmt::format("{}-", number - 1), knowledge);
}

std::string cube_name(std::string_view generation, std::string_view cube) {
  const std::string text = fmt::format("{}\n{}", generation, cube);
  return hex(wide_hash_of(std::span<const char>(text)));
}

bool is_name(std::string_view text) {
  constexpr std::size_t most = 128;
  return !text.empty() && text.size() <= most && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

void check_text(std::string_view text, std::size_t most, std::string_view what) {
  if (text.size() > most)
    throw Error(fmt::format("{} is too large: {} bytes (at most {})", what, text.size(), most));
  try {
    (void)nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(fmt::format("{} is not UTF-8", what));
  }
}

void check_cube(std::string_view cube) {
  if (cube.empty()) throw Error("an empty cube");
  check_text(cube, most_cube, "a cube");
  if (std::ranges::any_of(cube, [](char c) { return c >= 0 && c < ' '; }))
    throw Error("a cube with control characters");
}

void check_outcome(const Outcome& outcome) {
  std::visit([](const auto& one) { check_outcome(one); }, outcome);
}

std::string to_text(const Record& record, std::string_view generation) {
  if (const Done* done = std::get_if<Done>(&record.outcome)) {
    std::string out = "done " + record.worker;
    for (const auto& [name, count] : done->counts) out += fmt::format(" {}={}", name, count);
    return out + "\n" + done->result;
  }
  if (const Split* split = std::get_if<Split>(&record.outcome)) {
    std::string out = "split " + record.worker;
    for (const std::string& cube : split->cubes) out += " " + cube_name(generation, cube);
    for (const std::string& cube : split->cubes) out += "\n" + cube;
    return out;
  }
  return fmt::format("failed {}\n{}", record.worker, std::get<Failed>(record.outcome).why);
}

Record parse_record(std::string_view text, std::string_view generation) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) throw Malformed("the record of a cube has no second line");
  const std::vector<std::string> words = split_at(text.substr(0, end), ' ');
  const std::string_view rest = text.substr(end + 1);
  if (words.size() < 2 || !is_name(words[1])) throw Malformed("the record of a cube has no worker");
  const auto more = std::span(words).subspan(2);
  Record out{words[1], Failed{std::string(rest)}};
  if (words[0] == "done")
    out.outcome = parse_done(more, rest);
  else if (words[0] == "split")
    out.outcome = parse_split(more, rest, generation);
  else if (words[0] != "failed" || !more.empty())
    throw Malformed("the record of a cube is of an unknown kind");
  try {
    check_outcome(out.outcome);
  } catch (const Error& error) {
    throw Malformed(error.what());
  }
  return out;
}

}  // namespace heddle::broker
