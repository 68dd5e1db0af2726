// The two ends of a ring (wire.h). One process writes, the other reads.
#pragma once

#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/abi/wire.h"

namespace heddle::abi {

// Straight to the system: in a worker, the C library's function for it is the program's.
inline long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
                  const timespec* limit) {
  long result;
  register long r10 asm("r10") = reinterpret_cast<long>(limit);
  asm volatile("syscall"
               : "=a"(result)
               : "a"(long{SYS_futex}), "D"(&word), "S"(long{operation}), "d"(long{value}), "r"(r10)
               : "rcx", "r11", "memory");
  return result;
}

// One end of a ring that has not been used: the writer's, or the reader's. An end knows its own
// position; it does not read it from memory that the other side can write. The size is a power of
// two.
class RingEnd {
 public:
  RingEnd() = default;
  // `crowded`: the other side may have to wait for the processor of this one.
  RingEnd(Ring& ring, char* memory, std::uint64_t size, bool crowded)
      : ring_(&ring), memory_(memory), size_(size), crowded_(crowded) {}

  // For the writer: where the next bytes go; how many there is room for (looking again if that is
  // less than wanted); that they are written.
  char* to_write() const { return memory_ + (own_ & (size_ - 1)); }
  std::uint64_t room(std::uint64_t wanted) {
    if (size_ - (own_ - seen_other_) < wanted)
      seen_other_ = ring_->read.load(std::memory_order_acquire);
    return size_ - (own_ - seen_other_);
  }
  // The sleeping side is woken for several messages at once, as that costs more than a run: a
  // writer that is about to wait itself has to call `wake`.
  void publish(std::uint64_t bytes) {
    own_ = after(own_, bytes);
    ring_->written.store(own_, std::memory_order_release);
    // The other side has these lines: they are fetched while this side does something else.
    for (unsigned line = 0; line < 4; ++line) __builtin_prefetch(to_write() + line * 64, 1);
    if (++quiet_ >= most_quiet) wake();
  }
  void wake() {
    quiet_ = 0;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (ring_->sleeping.load(std::memory_order_relaxed) == 0) return;
    ring_->signal.fetch_add(1, std::memory_order_relaxed);
    futex(ring_->signal, FUTEX_WAKE, 1, nullptr);
  }

  // A copy of this end, in another process, has written.
  void catch_up() { own_ = ring_->written.load(std::memory_order_acquire); }
  // Whether the position of the other side is possible.
  bool can_be_written() const {
    return own_ - ring_->read.load(std::memory_order_relaxed) <= size_;
  }

  // For the reader.
  bool empty() {
    if (seen_other_ != own_) return false;
    seen_other_ = ring_->written.load(std::memory_order_acquire);
    return seen_other_ == own_;
  }
  const char* to_read() const { return memory_ + (own_ & (size_ - 1)); }
  bool can_be_read() const {
    return ring_->written.load(std::memory_order_relaxed) - own_ <= size_;
  }
  // Whether there are this many bytes to be read, in one piece.
  bool is_written(std::uint64_t bytes) const {
    const std::uint64_t ahead = seen_other_ - own_;
    return ahead <= size_ && after(own_, bytes) - own_ <= ahead;
  }
  // What comes after the message of this many bytes, or null if that is not there yet.
  const char* to_read_after(std::uint64_t bytes) {
    const std::uint64_t next = after(own_, bytes);
    if (next == seen_other_) seen_other_ = ring_->written.load(std::memory_order_acquire);
    return next != seen_other_ ? memory_ + (next & (size_ - 1)) : nullptr;
  }
  void consume(std::uint64_t bytes) {
    own_ = after(own_, bytes);
    ring_->read.store(own_, std::memory_order_release);
    for (unsigned line = 0; line < 3; ++line) __builtin_prefetch(to_read() + line * 64);
  }

  // Whether there is something to read, or will be in a moment. How long that is follows from what
  // came of it: the other side may be waiting for a processor, though it should not.
  bool await_briefly() {
    if (crowded_) return !empty();
    for (unsigned n = 0; n < spins_; ++n) {
      if (!empty()) {
        spins_ = most_spins;
        return true;
      }
      _mm_pause();
    }
    spins_ = spins_ / 2 > least_spins ? spins_ / 2 : least_spins;
    return false;
  }
  // Returns when there is something to read, or, soon after the limit, when there is not.
  void await(const timespec* limit) {
    if (await_briefly()) return;
    const std::uint32_t seen = ring_->signal.load(std::memory_order_relaxed);
    ring_->sleeping.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (empty()) futex(ring_->signal, FUTEX_WAIT, seen, limit);
    ring_->sleeping.store(0, std::memory_order_relaxed);
  }

 private:
  // About ten microseconds, at 40 to 140 cycles for each pause: some runs of a small program, and
  // about what it costs to sleep and to be woken. Chosen by that, not measured.
  static constexpr unsigned most_spins = 500, least_spins = 4;
  // Messages until the other side is woken. A wake-up costs more than a short run: with this many
  // runs for each, it is a small part. Chosen, not measured.
  static constexpr unsigned most_quiet = 16;

  std::uint64_t after(std::uint64_t position, std::uint64_t bytes) const {
    const std::uint64_t next = position + bytes;
    return (next & (size_ - 1)) < window_of(size_) ? next : (next | (size_ - 1)) + 1;
  }
  Ring* ring_ = nullptr;
  char* memory_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t own_ = 0;         // its position: written, or read
  std::uint64_t seen_other_ = 0;  // the last known position of the other side: to look again is
                                  // slow
  bool crowded_ = false;
  unsigned spins_ = most_spins;
  unsigned quiet_ = 0;  // messages written, for which the other side was not woken
};

}  // namespace heddle::abi
