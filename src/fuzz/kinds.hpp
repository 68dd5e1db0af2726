// What random programs are made of: objects that threads share, and kinds of steps on them, all as
// text in C that is C++ too. One table serves the interpreter, which is compiled once and given
// programs as data, and programs that are printed and compiled for themselves.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle::fuzz {

// Kinds name the objects they use by these letters.
struct Object {
  char letter;
  std::string declaration;
  std::string set_up = "";  // statements of main, before there are threads
  std::string memory = "";  // a variable to be looked at when all is over
};

enum class Role : unsigned char {
  step,
  waits,  // a loop, until another thread does something; with BOUND, at most that many rounds
  opens,  // takes a lock: the kind `partner` releases it
  closes,
};

// The body of a function: its operands are k (0 or 1), v and w (0 to 2); it returns what the thread
// is to have seen. Loops of kinds that wait begin with WAITS, and each round with ROUND.
struct Kind {
  std::string name;
  std::string uses;
  std::string code;
  Role role = Role::step;
  std::string partner = "";  // of opens: what closes; of waits: what lets it continue, if needed
  bool cxx = false;          // C++ only
  bool timed = false;        // has a time limit
};

std::span<const Object> objects();
std::span<const Kind> kinds();
// There must be one.
std::size_t kind_named(std::string_view name);

}  // namespace heddle::fuzz
