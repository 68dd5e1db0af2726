#include "report/checkpoint.hpp"

#include "base/check.hpp"
#include "base/files.hpp"
#include "parallel/engine_process.hpp"

namespace heddle::report {
namespace {

using native::Checkpoint;

// With a damaged tree, behaviours would be lost unnoticed: hence the checksum.
constexpr Format format{.name = "checkpoint",
                        .version_key = "heddle-checkpoint",
                        .version = 6,
                        .otherwise = "not a checkpoint"};

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
    check_cube(out.open.back().cube, out.numbering);
    if (out.open.back().partial.is_null()) continue;
    native::brought_of(out.open.back().partial);  // these throw if they are invalid
    native::left_of(out.open.back().partial);
  }
  return out;
}

}  // namespace

std::string to_text(const SavedExploration& saved) {
  Json content = head_of(saved);
  content["exploration"] = to_json(saved.checkpoint);
  return seal(format, content) + "\n";
}

SavedExploration parse_checkpoint(const std::string& text) {
  SavedExploration out;
  unseal(format, text, [&](const Json& in) {
    out = read_head(in);
    out.checkpoint = checkpoint_of(in.at("exploration"));
  });
  return out;
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
