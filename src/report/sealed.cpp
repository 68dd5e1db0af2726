#include "report/sealed.hpp"

#include <fmt/format.h>

#include <span>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "native/option_table.hpp"
#include "native/thread_paths.hpp"

namespace heddle::report {
namespace {

constexpr const char* sum_key = "sum";

std::uint64_t build_in(const std::string& text) {
  try {
    return std::stoull(text, nullptr, 16);
  } catch (const std::logic_error&) {
    throw Misuse("invalid build");
  }
}

}  // namespace

Json head_of(const SavedExploration& saved) {
  return {{"command", saved.options.command},
          {"build", fmt::format("{:016x}", saved.build)},
          {"algorithm", saved.algorithm},
          {"options", native::option_words(saved.options, native::Scope::exploration)}};
}

SavedExploration read_head(const Json& in) {
  SavedExploration out;
  in.at("command").get_to(out.options.command);
  if (out.options.command.empty()) throw Misuse("no program");
  out.build = build_in(in.at("build"));
  in.at("algorithm").get_to(out.algorithm);
  for (const Json& word : in.at("options"))
    native::read_option(word.get<std::string>(), out.options);
  return out;
}

void check_cube(const std::string& cube, const native::Numbering& numbering) {
  native::Numbering numbers = numbering;
  native::cube_of(cube, numbers);
  if (numbers != numbering) throw Misuse("invalid cube");
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string checksum_of(const Json& json) {
  const std::string text = compact(json);
  const WideHash hash = wide_hash_of(std::span<const char>(text));
  return fmt::format("{:016x}{:016x}", hash.first, hash.second);
}

std::string seal(const Format& format, const Json& content) {
  Json out;
  out[format.version_key] = format.version;
  out.update(content);
  out[sum_key] = checksum_of(out);
  return compact(out);
}

void unseal(const Format& format, const std::string& text,
            const std::function<void(const Json&)>& read) {
  try {
    Json in = Json::parse(text);
    if (!in.is_object() || !in.contains(format.version_key)) throw Misuse("no version");
    if (in.at(format.version_key) != format.version)
      throw Misuse(
          fmt::format("unsupported version (this heddle reads version {})", format.version));
    const std::string sum = in.at(sum_key);
    in.erase(sum_key);
    if (sum != checksum_of(in)) throw Misuse("checksum mismatch");
    read(in);
  } catch (const Misuse& misuse) {
    throw Misuse(fmt::format("corrupt {}: {}", format.name, misuse.what()));
  } catch (const Json::exception&) {
    throw Misuse(fmt::format("corrupt {}: truncated, or {}", format.name, format.otherwise));
  }
}

}  // namespace heddle::report
