#include "runtime/kernel/operations.hpp"

#include <cstring>
#include <type_traits>

#include "model/access.hpp"
#include "runtime/abi/layout.h"
#include "runtime/kernel/condition.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/granules.hpp"
#include "runtime/kernel/mailboxes.hpp"
#include "runtime/kernel/modules.hpp"
#include "runtime/kernel/objects.hpp"
#include "runtime/kernel/recorder.hpp"
#include "runtime/kernel/value.hpp"
#include "runtime/kernel/visible.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

template <typename T>
const T& state_of(const Op& op) {
  return *static_cast<const T*>(op.object);
}

// What operations wait for: whether that is so for a thread; as a set, the threads that block it,
// where they are known; and what blocks it, in words.
struct Nothing {
  static bool is_met(const Op&, unsigned) { return true; }
  static std::uint64_t holders(const Op&) { return 0; }
  static void describe(const Op&, Text&) {}
};

std::uint64_t set_of_owner(std::uint32_t owner) {
  return owner == 0 || owner > abi::max_threads ? 0 : std::uint64_t{1} << (owner - 1);
}

void add_holders(std::uint64_t holders, Text& text) {
  for (const char* before = ", held by"; holders != 0; holders &= holders - 1, before = " and")
    text.add("%s thread %d", before, __builtin_ctzll(holders));
}

struct MutexFree : Nothing {
  static bool is_met(const Op& op, unsigned) { return state_of<Mutex>(op).owner == 0; }
  static std::uint64_t holders(const Op& op) { return set_of_owner(state_of<Mutex>(op).owner); }
  static void describe(const Op& op, Text& text) {
    add_holders(holders(op), text);
    const abi::Site* since = state_of<Mutex>(op).locked_at;
    if (holders(op) != 0 && since != nullptr) text.add(" since %s:%u", since->file, since->line);
  }
};

struct SpinLockFree : Nothing {
  static bool is_met(const Op& op, unsigned) { return state_of<SpinLock>(op).owner == 0; }
  static std::uint64_t holders(const Op& op) { return set_of_owner(state_of<SpinLock>(op).owner); }
  static void describe(const Op& op, Text& text) { add_holders(holders(op), text); }
};
// A thread that waits for a spinlock that was destroyed gets the finding when it continues.
struct SpinLockFreeOrEnded : SpinLockFree {
  static bool is_met(const Op& op, unsigned id) {
    return SpinLockFree::is_met(op, id) || state_of<SpinLock>(op).has_ended();
  }
};

struct OnceFree : Nothing {
  static bool is_met(const Op& op, unsigned) {
    return static_cast<const std::uint8_t*>(op.object)[1] == 0;
  }
};

struct NoWriter : Nothing {
  static bool is_met(const Op& op, unsigned) { return state_of<RwLock>(op).writer == 0; }
  static std::uint64_t holders(const Op& op) { return set_of_owner(state_of<RwLock>(op).writer); }
  static void describe(const Op& op, Text& text) { add_holders(holders(op), text); }
};
struct NoReaderOrWriter : NoWriter {
  static bool is_met(const Op& op, unsigned id) {
    return NoWriter::is_met(op, id) && state_of<RwLock>(op).readers == 0;
  }
  static std::uint64_t holders(const Op& op) {
    std::uint64_t out = NoWriter::holders(op);
    if (op.group != 0) return out;  // which threads pass a gate is not known
    for (unsigned id = 0; id < abi::max_threads; ++id)
      if (state_of<RwLock>(op).held_by(id) != 0) out |= std::uint64_t{1} << id;
    return out;
  }
  static void describe(const Op& op, Text& text) { add_holders(holders(op), text); }
};

struct Woken : Nothing {
  static bool is_met(const Op& op, unsigned id) {
    return condition_at(op.object, op.group).can_wake(id);
  }
};

struct SemaphorePositive : Nothing {
  static bool is_met(const Op& op, unsigned) { return state_of<Semaphore>(op).value > 0; }
};

