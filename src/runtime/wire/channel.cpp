#include "runtime/wire/channel.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "runtime/sys/check.hpp"
#include "runtime/sys/last_word.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/sys/own_descriptors.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/ring.hpp"
#include "runtime/wire/run_file.hpp"

namespace heddle::runtime {
namespace {

struct Link {
  abi::Channel* shared = nullptr;
  abi::Names* names = nullptr;
  abi::RingEnd requests, replies;
  std::uint32_t known_settings = ~0U;
  const abi::RequestHeader* request = nullptr;
  abi::ReplyHeader* reply = nullptr;
  std::uint64_t room = 0, used = 0;    // of the reply
  int own_file = -1, names_file = -1;  // of the engine's channel, and of the names
};
constinit Link link;

// Null if the system refuses.
void* map_shared(void* at, std::uint64_t size, int flags, int fd, std::uint64_t offset) {
  const long p =
      system_call(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(size),
                  PROT_READ | PROT_WRITE, MAP_SHARED | flags, fd, static_cast<long>(offset));
  return p < 0 ? nullptr : reinterpret_cast<void*>(p);
}

char* map_ring(int fd, std::uint64_t offset, std::uint64_t size) {
  auto* at = static_cast<char*>(map_anywhere(2 * size));
  for (int k = 0; k < 2; ++k)
    if (map_shared(at + k * size, size, MAP_FIXED, fd, offset) == nullptr)
      refuse("cannot open the channel to heddle: the system refuses memory");
  return at;
}

void* map_part(int fd, std::uint64_t offset, std::uint64_t size) {
  void* p = map_shared(nullptr, size, 0, fd, offset);
  if (p == nullptr) refuse("cannot open the channel to heddle: the system refuses memory");
  return p;
}

void map_channel(int fd, int names_fd) {
  link.shared = static_cast<abi::Channel*>(map_part(fd, 0, sizeof(abi::Channel)));
  link.names = static_cast<abi::Names*>(map_part(names_fd, 0, sizeof(abi::Names)));
  const bool crowded = link.shared->crowded != 0;
  link.requests = {link.shared->requests, map_ring(fd, abi::requests_at, abi::request_ring_bytes),
                   abi::request_ring_bytes, crowded};
  link.replies = {link.shared->replies, map_ring(fd, abi::replies_at, abi::reply_ring_bytes),
                  abi::reply_ring_bytes, crowded};
  set_last_word(link.shared->last_word);
  // If the process was started over, it continues where it was.
  link.requests.consume(link.shared->requests.read.load());
  link.replies.catch_up();
}

void make_own_channel() {
  const int fd = memfd_create("heddle", 0), names_fd = memfd_create("heddle-names", 0);
  if (fd < 0 || ftruncate(fd, abi::channel_bytes) != 0 || names_fd < 0 ||
      ftruncate(names_fd, abi::names_bytes) != 0)
    refuse("cannot make a channel");
  map_channel(fd, names_fd);
  close(fd);
  close(names_fd);
  abi::RingEnd engine = link.requests;  // the other end, as long as nothing has been read
  if (const char* path = std::getenv(abi::run_variable)) {
    read_run_file(path, link.shared->settings, engine.to_write());
  } else {
    link.shared->settings.step_limit = abi::max_steps;
    link.shared->settings.nondet_count = 1;
    std::memset(engine.to_write(), 0, sizeof(abi::RequestHeader));
  }
  engine.publish(bytes_of(*reinterpret_cast<const abi::RequestHeader*>(engine.to_write())));
}

}  // namespace

bool open_channel() {
  const char* number = std::getenv(abi::channel_variable);
  if (number == nullptr) {
    make_own_channel();
    return false;
  }
  const char* comma = std::strchr(number, ',');
  if (comma == nullptr)
    refuse("this program was built for another version of heddle: build it again");
  const int fd = std::atoi(number), names_fd = std::atoi(comma + 1);
  map_channel(fd, names_fd);
  link.own_file = reserve_descriptor(fd);
  link.names_file = reserve_descriptor(names_fd);
  if (link.shared->version != abi::version)
    refuse("this program was built for another version of heddle: build it again");
  return true;
}

bool has_engine() { return link.own_file >= 0; }
int channel_file() { return link.own_file; }
int names_file() { return link.names_file; }

abi::Channel& channel() { return *link.shared; }
abi::Names& names() { return *link.names; }
const abi::Settings& settings() { return link.shared->settings; }

bool settings_changed() {
  const std::uint32_t now = link.shared->settings_epoch.load(std::memory_order_acquire);
  const bool changed = now != link.known_settings;
  link.known_settings = now;
  return changed;
}

const abi::RequestHeader& request() { return *link.request; }
const abi::WireMove* moves() { return reinterpret_cast<const abi::WireMove*>(link.request + 1); }

void await_request() {
  if (link.requests.empty()) link.replies.wake();
  while (link.requests.empty()) {
    const timespec while_there_is_one{1, 0};
    link.requests.await(&while_there_is_one);
    if (link.requests.empty() && link.shared->engine != 0 &&
        needed_call("getppid", SYS_getppid) != link.shared->engine)
      system_call(SYS_exit_group, 1);
  }
  link.request = reinterpret_cast<const abi::RequestHeader*>(link.requests.to_read());
}

const abi::RequestHeader* following_request() {
  return reinterpret_cast<const abi::RequestHeader*>(
      link.requests.to_read_after(bytes_of(request())));
}

void finish_request() { link.requests.consume(bytes_of(request())); }

abi::ReplyHeader& reply() { return *link.reply; }

void begin_reply() {
  HEDDLE_RUNTIME_CHECK(link.request != nullptr);
  link.room = link.replies.room(sizeof(abi::ReplyHeader));
  link.used = 0;
  link.reply = reinterpret_cast<abi::ReplyHeader*>(link.replies.to_write());
  *add_to_reply<abi::ReplyHeader>() = {};
  link.reply->ticket = request().ticket;
  link.reply->serial = request().serial;
}

void* add_to_reply(std::uint64_t bytes) {
  HEDDLE_RUNTIME_CHECK(link.reply != nullptr);
  if (link.used + bytes > abi::reply_ring_bytes) return nullptr;
  while (link.used + bytes > link.room) {
    link.room = link.replies.room(link.used + bytes);
    const timespec moment{0, 20'000};  // less than the engine needs to read a full ring
    if (link.used + bytes <= link.room) break;
    link.replies.wake();
    system_call(SYS_nanosleep, reinterpret_cast<long>(&moment));  // the engine has not caught up
  }
  void* at = reinterpret_cast<char*>(link.reply) + link.used;
  link.used += bytes;
  return at;
}

bool is_reply_empty() { return link.used == sizeof(abi::ReplyHeader); }

void publish_reply() {
  HEDDLE_RUNTIME_CHECK(link.used >= sizeof(abi::ReplyHeader) && link.used <= link.room);
  link.used = (link.used + 7) / 8 * 8;
  link.reply->bytes = link.used;
  link.replies.publish(link.used);
}

void reply_was_published() { link.replies.catch_up(); }

}  // namespace heddle::runtime
