// Checkpoint files: what an exploration that was stopped has done and has still to do.
//
// JSON, with the version of the format as "heddle-checkpoint": what the cubes that are complete
// have brought, what was learned, and the cubes that are open, each with what was done of it so
// far. What is left of a cube is a list of the nodes of its tree of branches (core/tree.hpp), each
// as [depth, thread, alternative, attached at or -1, planned or not, runs]; `aside` are deferred
// reversals, each as the schedule up to where its race begins and the one to be inserted there.
#pragma once

#include <string>

#include "report/sealed.hpp"

namespace heddle::report {

std::string to_text(const SavedExploration& saved);
// Throws Misuse if it is not a checkpoint.
SavedExploration parse_checkpoint(const std::string& text);

// Throw Misuse if the file cannot be written or read, or is not a checkpoint.
void write_checkpoint(const std::string& path, const SavedExploration& saved);
SavedExploration read_checkpoint(const std::string& path);

}  // namespace heddle::report