struct BarrierComplete : Nothing {
  static bool is_met(const Op&, unsigned id) { return fiber(id).generation.complete; }
  static void describe(const Op& op, Text& text) {
    text.add(", where %u more must arrive",
             state_of<Barrier>(op).needed - state_of<Barrier>(op).arrived);
  }
};
struct SerialTold : Nothing {
  static bool is_met(const Op&, unsigned id) {
    return fiber(id).generation.serial != Fiber::Serial::untold;
  }
};

struct MessageFound : Nothing {
  static bool is_met(const Op&, unsigned id) { return mailbox_of(id).found != nullptr; }
};

struct ThreadEnded : Nothing {
  static bool is_met(const Op& op, unsigned) {
    return fiber(static_cast<unsigned>(op.value)).status == Fiber::Status::ended;
  }
  static std::uint64_t holders(const Op& op) { return std::uint64_t{1} << op.value; }
};

// What is not memory, and yet counts as such.
constexpr std::uint64_t beside_memory = std::uint64_t{1} << abi::address_bits;

std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

// What an access has room for.
std::uint32_t narrow(std::uint64_t n) {
  HEDDLE_RUNTIME_CHECK(n <= 0xffffffff);
  return static_cast<std::uint32_t>(n);
}

void add(const void* object, Mode mode) { add_access(address_of(object), mode); }

void add_range(const void* from, std::uint64_t size, Mode mode) {
  for_granules(from, size, [&](std::uint64_t granule, std::uint8_t mask) {
    add_access(granule << abi::mask_bits | mask, mode);
  });
}

// Only the visible part: the rest may be large, and concerns no other thread.
void add_plain(const Op& op, Mode mode) {
  for_granules(op.object, op.size, [&](std::uint64_t granule, std::uint8_t mask) {
    const auto first = static_cast<unsigned>(__builtin_ctz(mask));
    const auto size = static_cast<unsigned>(__builtin_popcount(mask));
    if (is_visible(reinterpret_cast<const void*>(granule * granule_size + first), size))
      add_access(granule << abi::mask_bits | mask, mode);
  });
}

// Records what a step that writes finds, for compare-exchanges that might come in its place. Memory
// that the run has mapped may be unmapped by now: the thread itself is to fault, not the thread
// that records its step.
void tell_found(const Op& op) {
  constexpr std::uint64_t mappings = abi::mappings_size * (abi::max_threads + 1);
  if (!has_compares() || op.size > sizeof op.value ||
      address_of(op.object) - abi::mappings_begin < mappings)
    return;
  set_value(value_at(op.object, op.size));
}

// What each operation records: the functions that the rows of operations.def name.
struct Modes {
  Mode usual, otherwise;
};

void record_nothing(const Op&, unsigned, Modes) {}

void record_load(const Op& op, unsigned, Modes modes) {
  op.plain ? add_plain(op, modes.usual) : add_range(op.object, op.size, modes.usual);
}

void record_store(const Op& op, unsigned, Modes modes) {
  const Mode mode = op.ordered ? modes.otherwise : modes.usual;
  if (op.plain) return add_plain(op, mode);
  add_range(op.object, op.size, mode);
  tell_found(op);
}

void record_update(const Op& op, unsigned, Modes modes) {
  add_range(op.object, op.size, modes.usual);
  tell_found(op);
}

void record_compare_exchange(const Op& op, unsigned, Modes modes) {
  add_range(op.object, op.size, exchanges(op) ? modes.usual : modes.otherwise);
  if (op.size <= sizeof op.value) set_value(op.value);
}

// What a free takes away from threads that would see it: the part of the block whose accesses are
// events.
void record_free(const Op& op, unsigned, Modes modes) {
  for_visible(op.object, op.size, [&](std::uint64_t memory) { add_access(memory, modes.usual); });
}

void record_object(const Op& op, unsigned, Modes modes) { add(op.object, modes.usual); }

