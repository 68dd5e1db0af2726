#include "cluster/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/check.hpp"
#include "base/option.hpp"
#include "base/version.hpp"
#include "native/option_table.hpp"
#include "parallel/engine.hpp"

namespace heddle::cluster {
namespace {

using parallel::Json;

// Of cubes, yields and knowledge, as they are in a job.
constexpr const char* format = "1";

constexpr const char *of_format = "format", *of_version = "version of heddle",
                     *of_program = "program", *of_layout = "addresses", *of_arguments = "arguments",
                     *of_run = "first run", *of_algorithm = "algorithm", *of_options = "options",
                     *of_silence = "silence", *of_parts = "parts";

const std::string& at(const broker::Identity& job, const char* field) {
  const auto found = job.find(field);
  if (found == job.end()) throw Misuse(fmt::format("the job has no field '{}'", field));
  return found->second;
}

void require(const broker::Identity& job, const char* field, const std::string& own) {
  broker::require_same({{field, at(job, field)}}, {{field, own}});
}

std::uint64_t number_at(const broker::Identity& job, const char* field, std::uint64_t least) {
  std::uint64_t out = 0;
  if (!read_number(at(job, field), out) || out < least || out > 1'000'000)
    throw Misuse(fmt::format("the job has a field '{}' that is not a number", field));
  return out;
}

std::vector<std::string> words_at(const broker::Identity& job, const char* field) {
  try {
    return Json::parse(at(job, field)).get<std::vector<std::string>>();
  } catch (const Json::exception&) {
    throw Misuse(fmt::format("the job has a field '{}' that is not a list", field));
  }
}

}  // namespace

broker::Identity identity_of(const Terms& terms, const Program& program,
                             const std::string& first_run) {
  return {{of_format, format},
          {of_version, std::string(version)},
          {of_program, program.hash},
          {of_layout, program.layout},
          {of_arguments, Json(program.arguments).dump()},
          {of_run, first_run},
          {of_algorithm, terms.algorithm},
          {of_options, Json(terms.options).dump()},
          {of_silence, std::to_string(terms.silence)},
          {of_parts, std::to_string(terms.parts)}};
}

Terms terms_of(const broker::Identity& job) {
  require(job, of_format, format);
  require(job, of_version, std::string(version));
  Terms out{.algorithm = at(job, of_algorithm),
            .options = words_at(job, of_options),
            .silence = number_at(job, of_silence, 1),
            .parts = number_at(job, of_parts, 0)};
  const Algorithm* algorithm = find_algorithm(out.algorithm);
  if (algorithm == nullptr || !algorithm->is_divisible())
    throw Misuse("the job has an algorithm that explores no parts");
  return out;
}

std::vector<std::string> shared_words(const native::Options& options) {
  native::Options shared = options;
  shared.suppress.clear();  // what follows from the files is part of what is known
  return native::option_words(shared, native::Scope::exploration);
}

native::Options options_of(const Terms& terms, const std::vector<std::string>& command) {
  native::Options out;
  for (const std::string& word : terms.options) native::read_option(word, out);
  if (!out.suppress.empty()) throw Misuse("the job names files of another machine");
  out.command = command;
  return out;
}

broker::Worker::Settings settings_of(const Terms& terms) {
  broker::Worker::Settings out;
  out.silence = std::chrono::seconds(terms.silence);
  // Often enough to share what is left soon, and to stop soon.
  constexpr std::chrono::milliseconds often(300);
  out.heartbeat = std::min(out.silence / 5, often);
  return out;
}

std::string label_of(const Program& program) { return program.hash + " " + program.name; }

Label parse_label(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return {text, ""};
  return {text.substr(0, space), text.substr(space + 1)};
}

void require_same_program(const broker::Identity& job, const Program& own) {
  require(job, of_program, own.hash);
  require(job, of_arguments, Json(own.arguments).dump());
  require(job, of_layout, own.layout);
}

void require_same_run(const broker::Identity& job, const std::string& own) {
  require(job, of_run, own);
}

}  // namespace heddle::cluster
