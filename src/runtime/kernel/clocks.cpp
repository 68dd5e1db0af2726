#include "runtime/kernel/clocks.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/run_table.hpp"
#include "runtime/kernel/stop.hpp"
#include "runtime/kernel/stretches.hpp"
#include "runtime/sys/check.hpp"
#include "runtime/sys/mapping.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;

// Clocks of a run, one for each place that something is released at: as many as a run can have
// steps, so that a program which releases somewhere else in each step still fits. Memory is used
// only as far as clocks are. A run with more is not supported.
constexpr std::uint32_t max_syncs = 1 << 18;
static_assert(max_syncs >= abi::max_steps);

// What was released at a place.
struct Released {
  std::uint32_t clock;  // its number + 1; 0: nothing
  // Which threads head the release sequences that continue there: a single one, by its number + 1,
  // that heads all of them; or, if that is 0, those in a list, by the number + 1 of its first
  // element.
  std::uint32_t only_head, heads;
};

// For atomic memory, an entry covers eight bytes, with a part for each half, as wide accesses
// synchronise with narrow ones; the first part stands for both until one half is written by itself.
// Accesses of less than four bytes, and objects such as locks, have entries of their own, of one
// part.
struct Sync {
  std::uint64_t key;
  Released parts[2];
  bool apart;
};

// A thread that released at a place, and what it released: its own stores continue the release
// sequences that it heads, and end those of other threads. Only by the rules before C++20.
struct Head {
  std::uint32_t thread;       // its number + 1; 0: the sequences have ended
  std::uint32_t clock, next;  // numbers + 1
};

// Of a run, but for where the lists are.
struct Clocks {
  RunTable<Sync> table;
  Clock* list;  // those of places
  Head* heads;
  std::uint32_t count, head_count;
  ThreadClock threads[abi::max_threads];
};
constinit Clocks clocks{};

bool acquires(Ordering o) {
  return o == Ordering::acquire || o == Ordering::acquire_release || o == Ordering::sequential;
}
bool releases(Ordering o) {
  return o == Ordering::release || o == Ordering::acquire_release || o == Ordering::sequential;
}

constexpr std::uint64_t of_objects = std::uint64_t{1} << 62, of_narrow = std::uint64_t{1} << 61;
static_assert(of_narrow >> object_bits != 0 && abi::address_bits <= object_bits);

std::uint64_t object_key(const void* object) {
  const auto name = reinterpret_cast<std::uint64_t>(object);
  HEDDLE_RUNTIME_CHECK(name >> object_bits == 0);
  return of_objects | name;
}

// Calls visit(key, first half, last half) for each entry of an atomic access.
template <typename Visit>
void for_parts(const void* address, std::uint64_t size, Visit visit) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  if (size < 4) return visit(of_narrow | at, 0U, 1U);
  for (std::uint64_t k = at / 8; k <= (at + size - 1) / 8; ++k)
    visit(k, at > k * 8 ? 1U : 0U, at + size > k * 8 + 4 ? 1U : 0U);
}

std::uint32_t make_clock() {
  if (clocks.count == max_syncs) unsupported("a run that synchronises through too many objects");
  clocks.list[clocks.count].clear();
  return ++clocks.count;
}

Clock& clock_at(Released& r) {
  if (r.clock == 0) r.clock = make_clock();
  return clocks.list[r.clock - 1];
}

// What this thread has released in the sequences that continue at this place, as the list has it.
const Head* find_head(const Released& r, unsigned thread) {
  std::uint32_t k = r.heads;
  while (k != 0 && clocks.heads[k - 1].thread != thread + 1) k = clocks.heads[k - 1].next;
  return k == 0 ? nullptr : &clocks.heads[k - 1];
}

// The same, begun if there is none.
Clock& head_at(Released& r, unsigned thread) {
  if (const Head* known = find_head(r, thread)) return clocks.list[known->clock - 1];
  std::uint32_t* next = &r.heads;
  while (*next != 0 && clocks.heads[*next - 1].thread != 0) next = &clocks.heads[*next - 1].next;
  if (*next == 0) {
    if (clocks.head_count == max_syncs)
      unsupported("a run that synchronises through too many objects");
    clocks.heads[clocks.head_count] = {0, make_clock(), 0};
    *next = ++clocks.head_count;
  }
  Head& h = clocks.heads[*next - 1];
  h.thread = thread + 1;
  clocks.list[h.clock - 1].clear();
  return clocks.list[h.clock - 1];
}

void end_sequences(Released& r) {
  r.only_head = 0;
  for (std::uint32_t k = r.heads; k != 0; k = clocks.heads[k - 1].next)
    clocks.heads[k - 1].thread = 0;
}

// More is about to be released there than its only head has released.
void list_heads(Released& r) {
  if (r.only_head == 0) return;
  head_at(r, r.only_head - 1).assign(clock_at(r));
  r.only_head = 0;
}