template <typename Condition>
void record_attempt(const Op& op, unsigned id, Modes modes) {
  add(op.object, Condition::is_met(op, id) ? modes.usual : modes.otherwise);
}

void record_wait(const Op& op, unsigned, Modes modes) {
  if (op.second != nullptr) add(op.second, Mode::unlock);
  add_access(incarnation_key(op.object, op.group), modes.usual);
}

void record_futex_wait(const Op& op, unsigned, Modes modes) {
  add_range(op.object, op.size, Mode::read);
  if (value_at(op.object, op.size) == op.value)
    add_access(incarnation_key(op.object, op.group), modes.usual);
}

void record_signal(const Op& op, unsigned, Modes modes) {
  add_access(incarnation_key(op.object, op.group), modes.usual,
             condition_at(op.object, op.group).next_number(), narrow(op.value));
  // A thread that learns how many it has woken sees whether other threads woke them before.
  if (op.size != 0) add_range(static_cast<char*>(op.object) + beside_memory, 1, Mode::update);
}

void record_wake(const Op& op, unsigned id, Modes modes) {
  const Condition::Wake wake = condition_at(op.object, op.group).next_wake(id);
  add_access(incarnation_key(op.object, op.group), wake.for_all ? modes.otherwise : modes.usual,
             wake.number, wake.since);
}

void add_semaphore(const Op& op, Mode mode, Mode of_value) {
  const Semaphore& s = state_of<Semaphore>(op);
  add_access(incarnation_key(op.object, s.incarnation), mode, s.initial);
  if (settings().semaphore_values != 0) add_range(&s.value, sizeof s.value, of_value);
}

void record_semaphore(const Op& op, unsigned, Modes modes) {
  add_semaphore(op, modes.usual, Mode::update);
}

void record_semaphore_attempt(const Op& op, unsigned id, Modes modes) {
  SemaphorePositive::is_met(op, id) ? add_semaphore(op, modes.usual, Mode::update)
                                    : add_semaphore(op, modes.otherwise, Mode::read);
}

void record_arrive(const Op& op, unsigned, Modes modes) {
  const Barrier& b = state_of<Barrier>(op);
  add_access(incarnation_key(op.object, b.incarnation), modes.usual, b.generation, b.needed);
}

// By then, another barrier may be in its place: the operation knows which one the thread was at.
void record_leave(const Op& op, unsigned, Modes modes) {
  add_access(incarnation_key(op.object, narrow(op.size)), modes.usual, narrow(op.value));
}

// As at a barrier for each generation, which a single arrival completes.
void record_serial(const Op& op, unsigned, Modes modes) {
  const void* told = static_cast<const char*>(op.object) + 1;
  // Told apart as well as 32 bits allow, by generation and incarnation.
  add_access(incarnation_key(told, narrow(op.value)), modes.usual,
             static_cast<std::uint32_t>(op.value ^ op.size << 24), 1);
}

void record_send(const Op& op, unsigned, Modes modes) {
  const abi::Message& m = state_of<abi::Message>(op);
  add_access(op.value, modes.usual, m.number, m.pattern);
}

void record_receive(const Op&, unsigned id, Modes modes) {
  const Mailbox& box = mailbox_of(id);
  add_access(id, modes.usual, box.found == nullptr ? abi::no_message : box.found->number,
             box.pattern_name);
}

void record_try_receive(const Op& op, unsigned id, Modes modes) {
  const bool found = mailbox_of(id).found != nullptr;
  record_receive(op, id, {found ? modes.usual : modes.otherwise, modes.otherwise});
}

void record_thread(const Op& op, unsigned, Modes modes) {
  HEDDLE_RUNTIME_CHECK(op.value < abi::max_threads);
  add_access(op.value, modes.usual, narrow(op.value));
}

void record_exit(const Op&, unsigned, Modes modes) {
  for (std::uint32_t k = 0; k < settings().visible_count; ++k)
    if (settings().visible[k] != abi::at_exit) add_access(settings().visible[k], modes.usual);
}

