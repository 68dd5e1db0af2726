#include "native/shared_channel.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

#include "base/check.hpp"
#include "base/processors.hpp"

namespace heddle::native {

// Replies are copied word by word, and the rings are mapped page by page.
static_assert(sizeof(abi::ReplyHeader) % 8 == 0 && sizeof(abi::RequestHeader) % 8 == 0);
static_assert(abi::requests_at % 4096 == 0 && abi::replies_at % 4096 == 0);

SharedChannel::SharedChannel() {
  fd_ = memfd_create("heddle", 0);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(abi::channel_bytes)) != 0)
    throw Misuse(std::string("cannot make a channel: ") + std::strerror(errno));
  try {
    // All zeros, like the file.
    shared_ = new (map(0, sizeof(abi::Channel))) abi::Channel;
    request_memory_ = map_ring(abi::requests_at, abi::request_ring_bytes);
    reply_memory_ = map_ring(abi::replies_at, abi::reply_ring_bytes);
  } catch (const std::bad_alloc&) {
    unmap();
    throw;
  }
  shared_->version = abi::version;
  shared_->engine = getpid();
  static_assert(sizeof shared_->processors == sizeof(cpu_set_t));
  std::memcpy(shared_->processors, &processors_at_start(), sizeof shared_->processors);
  const bool crowded = has_one_processor();
  shared_->crowded = crowded ? 1 : 0;
  requests_ = {shared_->requests, request_memory_, abi::request_ring_bytes, crowded};
  replies_ = {shared_->replies, reply_memory_, abi::reply_ring_bytes, crowded};
}

SharedChannel::~SharedChannel() { unmap(); }

void SharedChannel::unmap() {
  const auto unmap_part = [](void* p, std::uint64_t size) {
    if (p != nullptr) munmap(p, size);
  };
  unmap_part(shared_, sizeof(abi::Channel));
  unmap_part(request_memory_, 2 * abi::request_ring_bytes);
  unmap_part(reply_memory_, 2 * abi::reply_ring_bytes);
  close(fd_);
}

void* SharedChannel::map(std::uint64_t offset, std::uint64_t size) {
  void* p =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(offset));
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

// Maps the ring twice in a row, see abi::Ring.
char* SharedChannel::map_ring(std::uint64_t offset, std::uint64_t size) {
  void* p = mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  for (char* at : {static_cast<char*>(p), static_cast<char*>(p) + size})
    if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_,
             static_cast<off_t>(offset)) == MAP_FAILED) {
      munmap(p, 2 * size);
      throw std::bad_alloc();
    }
  return static_cast<char*>(p);
}

void SharedChannel::check() {
  if (!replies_.can_be_read() || !requests_.can_be_written()) throw Overwritten();
}

std::uint64_t SharedChannel::progress() const {
  const auto& unfinished = *reinterpret_cast<const abi::ReplyHeader*>(replies_.to_read());
  return std::uint64_t{unfinished.serial} << 32 |
         (unfinished.event_count + unfinished.waiting_count + unfinished.going_at);
}

void SharedChannel::copy_reply(std::vector<std::uint64_t>& into) {
  HEDDLE_CHECK(!replies_.empty());
  check();
  const char* at = replies_.to_read();
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  if (bytes % 8 != 0 || bytes < sizeof(abi::ReplyHeader) || bytes > abi::reply_ring_bytes ||
      !replies_.is_written(bytes))
    throw Overwritten();
  const auto* words = reinterpret_cast<const std::uint64_t*>(at);
  into.assign(words, words + bytes / 8);
  static_assert(offsetof(abi::ReplyHeader, bytes) == 0);
  into[0] = bytes;
}

void SharedChannel::copy_unfinished(std::vector<std::uint64_t>& into) const {
  const char* at = replies_.to_read();
  abi::ReplyHeader header;
  std::memcpy(&header, at, sizeof header);
  const std::uint64_t events = std::uint64_t{header.event_count} + header.waiting_count;
  const std::uint64_t room = (abi::reply_ring_bytes - sizeof header) / sizeof(abi::WireEvent);
  header.bytes = sizeof header + std::min(events, room) * sizeof(abi::WireEvent);
  const auto* words = reinterpret_cast<const std::uint64_t*>(at);
  into.assign(words, words + header.bytes / 8);
  std::memcpy(into.data(), &header, sizeof header);
}

}  // namespace heddle::native
