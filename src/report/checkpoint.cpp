#include "report/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "native/option_table.hpp"
#include "report/json.hpp"

namespace heddle::report {
namespace {

using native::Checkpoint;

constexpr unsigned version = 4;
constexpr const char* version_key = "heddle-checkpoint";

// A checksum of everything else: with a damaged tree, behaviours would be lost unnoticed.
std::string sum_of(const Json& content) {
  const std::string text = content.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("{:016x}", hash_of(std::span<const char>(text)));
}

Json to_json(const Counts& c) {
  return {c.executions, c.blocked, c.merged, c.events, c.deadlocks, c.findings};
}

Counts counts_of(const Json& in) {
  const auto n = in.get<std::vector<std::uint64_t>>();
  if (n.size() != 6) throw Misuse("invalid counts");
  return {n[0], n[1], n[2], n[3], n[4], n[5]};
}

Json to_json(const native::Numbering& numbering) {
  Json out = Json::array();
  for (std::size_t k = 0; k < numbering.threads.size(); ++k)
    out.push_back({numbering.threads[k].creator, numbering.threads[k].nth, k + 1});
  return out;
}

native::Numbering numbering_of(const Json& in) {
  native::Numbering out;
  const auto entries = in.get<std::vector<std::vector<unsigned>>>();
  out.threads.resize(entries.size());
  std::vector<bool> seen(entries.size());
  for (const auto& entry : entries) {
    if (entry.size() != 3 || entry[0] >= abi::max_threads || entry[1] >= abi::max_threads ||
        entry[2] == 0 || entry[2] > entries.size() || seen[entry[2] - 1])
      throw Misuse("invalid thread table");
    seen[entry[2] - 1] = true;
    out.threads[entry[2] - 1] = {static_cast<std::uint8_t>(entry[0]),
                                 static_cast<std::uint8_t>(entry[1])};
  }
  if (!out.is_sound()) throw Misuse("invalid thread table");
  return out;
}

Json to_json(const SavedTree& tree) {
  Json out = Json::array();
  for (const SavedNode& n : tree)
    out.push_back({n.depth, n.move.thread, n.move.alternative,
                   n.attached_at == Node::nowhere ? -1 : static_cast<std::int64_t>(n.attached_at),
                   n.planned ? 1 : 0, n.runs});
  return out;
}

SavedTree tree_of(const Json& in) {
  SavedTree out;
  for (const auto& n : in.get<std::vector<std::vector<std::int64_t>>>()) {
    if (n.size() != 6 || n[0] < 0 || n[0] > abi::max_steps || n[1] < 0 ||
        n[1] >= abi::max_threads || n[2] < 0 || n[2] > 0xffff || n[3] < -1 ||
        n[3] > abi::max_steps || n[5] < 0)
      throw Misuse("invalid tree");
    out.push_back({static_cast<std::uint32_t>(n[0]),
                   {static_cast<ThreadId>(n[1]), static_cast<std::uint16_t>(n[2])},
                   n[3] < 0 ? Node::nowhere : static_cast<std::uint32_t>(n[3]),
                   n[4] != 0,
                   static_cast<std::uint64_t>(n[5])});
  }
  Tree().restore(out);  // throws if it is not a tree
  return out;
}

// Null: the run gave no value.
Json to_json(const native::Outcomes& outcomes) {
  Json out = Json::array();
  for (const auto& [outcome, runs] : outcomes)
    out.push_back({outcome.finding, runs, outcome.value ? Json(*outcome.value) : Json()});
  return out;
}

native::Outcomes outcomes_of(const Json& in) {
  native::Outcomes out;
  for (const Json& entry : in) {
    native::RunOutcome outcome;
    const auto finding = entry.at(0).get<std::uint32_t>();
    if (finding >= std::size(abi::finding_names)) throw Misuse("invalid outcomes");
    outcome.finding = static_cast<abi::Finding>(finding);
    if (!entry.at(2).is_null()) outcome.value = entry.at(2).get<std::uint64_t>();
    out[outcome] = entry.at(1).get<std::uint64_t>();
  }
  return out;
}

Json to_json(const std::vector<SavedReversal>& deferred) {
  Json out = Json::array();
  for (const SavedReversal& r : deferred) out.push_back({to_text(r.path), to_text(r.v)});
  return out;
}

std::vector<SavedReversal> deferred_of(const Json& in, const SavedTree& left) {
  std::vector<SavedReversal> out;
  Tree tree;
  tree.restore(left);
  for (const auto& r : in.get<std::vector<std::vector<std::string>>>()) {
    if (r.size() != 2) throw Misuse("invalid tree");
    out.push_back({parse_schedule(r[0]), parse_schedule(r[1])});
    if (out.back().path.empty() || out.back().v.empty()) throw Misuse("invalid tree");
    tree.at(out.back().path);  // throws if it is not in the tree
  }
  return out;
}

Json to_json(const std::map<std::uint64_t, native::Knowledge::Pardon>& pardoned) {
  Json out = Json::array();
  for (const auto& [stacks, pardon] : pardoned)
    out.push_back({stacks, pardon.from, pardon.pattern});
  return out;
}

Json to_json(const Checkpoint& c) {
  Json found = Json::array();
  for (const Checkpoint::Found& f : c.found)
    found.push_back({{"schedule", to_text(f.schedule)}, {"runs", f.runs}});
  return {{"counts", to_json(c.counts)},
          {"found", found},
          {"outcomes", to_json(c.outcomes)},
          {"threads", c.knowledge.threads},
          {"mixed", c.knowledge.mixed},
          {"visible", c.knowledge.visible},
          {"semaphore_values", c.knowledge.semaphore_values},
          {"block_choices", c.knowledge.block_choices},
          {"pardoned", to_json(c.knowledge.pardoned)},
          {"benign", c.knowledge.benign},
          {"numbering", to_json(c.numbering)},
          {"notes",
           {c.notes.set, c.notes.leaked_at, c.notes.never_joined, c.notes.cut_off,
            static_cast<std::uint32_t>(c.notes.held), c.notes.held_at, c.notes.left_blocked,
            c.notes.left_blocked_at, c.notes.bounded, static_cast<std::uint32_t>(c.notes.bound),
            c.notes.bound_at}},
          {"unseen", c.unseen},
          {"left", to_json(c.left.tree)},
          {"aside", to_json(c.left.deferred)}};
}

Checkpoint checkpoint_of(const Json& in) {
  Checkpoint out;
  out.counts = counts_of(in.at("counts"));
  for (const Json& f : in.at("found"))
    out.found.push_back(
        {parse_schedule(f.at("schedule").get<std::string>()), f.at("runs").get<std::uint64_t>()});
  out.outcomes = outcomes_of(in.at("outcomes"));
  in.at("threads").get_to(out.knowledge.threads);
  in.at("mixed").get_to(out.knowledge.mixed);
  in.at("visible").get_to(out.knowledge.visible);
  in.at("semaphore_values").get_to(out.knowledge.semaphore_values);
  in.at("block_choices").get_to(out.knowledge.block_choices);
  for (const Json& p : in.at("pardoned"))
    out.knowledge.pardoned[p.at(0).get<std::uint64_t>()] = {p.at(1).get<std::string>(),
                                                            p.at(2).get<std::string>()};
  in.at("benign").get_to(out.knowledge.benign);
  if (out.knowledge.threads > abi::max_threads || out.knowledge.too_much_visible() ||
      out.knowledge.pardoned.size() > abi::max_pardoned)
    throw Misuse("invalid knowledge");
  out.numbering = numbering_of(in.at("numbering"));
  const auto notes = in.at("notes").get<std::vector<std::uint64_t>>();
  if (notes.size() != 11) throw Misuse("invalid notes");
  if (notes[4] > static_cast<std::uint64_t>(abi::Held::bound) ||
      notes[9] > static_cast<std::uint64_t>(abi::Bound::memory))
    throw Misuse("invalid notes");
  out.notes.set = static_cast<std::uint32_t>(notes[0]);
  out.notes.leaked_at = notes[1];
  out.notes.never_joined = notes[2];
  out.notes.cut_off = notes[3];
  out.notes.note_held(static_cast<abi::Held>(notes[4]), notes[5]);
  out.notes.note_bound(notes[8], static_cast<abi::Bound>(notes[9]), notes[10]);
  out.notes.note_left_blocked(static_cast<std::uint32_t>(notes[6]), notes[7]);
  in.at("unseen").get_to(out.unseen);
  std::ranges::sort(out.unseen);
  out.left.tree = tree_of(in.at("left"));
  out.left.deferred = deferred_of(in.at("aside"), out.left.tree);
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
