// What an exploration brought, as JSON.
#include <algorithm>

#include "base/check.hpp"
#include "core/tree.hpp"
#include "native/brought.hpp"
#include "parallel/engine_process.hpp"

namespace heddle::native {
namespace {

using parallel::Json;

Json numbers(const Numbering& numbering) {
  Json out = Json::array();
  for (std::size_t k = 0; k < numbering.threads.size(); ++k)
    out.push_back({numbering.threads[k].creator, numbering.threads[k].nth, k + 1});
  return out;
}

Numbering numbering_in(const Json& in) {
  Numbering out;
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
Json to_json(const Outcomes& outcomes) {
  Json out = Json::array();
  for (const auto& [outcome, runs] : outcomes)
    out.push_back({outcome.finding, runs, outcome.value ? Json(*outcome.value) : Json()});
  return out;
}

Outcomes outcomes_of(const Json& in) {
  Outcomes out;
  for (const Json& entry : in) {
    RunOutcome outcome;
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

Json to_json(const std::map<std::uint64_t, Knowledge::Pardon>& pardoned) {
  Json out = Json::array();
  for (const auto& [stacks, pardon] : pardoned)
    out.push_back({stacks, pardon.from, pardon.pattern});
  return out;
}

Json to_json(const Notes& n) {
  return {
      n.set,      n.leaked_at,    n.never_joined,    n.cut_off, static_cast<std::uint32_t>(n.held),
      n.held_at,  n.left_blocked, n.left_blocked_at, n.bounded, static_cast<std::uint32_t>(n.bound),
      n.bound_at, n.unreceived_at};
}

Notes notes_of(const Json& in) {
  const auto notes = in.get<std::vector<std::uint64_t>>();
  if (notes.size() != 12 || notes[4] > static_cast<std::uint64_t>(abi::Held::bound) ||
      notes[9] > static_cast<std::uint64_t>(abi::Bound::memory))
    throw Misuse("invalid notes");
  Notes out;
  out.set = static_cast<std::uint32_t>(notes[0]);
  out.leaked_at = notes[1];
  out.never_joined = notes[2];
  out.unreceived_at = notes[11];
  out.cut_off = notes[3];
  out.note_held(static_cast<abi::Held>(notes[4]), notes[5]);
  out.note_bound(notes[8], static_cast<abi::Bound>(notes[9]), notes[10]);
  out.note_left_blocked(static_cast<std::uint32_t>(notes[6]), notes[7]);
  return out;
}

Json to_json(const Seen& s) {
  return {{"schedule", to_text(s.schedule)}, {"runs", s.runs},
          {"finding", s.outcome.finding},    {"thread", s.outcome.thread},
          {"text", s.outcome.text},          {"site", s.outcome.site}};
}

Seen seen_of(const Json& in) {
  const auto finding = in.at("finding").get<std::uint32_t>();
  const auto thread = in.at("thread").get<std::uint32_t>();
  if (finding >= std::size(abi::finding_names) || thread >= abi::max_threads)
    throw Misuse("invalid finding");
  Seen out{{}, parse_schedule(in.at("schedule").get<std::string>()), in.at("runs")};
  out.outcome.finding = static_cast<abi::Finding>(finding);
  out.outcome.thread = thread;
  out.outcome.text = in.at("text");
  out.outcome.site = in.at("site");
  return out;
}

}  // namespace

Json to_json(const Brought& b) {
  Json seen = Json::array();
  for (const Seen& s : b.seen) seen.push_back(to_json(s));
  Json out = {{"counts", parallel::to_json(b.counts)},
              {"found", std::move(seen)},
              {"outcomes", to_json(b.outcomes)},
              {"notes", to_json(b.notes)},
              {"unseen", b.unseen},
              {"endless", b.endless}};
  if (b.nondeterminism)
    out["nondeterminism"] = {{"step", b.nondeterminism->step},
                             {"site", b.nondeterminism->site},
                             {"schedule", to_text(b.nondeterminism->schedule)}};
  return out;
}

Brought brought_of(const Json& in) {
  Brought out;
  out.counts = parallel::counts_of(in.at("counts"));
  for (const Json& s : in.at("found")) out.seen.push_back(seen_of(s));
  out.outcomes = outcomes_of(in.at("outcomes"));
  out.notes = notes_of(in.at("notes"));
  in.at("unseen").get_to(out.unseen);
  std::ranges::sort(out.unseen);
  in.at("endless").get_to(out.endless);
  if (const auto n = in.find("nondeterminism"); n != in.end())
    out.nondeterminism = Nondeterminism{n->at("step"), n->at("site"),
                                        parse_schedule(n->at("schedule").get<std::string>())};
  return out;
}

void add_to(Json& json, const SavedFrontier& left) {
  json["left"] = to_json(left.tree);
  json["aside"] = to_json(left.deferred);
}

SavedFrontier left_of(const Json& in) {
  SavedFrontier out;
  if (!in.contains("left")) return out;
  out.tree = tree_of(in.at("left"));
  out.deferred = deferred_of(in.at("aside"), out.tree);
  return out;
}

Json to_json(const Knowledge& k, const Numbering& numbering) {
  return {{"threads", k.threads},
          {"mixed", k.mixed},
          {"visible", k.visible},
          {"semaphore_values", k.semaphore_values},
          {"block_choices", k.block_choices},
          {"pardoned", to_json(k.pardoned)},
          {"benign", k.benign},
          {"numbering", numbers(numbering)}};
}

Knowledge knowledge_of(const Json& in) {
  Knowledge out;
  in.at("threads").get_to(out.threads);
  in.at("mixed").get_to(out.mixed);
  in.at("visible").get_to(out.visible);
  in.at("semaphore_values").get_to(out.semaphore_values);
  in.at("block_choices").get_to(out.block_choices);
  for (const Json& p : in.at("pardoned"))
    out.pardoned[p.at(0).get<std::uint64_t>()] = {p.at(1).get<std::string>(),
                                                  p.at(2).get<std::string>()};
  in.at("benign").get_to(out.benign);
  if (out.threads > abi::max_threads || out.too_much_visible() ||
      out.pardoned.size() > abi::max_pardoned)
    throw Misuse("invalid knowledge");
  return out;
}

Numbering numbering_of(const Json& in) { return numbering_in(in.at("numbering")); }

}  // namespace heddle::native
