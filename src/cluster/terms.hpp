// What all processes that explore a job agree on, as the identity of the job has it.
#pragma once

#include <string>
#include <vector>

#include "broker/job.hpp"
#include "broker/worker.hpp"
#include "cluster/program.hpp"

namespace heddle::cluster {

// What the process that creates a job decides, and the others take over.
struct Terms {
  std::string algorithm;
  std::vector<std::string> options;  // of the exploration, as native::option_words writes them
  std::uint64_t silence = 15;        // seconds, after which a worker is taken for dead
  std::uint64_t parts = 0;           // of the first split, at least
};

broker::Identity identity_of(const Terms& terms, const Program& program,
                             const std::string& first_run);

// Throws Misuse if the job is not one of this version, or what it has makes no sense.
Terms terms_of(const broker::Identity& job);

// The options for an engine. No path of the creator's machine is among them.
std::vector<std::string> shared_words(const native::Options& options);
native::Options options_of(const Terms& terms, const std::vector<std::string>& command);

broker::Worker::Settings settings_of(const Terms& terms);

// By what workers choose a job, without looking at it.
std::string label_of(const Program& program);
struct Label {
  std::string hash, name;
};
Label parse_label(const std::string& text);

// Throws Misuse, which says what differs, if what this process has is not what the job is about.
void require_same_program(const broker::Identity& job, const Program& own);
void require_same_run(const broker::Identity& job, const std::string& own);

}  // namespace heddle::cluster
