// The model programs that are built in: those on which the papers report counts, and those that
// this field measures itself with. Each says where it is from and how many traces it has.
#pragma once

#include <span>
#include <string_view>

#include "interp/program.hpp"

namespace heddle::interp {

// Programs of one shape. `make` takes a size from min_size to max_size; a program without a size
// (`sized` is false) takes any. max_size is what the program itself allows, or else what can be
// built in no time; what can be explored is far less.
struct Family {
  std::string_view name;
  std::string_view summary;
  int default_size;
  int min_size;
  int max_size;
  Program (*make)(int size);
  bool sized = true;
};

std::span<const Family> families();

// Null if there is none of this name.
const Family* find_family(std::string_view name);

// Their themes, each in a file of its own.
std::span<const Family> example_families();   // single examples and counterexamples
std::span<const Family> observer_families();  // writes of which few are read
std::span<const Family> atomic_families();    // steps that do much at once, or commute
std::span<const Family> task_families();  // parallel algorithms, as tasks that wait for other tasks
std::span<const Family> classic_families();  // shared memory and locks
std::span<const Family> message_families();

}  // namespace heddle::interp