// A store begins a release sequence of its own, or none; an update continues those that exist.
void write_part(Released& r, const Clock& what, bool continues) {
  if (!continues) {
    end_sequences(r);
    if (what.size != 0 || r.clock != 0) clock_at(r).assign(what);
  } else if (what.size != 0) {
    list_heads(r);
    clock_at(r).join(what);
  }
}

// The same, where stores continue the thread's own sequences. (All that a head has released is part
// of what is released.)
void write_part(Released& r, const Clock& what, bool continues, unsigned thread) {
  if (continues && what.size == 0) return;
  if (r.only_head == thread + 1) return clock_at(r).join(what);
  if (continues) {
    list_heads(r);
    head_at(r, thread).join(what);
    return clock_at(r).join(what);
  }
  const Head* own = find_head(r, thread);
  if (own == nullptr && what.size == 0 && r.clock == 0) return;
  if (own != nullptr) {
    clock_at(r).assign(clocks.list[own->clock - 1]);
    clock_at(r).join(what);
  } else {
    clock_at(r).assign(what);
  }
  end_sequences(r);
  r.only_head = thread + 1;
}

// One half is about to be written by itself.
void take_apart(Sync& sync) {
  sync.apart = true;
  const Released& from = sync.parts[0];
  Released& to = sync.parts[1];
  if (from.clock != 0) clock_at(to).assign(clocks.list[from.clock - 1]);
  to.only_head = from.only_head;
  for (std::uint32_t k = from.heads; k != 0; k = clocks.heads[k - 1].next)
    if (clocks.heads[k - 1].thread != 0)
      head_at(to, clocks.heads[k - 1].thread - 1)
          .assign(clocks.list[clocks.heads[k - 1].clock - 1]);
}

void join_released(const void* address, std::uint64_t size, Clock& into) {
  for_parts(address, size, [&](std::uint64_t key, unsigned first, unsigned last) {
    const Sync* sync = clocks.table.find(key);
    if (sync == nullptr) return;
    if (!sync->apart) first = last = 0;
    for (unsigned half = first; half <= last; ++half)
      if (const std::uint32_t clock = sync->parts[half].clock; clock != 0)
        into.join(clocks.list[clock - 1]);
  });
}

// --- what acts call clocks

// A thread, and its fences; an object, by its key; a half of an entry of atomic memory, or a whole
// narrow one, by its address; and what one thread has released there in the sequences that
// continue. (Whether an entry is apart, or has a single head, depends on the run so far: acts do
// not.)
using abi::knowing_threads;
static_assert(abi::max_threads < 1 << 8 && knowing_threads >> (abi::address_bits + 8) != 0 &&
              knowing_threads < of_narrow && of_narrow < of_objects);

Knower name_of(unsigned thread) { return knowing_threads | thread; }
Knower release_fence_of(unsigned thread) { return knowing_threads | 1U << 8 | thread; }
Knower acquire_fence_of(unsigned thread) { return knowing_threads | 2U << 8 | thread; }
Knower head_of(Knower place, unsigned thread) {
  return place | std::uint64_t{thread + 1} << abi::address_bits;
}

template <typename Visit>
void for_places(const void* address, std::uint64_t size, Visit visit) {
  for_parts(address, size, [&](std::uint64_t key, unsigned first, unsigned last) {
    if ((key & of_narrow) != 0) return visit(key);
    for (unsigned half = first; half <= last; ++half) visit(key * 8 + half * 4);
  });
}

void tell_read(unsigned thread, const void* address, std::uint64_t size, Ordering ordering) {
  const Knower reader = acquires(ordering) ? name_of(thread) : acquire_fence_of(thread);
  for_places(address, size, [&](Knower place) { tell_add(reader, place); });
}

// See write_part.
void tell_write(unsigned thread, const void* address, std::uint64_t size, Ordering ordering,
                bool continues, bool own_continue) {
  const Knower what = releases(ordering) ? name_of(thread) : release_fence_of(thread);
  for_places(address, size, [&](Knower place) {
    if (own_continue) tell_add(head_of(place, thread), what);
    if (continues) return tell_add(place, what);
    tell_replace(place, own_continue ? head_of(place, thread) : what);
    for_threads([&](const Fiber& f) {
      if (!own_continue || f.id != thread) tell_forget(head_of(place, f.id));
    });
  });
}

void tick(unsigned thread) { ++clocks.threads[thread].now.ticks[thread]; }

}  // namespace

const ThreadClock& clock_of(unsigned thread) { return clocks.threads[thread]; }
std::uint64_t& time_of(unsigned thread) { return clocks.threads[thread].now.time; }

void set_up_clocks() {
  clocks.table.set_up(1 << 12);
  clocks.list = static_cast<Clock*>(map_anywhere(max_syncs * sizeof(Clock)));
  clocks.heads = static_cast<Head*>(map_anywhere(max_syncs * sizeof(Head)));
}

void clear_clocks() {
  clocks.table.clear();
  clocks.count = clocks.head_count = 0;
  clocks.threads[0].now.clear();
  clocks.threads[0].now.time = clock_at_start;
  start_clock(0, 0);
}

