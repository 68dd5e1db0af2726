#include "runtime/fakes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "runtime/api/files.hpp"
#include "runtime/kernel/current.hpp"
#include "runtime/kernel/explain.hpp"
#include "runtime/kernel/findings.hpp"
#include "runtime/kernel/mailboxes.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/pardons.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/memory/memory.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace fake {
namespace {

constexpr std::size_t reply_bytes = 1 << 16;

// Most of it is never touched.
abi::Names& fresh_names() {
  struct Free {
    void operator()(abi::Names* d) const { std::free(d); }
  };
  static std::unique_ptr<abi::Names, Free> held;
  if (!held) held.reset(static_cast<abi::Names*>(std::calloc(1, sizeof(abi::Names))));
  return *held;
}

}  // namespace

World& world() {
  static World w;
  return w;
}

void ask(Request& request, const std::vector<abi::WireMove>& moves, std::uint32_t known) {
  request = {};
  request.header.move_count = static_cast<std::uint32_t>(moves.size());
  request.header.known_count = std::min(known, request.header.move_count);
  std::copy(moves.begin(), moves.end(), request.moves);
}

void set_current(unsigned id) { detail::now.fiber = &fiber(id); }

void set_threads(unsigned count) {
  detail::now.present = count == abi::max_threads ? ~0ULL : (std::uint64_t{1} << count) - 1;
  detail::now.running = true;
  detail::now.concurrent = count > 1;
  for (unsigned id = 0; id < abi::max_threads; ++id) {
    fiber(id) = {};
    fiber(id).id = id;
    fiber(id).status = id < count ? Fiber::Status::live : Fiber::Status::absent;
  }
  set_current(0);
}

RuntimeTest::RuntimeTest() {
  world() = {};
  world().added.reserve(reply_bytes);
  set_threads(1);
  drop_savepoints();
}

}  // namespace fake

namespace detail {
Fibers fibers;
Explanation explanation{};
Pardons pardons{};
Modules modules{};
}  // namespace detail

const abi::Settings& settings() { return fake::world().settings; }
const abi::RequestHeader& request() { return fake::world().request.header; }
const abi::WireMove* moves() { return fake::world().request.moves; }
const abi::RequestHeader* following_request() {
  return fake::world().has_following ? &fake::world().following.header : nullptr;
}
abi::ReplyHeader& reply() { return fake::world().reply; }
abi::Names& names() { return fake::fresh_names(); }
void* add_to_reply(std::uint64_t bytes) {
  std::vector<char>& added = fake::world().added;
  if (added.size() + bytes > fake::reply_bytes) return nullptr;
  added.resize(added.size() + bytes);
  return added.data() + added.size() - bytes;
}

void* map_anywhere(std::size_t size) {
  void* p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  if (p == MAP_FAILED) std::abort();
  return p;
}
void unmap(void* address, std::size_t size) { munmap(address, size); }

void unsupported(const char* what) { throw fake::Unsupported{what}; }
void reach_bound(abi::Bound bound) { throw fake::BoundReached{bound}; }
void note(abi::Note what) { fake::world().notes |= what; }
void note_data_race(const abi::WireRace& race, const abi::Site*, const abi::Site*) {
  fake::world().data_races.push_back(race);
}

// All mailboxes are empty.
Mailbox& mailbox_of(unsigned thread) {
  static Mailbox boxes[abi::max_threads];
  return boxes[thread];
}
void describe_messages(unsigned, Text&) {}

// No stacks are remembered.
const abi::Site* add_stack(const abi::Site* site, const void*, std::uint64_t) { return site; }
const abi::Site* with_callers(const abi::Site* site, const void*, std::uint64_t) { return site; }
const abi::Site* site_of(const abi::Site* site) { return site; }
std::uint64_t stack_name_of(const abi::Site*) { return 0; }
bool is_pardoned(std::uint64_t, std::uint64_t) { return false; }

void plain_read(const void* from, std::uint64_t size) {
  fake::world().accesses.push_back({from, size, 'r'});
}
void plain_write(const void* to, std::uint64_t size) {
  fake::world().accesses.push_back({to, size, 'w'});
}
void read_string(const char* s, std::uint64_t most) {
  plain_read(s, std::min<std::uint64_t>(strnlen(s, most) + 1, most));
}
void use_stream(const void* stream, FileUse how) {
  fake::world().accesses.push_back({stream, static_cast<std::uint64_t>(how), 'f'});
}
void use_descriptor(int fd, FileUse how) {
  fake::world().accesses.push_back(
      {nullptr, static_cast<std::uint64_t>(fd) << 8 | static_cast<std::uint64_t>(how), 'n'});
}

}  // namespace heddle::runtime
