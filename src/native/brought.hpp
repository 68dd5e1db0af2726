// What the runs of an exploration brought: a value that adds up over parts of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "native/knowledge.hpp"
#include "native/notes.hpp"
#include "native/numbering.hpp"
#include "native/outcomes.hpp"
#include "native/session.hpp"
#include "parallel/engine.hpp"

namespace heddle::native {

// A finding as the exploration came across it.
struct Seen {
  Outcome outcome;
  Schedule schedule;  // of the first run that had it
  std::uint64_t runs;
};

// Whether they are one finding.
bool same(const Outcome& a, const Outcome& b);

// The number of runs that are cut off for their length before the exploration stops. Those that are
// left to do are likely to be as long; by default, this is ten million steps.
inline constexpr std::uint64_t most_endless = 100;

struct Brought {
  Counts counts;
  std::vector<Seen> seen;  // no two of them the same
  Outcomes outcomes;
  Notes notes;
  std::vector<std::string> unseen;  // functions that were called, see native/unseen.hpp; sorted
  std::uint64_t endless = 0;        // runs that were cut off for their length
  std::optional<Nondeterminism> nondeterminism;

  Brought& operator+=(const Brought& other);
  // The finding among those seen that is the same, or null. Runs that are cut off are all one.
  Seen* find(const Outcome& outcome);
};

// As JSON, for checkpoints and other processes. Those that read throw Misuse, or an exception of
// the JSON library, if it is not what the others wrote.
parallel::Json to_json(const Brought& brought);
Brought brought_of(const parallel::Json& json);
// Adds two members to an object.
void add_to(parallel::Json& json, const SavedFrontier& left);
SavedFrontier left_of(const parallel::Json& json);
// What was learned, and the numbers of threads, by which steps are named.
parallel::Json to_json(const Knowledge& knowledge, const Numbering& numbering);
Knowledge knowledge_of(const parallel::Json& json);
Numbering numbering_of(const parallel::Json& json);

}  // namespace heddle::native
