#include "report/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "native/option_table.hpp"
#include "native/thread_paths.hpp"
#include "parallel/engine_process.hpp"
#include "report/json.hpp"

namespace heddle::report {
namespace {

using native::Checkpoint;

constexpr unsigned version = 5;
constexpr const char* version_key = "heddle-checkpoint";

// A checksum of everything else: with a damaged tree, behaviours would be lost unnoticed.
std::string sum_of(const Json& content) {
  const std::string text = content.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("{:016x}", hash_of(std::span<const char>(text)));
}

Json to_json(const Checkpoint& c) {
  Json open = Json::array();
  for (const parallel::Item& item : c.open) open.push_back(parallel::to_json(item));
  return {{"done", native::to_json(c.done)},
          {"knowledge", native::to_json(c.knowledge, c.numbering)},
          {"open", std::move(open)}};
}

Checkpoint checkpoint_of(const Json& in) {
  Checkpoint out;
  out.done = native::brought_of(in.at("done"));
  out.knowledge = native::knowledge_of(in.at("knowledge"));
  out.numbering = native::numbering_of(in.at("knowledge"));
  for (const Json& item : in.at("open")) {
    out.open.push_back(parallel::item_of(item));
    native::Numbering numbering = out.numbering;
    native::cube_of(out.open.back().cube, numbering);  // these throw if they are invalid
    if (numbering != out.numbering) throw Misuse("invalid cube");
    if (out.open.back().partial.is_null()) continue;
    native::brought_of(out.open.back().partial);
    native::left_of(out.open.back().partial);
  }
  return out;
}

}  // namespace

std::string to_text(const SavedExploration& saved) {
  Json out;
  out[version_key] = version;
  out["command"] = saved.options.command;
  out["build"] = fmt::format("{:016x}", saved.build);
  out["algorithm"] = saved.algorithm;
  out["options"] = native::option_words(saved.options, native::Scope::exploration);
  out["exploration"] = to_json(saved.checkpoint);
  out["sum"] = sum_of(out);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

SavedExploration parse_checkpoint(const std::string& text) {
  try {
    const Json in = Json::parse(text);
    if (!in.is_object() || !in.contains(version_key)) throw Misuse("no version");
    if (in.at(version_key) != version)
      throw Misuse(fmt::format("unsupported version (this heddle reads version {})", version));
    Json content = in;
    content.erase("sum");
    if (in.at("sum") != sum_of(content)) throw Misuse("checksum mismatch");
    SavedExploration out;
    in.at("command").get_to(out.options.command);
    if (out.options.command.empty()) throw Misuse("no program");
    out.build = std::stoull(in.at("build").get<std::string>(), nullptr, 16);
    in.at("algorithm").get_to(out.algorithm);
    for (const Json& word : in.at("options"))
      native::read_option(word.get<std::string>(), out.options);
    out.checkpoint = checkpoint_of(in.at("exploration"));
    return out;
  } catch (const Misuse& misuse) {
    throw Misuse(fmt::format("corrupt checkpoint: {}", misuse.what()));
  } catch (const Json::exception&) {
    throw Misuse("corrupt checkpoint: truncated, or not a checkpoint");
  } catch (const std::logic_error&) {  // of stoull
    throw Misuse("corrupt checkpoint: invalid build");
  }
}

void write_checkpoint(const std::string& path, const SavedExploration& saved) {
  write_file(path, to_text(saved));
}

SavedExploration read_checkpoint(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return parse_checkpoint(text);
  } catch (const Misuse& misuse) {
    throw Misuse(path + ": " + misuse.what());
  }
}

}  // namespace heddle::report
