// In the place of a worker, for parts of the runtime by themselves: the channel is memory of the
// test, what would end a run is thrown, and plain accesses are noted.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/abi/wire.h"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/savepoint.hpp"

namespace heddle::runtime::fake {

struct Unsupported {
  std::string what;
};
struct BoundReached {
  abi::Bound bound;
};

struct Access {
  const void* address;
  std::uint64_t size;
  char how;  // r, w; of files f, n

  friend bool operator==(const Access&, const Access&) = default;
  friend void PrintTo(const Access& a, std::ostream* out) {
    *out << a.how << a.size << " at " << a.address;
  }
};

struct Request {
  abi::RequestHeader header;
  abi::WireMove moves[256];
};

// What the parts see of the rest of the worker, and what they told it.
struct World {
  abi::Settings settings{};
  Request request{}, following{};
  bool has_following = false;
  abi::ReplyHeader reply{};
  std::vector<char> added;  // to the reply; never more than was reserved
  std::vector<Access> accesses;
  std::vector<abi::WireRace> data_races;  // that are findings
  std::uint32_t notes = 0;
};
World& world();

// Fills a request: all of its events are known to the engine, unless it is said how many.
void ask(Request& request, const std::vector<abi::WireMove>& moves, std::uint32_t known = ~0U);

// These threads exist, and the first of them runs.
void set_threads(unsigned count);
void set_current(unsigned id);

class RuntimeTest : public testing::Test {
 protected:
  RuntimeTest();  // a new world with one thread, no savepoints
};

}  // namespace heddle::runtime::fake
