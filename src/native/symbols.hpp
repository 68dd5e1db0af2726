// Addresses in a worker, for people: places in the source, functions, variables.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::native {

struct Place {
  std::string file;
  unsigned line = 0;
  std::string function;
};

class Symbols {
 public:
  // Of a process that is alive.
  explicit Symbols(pid_t process);
  ~Symbols();

  // The place that the pass left at this address (abi::Site).
  std::optional<Place> site(std::uint64_t address) const;

  // The frames of a call stack, those that were inlined too, the innermost first; without those of
  // heddle itself.
  std::vector<Place> stack(const std::vector<std::uint64_t>& addresses) const;

  // A variable, or where the address lies.
  std::string object(std::uint64_t address) const;

  // The text with every {0x...} replaced by the object.
  std::string with_names(const std::string& text) const;

 private:
  struct Debug;
  pid_t process_;
  std::unique_ptr<Debug> debug_;
};

}  // namespace heddle::native
