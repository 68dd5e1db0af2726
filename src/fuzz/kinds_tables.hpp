// The parts of which the tables in kinds.hpp are made.
#pragma once

#include <vector>

#include "fuzz/kinds.hpp"

namespace heddle::fuzz {

struct Tables {
  std::vector<Object> objects;
  std::vector<Kind> kinds;
};

void add_memory(Tables& to);
void add_locks(Tables& to);
void add_waiting(Tables& to);
void add_counting(Tables& to);
void add_others(Tables& to);
void add_messages(Tables& to);

}  // namespace heddle::fuzz
