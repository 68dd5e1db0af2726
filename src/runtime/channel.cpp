#include "runtime/channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "runtime/descriptors.hpp"
#include "runtime/fiber.hpp"
#include "runtime/heap.hpp"
#include "runtime/modules.hpp"
#include "runtime/process.hpp"
#include "runtime/ring.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

abi::Channel* shared = nullptr;
abi::Dictionary* steps = nullptr;
abi::RingEnd requests, replies;
std::uint32_t known_settings = ~0U;
const abi::RequestHeader* current_request;
abi::ReplyHeader* current_reply;
std::uint64_t room, used;
int own_file = -1;  // of the engine's channel

// Null if the system does not.
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
      refuse("cannot open the channel to heddle: the system gives no memory");
  return at;
}

void* map_part(int fd, std::uint64_t offset, std::uint64_t size) {
  void* p = map_shared(nullptr, size, 0, fd, offset);
  if (p == nullptr) refuse("cannot open the channel to heddle: the system gives no memory");
  return p;
}

void map_channel(int fd) {
  shared = static_cast<abi::Channel*>(map_part(fd, 0, sizeof(abi::Channel)));
  steps = static_cast<abi::Dictionary*>(map_part(fd, abi::dictionary_at, sizeof(abi::Dictionary)));
  requests = {shared->requests, map_ring(fd, abi::requests_at, abi::request_ring_bytes),
              abi::request_ring_bytes};
  replies = {shared->replies, map_ring(fd, abi::replies_at, abi::reply_ring_bytes),
             abi::reply_ring_bytes};
  // If the process was started over, it goes on where it was.
  requests.consume(shared->requests.read.load());
  replies.catch_up();
}

void read_all(int fd, void* out, std::uint64_t size) {
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t n = read(fd, static_cast<char*>(out) + done, size - done);
    if (n <= 0) refuse("the file that HEDDLE_RUN names is too short");
    done += static_cast<std::uint64_t>(n);
  }
}

std::uint64_t bytes_of(const abi::RequestHeader& request) {
  return (sizeof request + request.move_count * sizeof(abi::WireMove) + 7) / 8 * 8;
}

// Of the run in this file.
void ask_for_run(const char* path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) refuse("the file that HEDDLE_RUN names cannot be read");
  static abi::RunFile file;
  read_all(fd, &file, sizeof file);
  if (file.version != abi::version || file.request.move_count > abi::max_steps)
    refuse("the file that HEDDLE_RUN names is for another version of heddle");
  shared->settings = file.settings;
  abi::RingEnd engine = requests;  // the other end, as long as nothing has been read
  std::memcpy(engine.to_write(), &file.request, sizeof file.request);
  read_all(fd, engine.to_write() + sizeof file.request,
           file.request.move_count * sizeof(abi::WireMove));
  close(fd);
  engine.publish(bytes_of(file.request));
}

void make_own_channel() {
  const int fd = memfd_create("heddle", 0);
  if (fd < 0 || ftruncate(fd, abi::channel_bytes) != 0) refuse("cannot make a channel");
  map_channel(fd);
  close(fd);
  if (const char* path = std::getenv(abi::run_variable)) return ask_for_run(path);
  shared->settings.step_limit = abi::max_steps;
  shared->settings.nondet_count = 1;
  abi::RingEnd engine = requests;
  std::memset(engine.to_write(), 0, sizeof(abi::RequestHeader));
  engine.publish(sizeof(abi::RequestHeader));
}

// Where the engine finds what runs.
void tell_whereabouts() {
  shared->whereabouts = {0, offsetof(Fiber, id), offsetof(Fiber, site), 0,
                         reinterpret_cast<std::uint64_t>(&detail::current_fiber)};
}

}  // namespace

bool open_channel() {
  const char* number = std::getenv(abi::channel_variable);
  if (number == nullptr) {
    make_own_channel();
    return false;
  }
  const int fd = std::atoi(number);
  map_channel(fd);
  own_file = reserve_descriptor(fd);
  tell_whereabouts();
  if (shared->version != abi::version)
    refuse("this program was built for another version of heddle: build it again");
  share_modules(shared->calls);
  shared->opened = 1;
  return true;
}

int channel_file() { return own_file; }

abi::Channel& channel() { return *shared; }
abi::Dictionary& dictionary() { return *steps; }
const abi::Settings& settings() { return shared->settings; }

bool settings_changed() {
  const std::uint32_t now = shared->settings_epoch.load(std::memory_order_acquire);
  const bool changed = now != known_settings;
  known_settings = now;
  return changed;
}

const abi::RequestHeader& request() { return *current_request; }
const abi::WireMove* moves() { return reinterpret_cast<const abi::WireMove*>(current_request + 1); }

void await_request() {
  if (requests.empty()) replies.wake();
  while (requests.empty()) {
    const timespec while_there_is_one{1, 0};
    requests.await(&while_there_is_one);
    if (requests.empty() && shared->engine != 0 &&
        needed_call("getppid", SYS_getppid) != shared->engine)
      system_call(SYS_exit_group, 1);
  }
  current_request = reinterpret_cast<const abi::RequestHeader*>(requests.to_read());
}

const abi::RequestHeader* following_request() {
  return reinterpret_cast<const abi::RequestHeader*>(requests.to_read_after(bytes_of(request())));
}

void finish_request() { requests.consume(bytes_of(request())); }

abi::ReplyHeader& reply() { return *current_reply; }

void begin_reply() {
  room = replies.room(sizeof(abi::ReplyHeader));
  used = 0;
  current_reply = reinterpret_cast<abi::ReplyHeader*>(replies.to_write());
  *add_to_reply<abi::ReplyHeader>() = {};
  current_reply->ticket = request().ticket;
  current_reply->serial = request().serial;
}

void* add_to_reply(std::uint64_t bytes) {
  if (used + bytes > abi::reply_ring_bytes) return nullptr;
  while (used + bytes > room) {
    room = replies.room(used + bytes);
    const timespec moment{0, 20'000};
    if (used + bytes <= room) break;
    replies.wake();
    system_call(SYS_nanosleep, reinterpret_cast<long>(&moment));  // the engine is behind
  }
  void* at = reinterpret_cast<char*>(current_reply) + used;
  used += bytes;
  return at;
}

bool is_reply_empty() { return used == sizeof(abi::ReplyHeader); }

void publish_reply() {
  used = (used + 7) / 8 * 8;
  current_reply->bytes = used;
  replies.publish(used);
}

void reply_was_published() { replies.catch_up(); }

void leave_word(abi::Word kind, const char* text) {
  const char* number = std::getenv(abi::channel_variable);
  if (shared == nullptr && number != nullptr) {  // it is early
    shared = static_cast<abi::Channel*>(
        map_shared(nullptr, sizeof(abi::Channel), 0, std::atoi(number), 0));
  }
  if (shared == nullptr) return;
  abi::LastWord& word = shared->last_word;
  std::strncpy(word.text, text, sizeof word.text - 1);
  std::atomic_ref(word.kind).store(kind);
}

}  // namespace heddle::runtime
