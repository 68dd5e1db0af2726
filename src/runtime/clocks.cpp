#include "runtime/clocks.hpp"

#include "runtime/run_table.hpp"
#include "runtime/scheduler.hpp"

namespace heddle::runtime {
namespace {

using abi::Ordering;

constexpr std::uint32_t max_syncs = 1 << 18;

// What was released at a place. Of atomic memory, an entry is for eight bytes, with a clock for
// each half, as wide accesses synchronise with narrow ones; those of less than four bytes, and
// objects such as locks, have entries of their own.
struct Sync {
  std::uint64_t key;
  std::uint32_t clocks[2];  // their numbers + 1; 0: nothing was released there
  std::uint32_t heads[2];   // likewise, of a list
};

// Who released at a place, and what: stores of his own continue the release sequences that he
// heads, and end those of others. Only by the rules before C++20.
struct Head {
  std::uint32_t thread;
  std::uint32_t clock, next;  // numbers + 1
};

ThreadClock threads[abi::max_threads];
RunTable<Sync> table;
Clock* clocks;
std::uint32_t clock_count;
Head* heads;
std::uint32_t head_count;

bool acquires(Ordering o) {
  return o == Ordering::acquire || o == Ordering::acquire_release || o == Ordering::sequential;
}
bool releases(Ordering o) {
  return o == Ordering::release || o == Ordering::acquire_release || o == Ordering::sequential;
}

constexpr std::uint64_t of_objects = std::uint64_t{1} << 62, of_narrow = std::uint64_t{1} << 61;

std::uint64_t object_key(const void* object) {
  return of_objects | reinterpret_cast<std::uint64_t>(object);
}

// Calls visit(key, first half, last half) for the entries of an atomic access.
template <typename Visit>
void for_parts(const void* address, std::uint64_t size, Visit visit) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  if (size < 4) return visit(of_narrow | at, 0U, 0U);
  for (std::uint64_t k = at / 8; k <= (at + size - 1) / 8; ++k)
    visit(k, at > k * 8 ? 1U : 0U, at + size > k * 8 + 4 ? 1U : 0U);
}

std::uint32_t make_clock() {
  if (clock_count == max_syncs) unsupported("a run that synchronises through too many objects");
  clocks[clock_count].clear();
  return ++clock_count;
}

Clock& clock_at(Sync& sync, unsigned half) {
  if (sync.clocks[half] == 0) sync.clocks[half] = make_clock();
  return clocks[sync.clocks[half] - 1];
}

// What this thread has released in the sequences that go on at this place.
Clock& head_at(Sync& sync, unsigned half, unsigned thread) {
  std::uint32_t* next = &sync.heads[half];
  while (*next != 0 && heads[*next - 1].thread != thread) next = &heads[*next - 1].next;
  if (*next == 0) {
    if (head_count == max_syncs) unsupported("a run that synchronises through too many objects");
    heads[head_count] = {thread, make_clock(), 0};
    *next = ++head_count;
  }
  return clocks[heads[*next - 1].clock - 1];
}

void end_sequences(const Sync& sync, unsigned half, const Clock* but) {
  for (std::uint32_t k = sync.heads[half]; k != 0; k = heads[k - 1].next)
    if (Clock& c = clocks[heads[k - 1].clock - 1]; &c != but) c.clear();
}

// A store begins a release sequence of its own, or none; an update continues what there is.
void write_half(Sync& sync, unsigned half, const Clock& what, bool continues) {
  if (what.size == 0 && sync.clocks[half] == 0) return;
  Clock& released = clock_at(sync, half);
  if (continues)
    released.join(what);
  else
    released.assign(what);
}

// The same, where stores continue the thread's own sequences.
void write_half(Sync& sync, unsigned half, const Clock& what, bool continues, unsigned thread) {
  if (what.size == 0 && sync.heads[half] == 0) return write_half(sync, half, what, continues);
  Clock& own = head_at(sync, half, thread);
  own.join(what);
  if (!continues) end_sequences(sync, half, &own);
  write_half(sync, half, own, continues);
}

void tick(unsigned thread) { ++threads[thread].now.ticks[thread]; }

}  // namespace

ThreadClock& clock_of(unsigned thread) { return threads[thread]; }

void set_up_clocks() {
  table.set_up(1 << 12);
  clocks = static_cast<Clock*>(map_anywhere(max_syncs * sizeof(Clock)));
  heads = static_cast<Head*>(map_anywhere(max_syncs * sizeof(Head)));
}

void clear_clocks() {
  table.clear();
  clock_count = head_count = 0;
  threads[0].now.clear();
  threads[0].now.time = clock_at_start;
  start_clock(0, 0);
}

void save_clocks(Savepoint& into) {
  table.save(into);
  for (std::uint32_t k = 0; k < clock_count; ++k) clocks[k].save(into);
  into.keep(clock_count);
  into.keep(heads, head_count * sizeof heads[0]);
  into.keep(head_count);
  into.undo(
      [](void*, std::uint64_t) {
        for_threads([](const Fiber& f) { threads[f.id].clear_fences(); });
      },
      nullptr, 0);
  for_threads([&](const Fiber& f) {
    ThreadClock& c = threads[f.id];
    c.now.save(into);
    if (c.released.size != 0) c.released.save(into);
    if (c.to_acquire.size != 0) c.to_acquire.save(into);
  });
}

void start_clock(unsigned child, unsigned parent) {
  ThreadClock& c = threads[child];
  if (child != parent) {
    c.now.assign(threads[parent].now);
    tick(parent);
  }
  for (; c.now.size <= child; ++c.now.size) c.now.ticks[c.now.size] = 0;
  c.now.ticks[child] = 1;
  c.clear_fences();
}

void acquire(unsigned thread, const void* object) {
  if (const Sync* s = table.find(object_key(object)); s != nullptr && s->clocks[0] != 0)
    threads[thread].now.join(clocks[s->clocks[0] - 1]);
}

void release(unsigned thread, const void* object) {
  clock_at(table.at(object_key(object)), 0).join(threads[thread].now);
  tick(thread);
}

void join_thread(unsigned thread, unsigned ended) { threads[thread].now.join(threads[ended].now); }

void order_read(unsigned thread, const void* address, std::uint64_t size, Ordering ordering) {
  ThreadClock& t = threads[thread];
  Clock& into = acquires(ordering) ? t.now : t.to_acquire;
  for_parts(address, size, [&](std::uint64_t key, unsigned first, unsigned last) {
    const Sync* sync = table.find(key);
    for (unsigned half = first; sync != nullptr && half <= last; ++half)
      if (sync->clocks[half] != 0) into.join(clocks[sync->clocks[half] - 1]);
  });
}

void order_write(unsigned thread, const void* address, std::uint64_t size, Ordering ordering,
                 bool continues, bool own_continue) {
  ThreadClock& t = threads[thread];
  const Clock& what = releases(ordering) ? t.now : t.released;
  for_parts(address, size, [&](std::uint64_t key, unsigned first, unsigned last) {
    Sync& sync = table.at(key);
    for (unsigned half = first; half <= last; ++half) {
      if (own_continue) {
        write_half(sync, half, what, continues, thread);
        continue;
      }
      if (!continues) end_sequences(sync, half, nullptr);
      write_half(sync, half, what, continues);
    }
  });
  if (releases(ordering)) tick(thread);
}

void order_fence(unsigned thread, Ordering ordering) {
  ThreadClock& t = threads[thread];
  if (acquires(ordering)) t.now.join(t.to_acquire);
  if (!releases(ordering)) return;
  t.released.assign(t.now);
  tick(thread);
}

}  // namespace heddle::runtime
