// From which rows of a trace others get what they read, lock or wait for: the arrows of a drawing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "findings/trace.hpp"

namespace heddle::report {

struct Link {
  enum class Kind : std::uint8_t {
    reads,    // it reads what that row wrote
    lock,     // it acquires what that row released
    wake,     // it is woken by that row
    message,  // it receives what that row sent
    create,   // it is the first of a thread that that row created
    join,     // it comes after the end of a thread, whose last row that is
    race,     // it races with that row
    waits,    // it is blocked on what that row acquired
  };
  Kind kind = Kind::reads;
  std::size_t row = 0;  // the place of that row in the trace
};

std::string_view name_of(Link::Kind kind);

// The links of each row.
std::vector<std::vector<Link>> links_of(const findings::Trace& trace);

}  // namespace heddle::report