void record_block(const Op&, unsigned, Modes) {
  set_varies(settings().block_choices != 0 ? Varies::choices : Varies::anything);
}

// See abi::Needs. Before an object is initialised or after it is destroyed, the step may do
// something else, or block.
[[gnu::noinline]] void record_needs(const Op& op, abi::Needs needs) {
  if (op.told) return;
  const auto use = [](const void* used) {
    if (used == nullptr) return;
    for_visible(used, 1, [](std::uint64_t memory) {
      add_access(memory, Mode::read);
      set_varies(Varies::anything);
    });
  };
  use(op.second);
  if (needs == abi::Needs::object) use(op.object);
}

template <OpKind kind, void (*records)(const Op&, unsigned, Modes)>
[[gnu::always_inline]] inline void record(const Op& op, unsigned id) {
  constexpr abi::Operation row = abi::row_of(kind);
  if (row.varies != Varies::no) set_varies(row.varies);
  records(op, id, {row.mode, row.otherwise});
  if (row.needs != abi::Needs::nothing && any_visible()) record_needs(op, row.needs);
}

// Calls visit with the condition that this operation waits for.
template <typename Visit>
[[gnu::always_inline]] inline auto with_condition(OpKind of, Visit visit) {
  switch (of) {
#define OPERATION(kind, mode, otherwise, varies, role, needs, awaits, ...)                  \
  case OpKind::kind:                                                                        \
    static_assert(std::is_same_v<awaits, Nothing> != abi::row_of(OpKind::kind).can_block(), \
                  "what can block has words for that");                                     \
    return visit(awaits{});
#include "runtime/abi/operations.def"
#undef OPERATION
  }
  __builtin_unreachable();
}

}  // namespace

void record_range(const void* from, std::uint64_t size, bool writes) {
  add_range(from, size, writes ? Mode::write_in_block : Mode::read);
}

void record_time_out() { add_access(0, Mode::time_out); }

void record_joined(std::uint64_t threads) {
  for (; threads != 0; threads &= threads - 1) {
    const auto id = static_cast<std::uint32_t>(__builtin_ctzll(threads));
    add_access(id, Mode::joined, id);
  }
}

void record_accesses(const Op& op, unsigned id) {
  switch (op.kind) {
#define OPERATION(kind, mode, otherwise, varies, role, needs, awaits, records, ...) \
  case OpKind::kind:                                                                \
    return record<OpKind::kind, records>(op, id);
#include "runtime/abi/operations.def"
#undef OPERATION
  }
}

bool exchanges(const Op& op) {
  return op.size <= sizeof op.value ? value_at(op.object, op.size) == op.value
                                    : std::memcmp(op.object, op.second, op.size) == 0;
}

bool is_enabled(const Op& op, unsigned id) {
  return with_condition(op.kind, [&](auto condition) { return condition.is_met(op, id); });
}

std::uint64_t held_up_by(const Op& op) {
  return with_condition(op.kind, [&](auto condition) { return condition.holders(op); });
}

void describe(const Op& op, const abi::Site* at, Text& text) {
  const abi::Operation& row = abi::row_of(op.kind);
  const char* words = row.can_block() ? row.blocked : "waiting for its turn";
  const char* object = std::strstr(words, "{}");
  if (object == nullptr)
    text.add("%s", words);
  else if (row.role == abi::Role::thread)
    text.add("%.*s%lu%s", static_cast<int>(object - words), words, op.value, object + 2);
  else
    text.add("%.*s{%#lx}%s", static_cast<int>(object - words), words, address_of(op.object),
             object + 2);
  if (at != nullptr) text.add(" at %s:%u", at->file, at->line);
  with_condition(op.kind, [&](auto condition) { condition.describe(op, text); });
}

void describe_of(const Fiber& f, Text& text) {
  describe(f.pending, f.site, text);
  if (f.pending.kind == OpKind::receive) describe_messages(f.id, text);
}

}  // namespace heddle::runtime
