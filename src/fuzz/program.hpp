// A random program: what each thread does, and how main looks at what is left when all is over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/kinds.hpp"

namespace heddle::fuzz {

struct Step {
  std::size_t kind;
  int k = 0, v = 0, w = 0;  // its operands
  friend bool operator==(const Step&, const Step&) = default;
};

// How the memory that threads wrote is read.
enum class Look : std::uint8_t {
  by_words,
  by_bytes,
  by_memcpy,
  by_assignment,
  by_memcmp,
  atomically,
  by_reference,  // C++: std::atomic_ref
};
inline constexpr int looks_in_c = 6, looks_in_cxx = 7;

// And when, by whom.
enum class When : std::uint8_t {
  joined,            // by main
  by_another,        // a thread created then
  at_exit,           // a function given to atexit
  after_semaphores,  // main, to which each thread posts at its end
  as_status,         // of main: its lowest bits are what the program ends with
};
inline constexpr int whens = 5;

struct Program {
  std::vector<std::vector<Step>> threads;
  Look look = Look::by_words;
  When when = When::joined;
  bool main_works = false;  // what the last thread does is done by main
  bool early = false;       // and the first step of it before there are other threads
  // How it is compiled.
  bool cxx = false;
  bool alone = false;  // for itself; else it is data of the interpreter
  bool inlined = false;
  int level = 1;

  friend bool operator==(const Program&, const Program&) = default;
};

bool uses(const Program& program, char object);
// A loop in it waits for another thread.
bool waits(const Program& program);
bool is_timed(const Program& program);
std::size_t steps_of(const Program& program);
// What is opened is closed, by the same thread and in the right order; C has nothing of C++.
bool is_well_formed(const Program& program);

}  // namespace heddle::fuzz