void save_clocks(Savepoint& into) {
  clocks.table.save(into);
  for (std::uint32_t k = 0; k < clocks.count; ++k) clocks.list[k].save(into);
  into.keep(clocks.count);
  into.keep(clocks.heads, clocks.head_count * sizeof clocks.heads[0]);
  into.keep(clocks.head_count);
  into.undo(
      [](void*, std::uint64_t) {
        for_threads([](const Fiber& f) { clocks.threads[f.id].clear_fences(); });
      },
      nullptr, 0);
  for_threads([&](const Fiber& f) {
    ThreadClock& c = clocks.threads[f.id];
    c.now.save(into);
    if (c.released.size != 0) c.released.save(into);
    if (c.to_acquire.size != 0) c.to_acquire.save(into);
  });
}

// By names that are unique among clocks, and the same in all runs.
void digest_times(StateHash& into) {
  enum : std::uint64_t { of_thread, of_release_fence, of_acquire_fence, of_place };
  const auto add = [&](const Clock& c, std::uint64_t kind, std::uint64_t key, std::uint64_t head) {
    if (c.time > clock_at_start) into.add_words(StateHash::Of::time, kind, key, head, c.time);
  };
  for_threads([&](const Fiber& f) {
    const ThreadClock& c = clocks.threads[f.id];
    add(c.now, of_thread, f.id, 0);
    add(c.released, of_release_fence, f.id, 0);
    add(c.to_acquire, of_acquire_fence, f.id, 0);
  });
  clocks.table.for_all([&](const Sync& sync) {
    for (unsigned half = 0; half < 2; ++half) {
      const Released& r = sync.parts[sync.apart ? half : 0];
      const std::uint64_t kind = of_place + half;
      if (r.clock != 0) add(clocks.list[r.clock - 1], kind, sync.key, r.only_head);
      for (std::uint32_t k = r.heads; k != 0; k = clocks.heads[k - 1].next)
        if (const Head& h = clocks.heads[k - 1]; h.thread != 0)
          add(clocks.list[h.clock - 1], kind + 2, sync.key, h.thread);
    }
  });
}

void start_clock(unsigned child, unsigned parent) {
  HEDDLE_RUNTIME_CHECK(child < abi::max_threads && parent < abi::max_threads);
  ThreadClock& c = clocks.threads[child];
  if (child != parent) {
    if (is_telling()) tell_replace(name_of(child), name_of(parent));
    c.now.assign(clocks.threads[parent].now);
    tick(parent);
  }
  c.now.grow(child + 1);
  c.now.ticks[child] = 1;
  c.clear_fences();
}

void acquire(unsigned thread, const void* object) {
  if (is_telling()) tell_add(name_of(thread), object_key(object));
  if (const Sync* s = clocks.table.find(object_key(object)); s != nullptr && s->parts[0].clock != 0)
    clocks.threads[thread].now.join(clocks.list[s->parts[0].clock - 1]);
}

void release(unsigned thread, const void* object) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  if (is_telling()) tell_add(object_key(object), name_of(thread));
  clock_at(clocks.table.at(object_key(object)).parts[0]).join(clocks.threads[thread].now);
  tick(thread);
}

void join_thread(unsigned thread, unsigned ended) {
  if (is_telling()) tell_add(name_of(thread), name_of(ended));
  clocks.threads[thread].now.join(clocks.threads[ended].now);
}

void released_at(const void* address, std::uint64_t size, Clock& into) {
  into.clear();
  join_released(address, size, into);
}

void order_read(unsigned thread, const void* address, std::uint64_t size, Ordering ordering) {
  if (is_telling()) tell_read(thread, address, size, ordering);
  ThreadClock& t = clocks.threads[thread];
  join_released(address, size, acquires(ordering) ? t.now : t.to_acquire);
}

void order_write(unsigned thread, const void* address, std::uint64_t size, Ordering ordering,
                 bool continues, bool own_continue) {
  HEDDLE_RUNTIME_CHECK(!is_trying());
  if (is_telling()) tell_write(thread, address, size, ordering, continues, own_continue);
  ThreadClock& t = clocks.threads[thread];
  const Clock& what = releases(ordering) ? t.now : t.released;
  for_parts(address, size, [&](std::uint64_t key, unsigned first, unsigned last) {
    Sync& sync = clocks.table.at(key);
    if (!sync.apart && first == last) take_apart(sync);
    if (!sync.apart) last = 0;
    for (unsigned half = first; half <= last; ++half)
      own_continue ? write_part(sync.parts[half], what, continues, thread)
                   : write_part(sync.parts[half], what, continues);
  });
  if (releases(ordering)) tick(thread);
}

void order_fence(unsigned thread, Ordering ordering) {
  ThreadClock& t = clocks.threads[thread];
  if (acquires(ordering)) {
    if (is_telling()) tell_add(name_of(thread), acquire_fence_of(thread));
    t.now.join(t.to_acquire);
  }
  if (!releases(ordering)) return;
  if (is_telling()) tell_replace(release_fence_of(thread), name_of(thread));
  t.released.assign(t.now);
  tick(thread);
}

}  // namespace heddle::runtime
