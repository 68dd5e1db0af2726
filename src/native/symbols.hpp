// Addresses in a worker, symbolized: places in the source, functions, variables.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "findings/place.hpp"
#include "native/variables.hpp"
#include "runtime/abi/abi.h"

namespace heddle::native {

using findings::Place;

class Symbols {
 public:
  // REQUIRES: the process is alive.
  explicit Symbols(pid_t process);
  ~Symbols();

  // The place that the pass recorded at this address (abi::Site).
  std::optional<Place> site(std::uint64_t address) const;
  std::optional<abi::SiteKind> site_kind(std::uint64_t address) const;

  // The name of a kind of messages (abi::MessageKind).
  std::string kind_name(std::uint64_t address) const;

  // The frames of a call stack, inlined ones included, the innermost first; without those of heddle
  // itself.
  std::vector<Place> stack(const std::vector<std::uint64_t>& addresses) const;

  // A global or static variable, or one of the functions in these frames.
  std::optional<Variable> global(std::uint64_t address) const;
  std::optional<Variable> local(std::uint64_t address,
                                std::span<const abi::WireFrame> frames) const;
  // The symbol that the address lies in, with the offset from it.
  std::optional<std::string> symbol(std::uint64_t address) const;

 private:
  struct Debug;
  pid_t process_;
  std::unique_ptr<Debug> debug_;
};

}  // namespace heddle::native
