// Cubes and what they bring, as a job has them.
//
// A cube of a job is a list of cubes of the engine: small ones are given out together.
#pragma once

#include <string>
#include <vector>

#include "broker/record.hpp"
#include "parallel/engine.hpp"

namespace heddle::cluster {

using CubeList = std::vector<std::string>;

std::string to_text(const CubeList& cubes);
// Throws Malformed.
CubeList cubes_of(const std::string& text);

// The whole program.
inline CubeList everything() { return {""}; }

// As few lists of these cubes as are allowed in a job, and with no more than `most` in each.
std::vector<std::string> bundled(const CubeList& cubes, std::size_t most);

// What a cube has brought. `thrown_away` is the number of runs that were made in vain.
broker::Done done_of(const parallel::Json& yield, std::uint64_t thrown_away);
// Counts, of sums that the broker has.
Counts counts_of(const broker::Counts& sums);
std::uint64_t thrown_away_of(const broker::Counts& sums);

// Where something was found: the cube of the engine, and what was done of it.
struct Found {
  std::string cube;
  parallel::Json partial;
};
std::string to_text(const Found& found);
// Throws Malformed.
Found found_of(const std::string& text);

}  // namespace heddle::cluster
