#include "runtime/kernel/savepoint.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/kernel/state_hash.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {

namespace {

// For all savepoints together: 256 KB for each of max_count, where a small program has less. A
// state that does not fit is not saved. Chosen, not measured.
constexpr std::uint64_t memory_size = 8 << 20;
constexpr std::uint32_t never = ~0U;
// Saving this number of bytes takes about as long as running one event: an event takes a tenth or
// two of a microsecond, and so does copying this much within the caches.
constexpr std::uint64_t bytes_per_event = 4096;

struct Kept {
  void* memory;
  std::uint64_t size;
};

// Most of what is kept is a single variable.
void copy(void* to, const void* from, std::uint64_t size) {
  if (size == 8)
    std::memcpy(to, from, 8);
  else if (size == 4)
    std::memcpy(to, from, 4);
  else if (size == 1)
    std::memcpy(to, from, 1);
  else
    std::memcpy(to, from, size);
}

std::uint64_t rounded(std::uint64_t size) { return (size + 15) & ~std::uint64_t{15}; }

struct Schedule {
  const abi::WireMove* moves;
  std::uint32_t known;  // moves whose events the engine knows
};

Schedule schedule_of(const abi::RequestHeader& request) {
  const bool plain = request.then != abi::Then::explain;
  return {reinterpret_cast<const abi::WireMove*>(&request + 1),
          plain ? std::min(request.known_count, request.move_count) : 0};
}

std::uint32_t common(const abi::WireMove* a, const abi::WireMove* b, std::uint32_t length) {
  std::uint32_t k = 0;
  while (k < length && a[k].thread == b[k].thread && a[k].alternative == b[k].alternative) ++k;
  return k;
}

}  // namespace

class Savepoints {
 public:
  void drop() {
    HEDDLE_RUNTIME_CHECK(!undoing_);
    count_ = 0;
  }

  bool rewind(const Schedule& s) {
    HEDDLE_RUNTIME_CHECK(!undoing_);
    if (count_ == 0) return false;
    const std::uint32_t shared = common(s.moves, path_, std::min(s.known, top().depth_));
    while (count_ > 0 && top().depth_ > shared) --count_;
    if (count_ == 0) return false;
    put_back(top());
    return true;
  }

  std::uint32_t next(const Schedule& now, const Schedule& then) const {
    const std::uint32_t parting = common(now.moves, then.moves, std::min(now.known, then.known));
    return count_ < max_count && is_worthwhile(parting - std::min(parting, depth())) ? parting
                                                                                     : never;
  }

  void make(std::uint32_t depth, const abi::WireMove* moves, SaveState save) {
    HEDDLE_RUNTIME_CHECK(!undoing_ && count_ < max_count);
    HEDDLE_RUNTIME_CHECK(depth > this->depth() && depth <= abi::max_steps);
    if (memory_ == nullptr) set_up();
    Savepoint& s = list_[count_];
    s.depth_ = depth;
    if (!fill(s, save)) return;
    last_size_ = static_cast<std::uint64_t>(s.end_ - s.begin_);
    const std::uint32_t from = this->depth();
    std::memcpy(path_ + from, moves + from, (depth - from) * sizeof *moves);
    ++count_;
  }

  bool do_and_undo(SaveState save, void (*what)()) {
    HEDDLE_RUNTIME_CHECK(!undoing_);
    if (memory_ == nullptr) set_up();
    if (!fill(passing_, save)) return false;
    undoing_ = true;
    what();
    put_back(passing_);
    undoing_ = false;
    return true;
  }

  char* end() const { return memory_ + memory_size; }
  // The one that a SaveState fills now, or null.
  const Savepoint* filling() const { return filling_; }

 private:
  // Beyond that, runs are not saved. Chosen: where each savepoint is shared by at least two runs,
  // this many on one path are for more runs than will ever be made.
  static constexpr unsigned max_count = 32;

  // After what the others keep. False if not all of the state can be kept.
  bool fill(Savepoint& s, SaveState save) {
    s.complete_ = true;
    s.undo_count_ = 0;
    s.begin_ = s.end_ = count_ == 0 ? memory_ : top().end_;
    filling_ = &s;
    const bool saved = save(s);
    filling_ = nullptr;
    return saved && s.complete_;
  }

  Savepoint& top() { return list_[count_ - 1]; }
  std::uint32_t depth() const { return count_ == 0 ? 0 : list_[count_ - 1].depth_; }

  bool is_worthwhile(std::uint64_t gain) const {
    const bool always = settings().savepoints == abi::Savepoints::always;
    return gain != 0 && (always || gain * bytes_per_event > last_size_);
  }

  void set_up() {
    memory_ = static_cast<char*>(map_anywhere(memory_size));
    path_ = static_cast<abi::WireMove*>(map_anywhere((abi::max_steps + 1) * sizeof(abi::WireMove)));
  }

  static void put_back(const Savepoint& s) {
    for (unsigned k = 0; k < s.undo_count_; ++k)
      s.undos_[k].function(s.undos_[k].object, s.undos_[k].number);
    const char* at = s.begin_;
    while (at < s.end_) {
      Kept kept;
      std::memcpy(&kept, at, sizeof kept);
      copy(kept.memory, at + sizeof kept, kept.size);
      at += sizeof kept + rounded(kept.size);
    }
    HEDDLE_RUNTIME_CHECK(at == s.end_);
  }

  Savepoint list_[max_count];
  Savepoint passing_;  // of do_and_undo
  unsigned count_ = 0;
  const Savepoint* filling_ = nullptr;
  bool undoing_ = false;  // do_and_undo is in progress
  char* memory_ = nullptr;
  abi::WireMove* path_ = nullptr;  // up to the last savepoint
  std::uint64_t last_size_ = 0;
};

namespace {
Savepoints savepoints;
}

void Savepoint::keep(void* memory, std::uint64_t size) {
  if (hash_ != nullptr) return hash_->add(memory, size);
  HEDDLE_RUNTIME_CHECK(savepoints.filling() == this);
  if (size == 0) return;
  HEDDLE_RUNTIME_CHECK(memory != nullptr);
  const Kept kept{memory, size};
  complete_ = complete_ &&
              sizeof kept + rounded(size) <= static_cast<std::uint64_t>(savepoints.end() - end_);
  if (!complete_) return;
  std::memcpy(end_, &kept, sizeof kept);
  copy(end_ + sizeof kept, memory, size);
  end_ += sizeof kept + rounded(size);
}

void Savepoint::undo(Undo function, void* object, std::uint64_t number) {
  if (hash_ != nullptr) return;
  HEDDLE_RUNTIME_CHECK(savepoints.filling() == this && undo_count_ < max_undos);
  undos_[undo_count_++] = {function, object, number};
}

void drop_savepoints() { savepoints.drop(); }

bool rewind_for_request() { return savepoints.rewind(schedule_of(request())); }

std::uint32_t next_savepoint() {
  const abi::RequestHeader* following = following_request();
  const bool wanted = settings().fork_each == 0 && settings().savepoints != abi::Savepoints::never;
  if (following == nullptr || !wanted) return never;
  return savepoints.next(schedule_of(request()), schedule_of(*following));
}

bool do_and_undo(SaveState save, void (*what)()) { return savepoints.do_and_undo(save, what); }

void make_savepoint(SaveState save) { savepoints.make(reply().event_count, moves(), save); }

}  // namespace heddle::runtime
