// Variables of a program, by address: what the debug information calls the memory there, down to
// the member or the element.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/wire.h"

namespace heddle::native {

// What is at an address, and how to interpret a value there.
struct Variable {
  std::string name;  // queue.items[2].next
  enum class Kind : std::uint8_t { unknown, number, natural, boolean, real, pointer, name };
  Kind kind = Kind::unknown;
  std::vector<std::pair<std::int64_t, std::string>> names;  // of the values, if kind is `name`
};

class Variables {
 public:
  explicit Variables(Dwfl* dwfl) : dwfl_(dwfl) {}

  // A global or static variable.
  std::optional<Variable> global(std::uint64_t address);

  // A local variable of a function in one of these frames.
  std::optional<Variable> local(std::uint64_t address, std::span<const abi::WireFrame> frames);

 private:
  struct Known {
    std::uint64_t size;
    Dwarf_Die die;
  };
  void collect(Dwfl_Module* module);
  void collect(Dwarf_Die& parent, Dwarf_Addr bias);

  Dwfl* dwfl_;
  std::map<Dwfl_Module*, bool> collected_;
  std::map<std::uint64_t, Known> globals_;  // by address
};

}  // namespace heddle::native
