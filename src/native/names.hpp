// Names for what the addresses and values of one run stand for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "findings/trace.hpp"
#include "native/explanation.hpp"
#include "native/symbols.hpp"

namespace heddle::native {

class Names {
 public:
  // REQUIRES: both outlive it.
  Names(const Explanation& run, const Symbols& symbols);

  // A variable by its name; a block of the heap as "block #2": blocks have numbers in the order in
  // which they are named.
  std::string object(std::uint64_t address);

  // Whether the address belongs to the program's own code: a variable that has debug information, a
  // local variable, or a block that was allocated in the run.
  bool is_programs(std::uint64_t address);

  // What was in this memory: a number, or the name of what it points to.
  std::string value(std::uint64_t value, std::uint64_t address, std::uint64_t size);

  // The text with every {0x...} replaced by the object; blocks with where they were allocated and,
  // if `freed`, where they were freed.
  std::string with_names(const std::string& text, bool freed);

  // All numbered blocks, in order.
  std::vector<findings::Block> blocks() const;

 private:
  const abi::WireBlock* block(std::uint64_t address) const;
  unsigned number_of(const abi::WireBlock& block);
  findings::Block described(const abi::WireBlock& block, unsigned number) const;
  const Variable* variable(std::uint64_t address);
  std::string pointer(std::uint64_t value);
  std::string unknown(std::uint64_t value, std::uint64_t size);

  const Explanation& run_;
  const Symbols& symbols_;
  std::map<std::uint64_t, const abi::WireBlock*> blocks_;  // by address
  std::vector<const abi::WireBlock*> numbered_;
  std::map<std::uint64_t, std::optional<Variable>> variables_;
  std::map<unsigned, std::vector<const std::vector<abi::WireFrame>*>> stacks_;  // by thread
};

}  // namespace heddle::native
