#include "interp/random_program.hpp"

#include <string>
#include <vector>

namespace heddle::interp {
namespace {

// Builds one program step by step. A thread never unlocks what it does not hold; whether what it
// locks is ever unlocked is left to chance.
class Maker {
 public:
  Maker(Random& random, int threads) : random_(random), threads_(threads) {
    program_.threads.resize(static_cast<std::size_t>(threads));
    held_.resize(static_cast<std::size_t>(threads));
    for (int t = 0; t < threads; ++t) program_.threads[size(t)].name = std::string(1, "pqrst"[t]);
  }

  using Step = void (Maker::*)();

  // Each thread gets up to `steps` random steps of these kinds.
  Program fill(int steps, const std::vector<Step>& kinds) {
    for (thread_ = 0; thread_ < threads_; ++thread_) {
      const int n = random_.between(1, steps);
      for (int k = 0; k < n; ++k) (this->*random_.pick(kinds))();
      while (!held_[size(thread_)].empty() && random_.chance(.85)) release();
    }
    return std::move(program_);
  }

  Location object(const char* name, ObjectClass kind, std::int64_t initial = 0, bool heap = false) {
    program_.objects.push_back({name, kind, initial, 0, 1, heap});
    return static_cast<Location>(program_.objects.size() - 1);
  }
  // Threads and mailboxes are numbered behind all objects: to be called after the last is declared.
  void declare(int variables, bool heap = false) {
    static constexpr const char* names[] = {"x", "y", "z"};
    for (int k = 0; k < variables; ++k)
      variables_.push_back(object(names[k], ObjectClass::memory, 0, heap));
  }
  void declare_mutexes() {
    mutexes_ = {object("m", ObjectClass::mutex), object("n", ObjectClass::mutex)};
  }
  void declare_rwlock() { rwlock_ = object("l", ObjectClass::rwlock); }
  void declare_condition() { condition_ = object("c", ObjectClass::condition); }
  void declare_semaphore() {
    semaphore_ = object("s", ObjectClass::semaphore, random_.between(0, 2));
  }
  void declare_barrier() { barrier_ = object("b", ObjectClass::barrier, 2); }

  // --- memory
  void write() { emit({.op = Op::write, .object = variable(), .value = {random_.between(0, 2)}}); }
  void read() { emit({.op = Op::read, .object = variable(), .dst = fresh()}); }
  void check() {
    emit({.op = Op::check,
          .object = variable(),
          .dst = fresh(),
          .cmp = Compare::le,
          .value = {random_.between(0, 2)}});
  }
  void assume() {
    emit({.op = Op::assume,
          .object = variable(),
          .cmp = random_.chance(.7) ? Compare::eq : Compare::ne,
          .value = {random_.between(0, 1)}});
  }
  void add() { emit({.op = Op::add, .object = variable(), .value = {random_.between(1, 2)}}); }
  void fetch_add() {
    emit({.op = Op::fetch_add,
          .object = variable(),
          .dst = random_.chance(.5) ? fresh() : no_register,
          .value = {1}});
  }
  void exchange() {
    emit({.op = Op::exchange,
          .object = variable(),
          .dst = fresh(),
          .value = {random_.between(0, 2)}});
  }
  void cas() {
    emit({.op = Op::cas,
          .object = variable(),
          .dst = fresh(),
          .value = {random_.between(0, 1)},
          .value2 = {random_.between(1, 2)}});
  }
  void fence() { emit({.op = Op::fence}); }

  // --- several accesses in one step
  void copy() {
    const std::int8_t t = fresh();
    begin();
    emit({.op = Op::read, .object = variable(), .dst = t});
    emit({.op = Op::write, .object = variable(), .value = {0, t}});
    emit({.op = Op::set, .dst = t});
    end();
  }
  void both() {
    begin();
    emit({.op = Op::check, .object = variable(), .dst = fresh(), .value = {random_.between(0, 2)}});
    emit({.op = Op::write, .object = variable(), .value = {1}});
    end();
  }
  void two_writes() {
    begin();
    emit({.op = Op::write, .object = variables_[0], .value = {random_.between(0, 2)}});
    emit({.op = Op::write, .object = variables_[1], .value = {random_.between(0, 2)}});
    end();
  }
  // if (x == c) y = c: which accesses it makes depends on what it reads
  void branch() {
    const std::int8_t t = fresh();
    const int c = random_.between(0, 2);
    begin();
    emit({.op = Op::check, .object = variable(), .dst = t, .value = {c}});
    emit({.op = Op::jump, .dst = t, .value = {0}, .target = here() + 2});
    if (random_.chance(.3))
      emit({.op = Op::read, .object = variable(), .dst = fresh()});
    else
      emit({.op = Op::write, .object = variable(), .value = {c}});
    emit({.op = Op::set, .dst = t});
    end();
  }

  // --- choices: the second looks at the last choice of its thread
  void choose() { emit({.op = Op::choose, .dst = chosen(), .value = {random_.between(2, 3)}}); }
  void act_on_choice() {
    begin();
    emit({.op = Op::jump, .dst = chosen(), .value = {0}, .target = here() + 3});
    emit({.op = Op::write, .object = variable(), .value = {2}});
    emit({.op = Op::jump, .dst = chosen(), .cmp = Compare::ne, .value = {0}, .target = here() + 2});
    emit({.op = Op::read, .object = variable(), .dst = fresh()});
    end();
  }

  // --- locks
  void lock() { acquire(mutexes_, Op::lock, Op::unlock); }
  void try_lock() { try_acquire(random_.pick(mutexes_), Op::try_lock, Op::unlock); }
  void read_lock() { acquire({rwlock_}, Op::read_lock, Op::read_unlock); }
  void write_lock() { acquire({rwlock_}, Op::write_lock, Op::write_unlock); }
  void try_read_lock() { try_acquire(rwlock_, Op::try_read_lock, Op::read_unlock); }
  void try_write_lock() { try_acquire(rwlock_, Op::try_write_lock, Op::write_unlock); }
  void release() {
    if (held().empty()) return;
    emit({.op = held().back().unlock, .object = held().back().object});
    held().pop_back();
  }

  // --- other synchronisation
  void wait() {
    if (held().empty() || held().back().unlock != Op::unlock) lock();
    if (held().empty() || held().back().unlock != Op::unlock) return;
    emit({.op = Op::wait, .object = condition_, .second = held().back().object});
  }
  void signal() { emit({.op = Op::signal, .object = condition_}); }
  void broadcast() { emit({.op = Op::broadcast, .object = condition_}); }
  void sem_wait() { emit({.op = Op::sem_wait, .object = semaphore_}); }
  void sem_try_wait() { emit({.op = Op::sem_try_wait, .object = semaphore_, .dst = fresh()}); }
  void sem_post() { emit({.op = Op::sem_post, .object = semaphore_}); }
  void barrier() { emit({.op = Op::barrier, .object = barrier_}); }

  // --- the heap
  void alloc() { emit({.op = Op::alloc, .object = variable()}); }
  void free() { emit({.op = Op::free, .object = variable()}); }

  // --- messages: the first thread mostly receives, the others mostly send to it
  void message() {
    const bool receives = random_.chance(thread_ == 0 ? .75 : .25);
    const int other = thread_ == 0         ? random_.between(1, threads_ - 1)
                      : random_.chance(.7) ? 0
                                           : any_thread();
    if (!receives) {
      emit({.op = Op::send,
            .object = program_.mailbox(size(other)),
            .value = {random_.between(0, 1)}});
      return;
    }
    emit({.op = random_.chance(.7) ? Op::receive : Op::try_receive,
          .object = program_.mailbox(size(thread_)),
          .dst = fresh(),
          .value = {random_.between(1, 3)}});
  }

  // --- threads: the first creates the others, each at some point, and joins some
  void make_created() {
    for (int t = 1; t < threads_; ++t) {
      program_.threads[size(t)].created = true;
      const auto creator = size(t > 1 && random_.chance(.3) ? t - 1 : 0);
      insert_anywhere(creator, {.op = Op::create, .object = program_.thread_object(size(t))});
      if (random_.chance(.6))
        program_.threads[0].code.push_back(
            {.op = Op::join, .object = program_.thread_object(size(t))});
      if (random_.chance(.4))
        program_.threads[0].code.push_back(
            {.op = Op::read, .object = variables_[0], .dst = static_cast<std::int8_t>(20 + t)});
    }
  }
  Program take() { return std::move(program_); }
  void put_back(Program program) { program_ = std::move(program); }

 private:
  struct Held {
    Location object;
    Op unlock;
  };

  static std::size_t size(int n) { return static_cast<std::size_t>(n); }
  std::vector<Instruction>& code() { return program_.threads[size(thread_)].code; }
  std::vector<Held>& held() { return held_[size(thread_)]; }
  void emit(const Instruction& i) { code().push_back(i); }
  void begin() { emit({.op = Op::atomic_begin}); }
  void end() { emit({.op = Op::atomic_end}); }
  std::int32_t here() { return static_cast<std::int32_t>(code().size()); }
  Location variable() { return random_.pick(variables_); }
  int any_thread() { return random_.between(0, threads_ - 1); }
  std::int8_t fresh() { return static_cast<std::int8_t>(1 + here()); }
  static std::int8_t chosen() { return 0; }

  void acquire(const std::vector<Location>& from, Op take, Op give) {
    const Location object = random_.pick(from);
    for (const Held& h : held())
      if (h.object == object) return release();
    emit({.op = take, .object = object});
    held().push_back({object, give});
  }
  // A try, and an access and the unlock that are skipped if it failed.
  void try_acquire(Location object, Op take, Op give) {
    for (const Held& h : held())
      if (h.object == object) return release();
    const std::int8_t got = fresh();
    emit({.op = take, .object = object, .dst = got});
    emit({.op = Op::jump, .dst = got, .value = {0}, .target = here() + 3});
    const Location x = variable();
    if (random_.chance(.5))
      emit({.op = Op::read, .object = x, .dst = fresh()});
    else
      emit({.op = Op::write, .object = x, .value = {thread_ + 1}});
    if (random_.chance(.85))
      emit({.op = give, .object = object});
    else
      emit({.op = Op::fence});
  }
  void insert_anywhere(std::size_t thread, const Instruction& what) {
    auto& list = program_.threads[thread].code;
    const auto at = random_.chance(.5) ? 0 : random_.below(list.size() + 1);
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), what);
  }

  Random& random_;
  int threads_;
  int thread_ = 0;
  Program program_;
  std::vector<std::vector<Held>> held_;
  std::vector<Location> variables_, mutexes_;
  Location rwlock_ = 0, condition_ = 0, semaphore_ = 0, barrier_ = 0;
};

struct Size {
  int threads, steps;
};

using M = Maker;
const std::vector<M::Step> single = {&M::write, &M::write, &M::read, &M::check};

// Now and then a larger one: most bugs need few steps, but not all.
Size one_of(Random& random, const std::vector<Size>& sizes) {
  static const std::vector<Size> larger = {{3, 4}, {4, 2}, {2, 5}, {5, 1}};
  return random.pick(random.chance(.03) ? larger : sizes);
}
Size small(Random& random) { return one_of(random, {{3, 2}, {2, 3}, {4, 1}, {3, 3}}); }
Size smaller(Random& random) { return one_of(random, {{3, 2}, {2, 3}, {2, 4}}); }

std::vector<M::Step> with(std::vector<M::Step> kinds, const std::vector<M::Step>& more) {
  kinds.insert(kinds.end(), more.begin(), more.end());
  return kinds;
}

Program memory_program(Random& random, Size size, const std::vector<M::Step>& kinds) {
  Maker maker(random, size.threads);
  maker.declare(2);
  return maker.fill(size.steps, kinds);
}

Program make_single(Random& random) { return memory_program(random, small(random), single); }

Program make_several(Random& random) {
  return memory_program(random, small(random),
                        with(single, {&M::fetch_add, &M::copy, &M::both, &M::two_writes}));
}

Program make_data_dependent(Random& random) {
  return memory_program(
      random, small(random),
      with(single, {&M::copy, &M::both, &M::branch, &M::branch, &M::cas, &M::cas}));
}

Program make_adds(Random& random) {
  return memory_program(
      random, small(random),
      {&M::add, &M::add, &M::read, &M::write, &M::fetch_add, &M::exchange, &M::cas, &M::both});
}

Program make_assumes(Random& random) {
  return memory_program(random, small(random), with(single, {&M::assume, &M::assume, &M::cas}));
}

Program make_choices(Random& random) {
  return memory_program(
      random, smaller(random),
      with(single, {&M::choose, &M::choose, &M::act_on_choice, &M::act_on_choice}));
}

Program make_locks(Random& random) {
  const Size size = one_of(random, {{2, 4}, {3, 2}, {3, 3}, {2, 3}});
  Maker maker(random, size.threads);
  maker.declare(2);
  maker.declare_mutexes();
  return maker.fill(size.steps,
                    {&M::lock, &M::lock, &M::release, &M::read, &M::write, &M::try_lock});
}

Program make_rwlocks(Random& random) {
  const Size size = one_of(random, {{3, 2}, {3, 3}, {4, 1}, {2, 4}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_rwlock();
  return maker.fill(size.steps, {&M::read_lock, &M::read_lock, &M::write_lock, &M::try_read_lock,
                                 &M::try_write_lock, &M::release, &M::read, &M::write});
}

Program make_conditions(Random& random) {
  const Size size = one_of(random, {{3, 1}, {3, 2}, {2, 3}, {4, 1}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_mutexes();
  maker.declare_condition();
  return maker.fill(size.steps, {&M::wait, &M::wait, &M::signal, &M::signal, &M::broadcast,
                                 &M::write, &M::read, &M::lock});
}

Program make_semaphores(Random& random) {
  const Size size = small(random);
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_semaphore();
  return maker.fill(size.steps, {&M::sem_wait, &M::sem_wait, &M::sem_post, &M::sem_post,
                                 &M::sem_try_wait, &M::read, &M::write});
}

Program make_barriers(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 3}, {4, 1}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_barrier();
  return maker.fill(size.steps, {&M::barrier, &M::read, &M::write});
}

Program make_heap(Random& random) {
  const Size size = small(random);
  Maker maker(random, size.threads);
  maker.declare(2, true);
  return maker.fill(size.steps, {&M::alloc, &M::alloc, &M::alloc, &M::alloc, &M::free, &M::free,
                                 &M::read, &M::write, &M::add, &M::exchange, &M::two_writes});
}

Program make_threads(Random& random) {
  const Size size = one_of(random, {{3, 1}, {2, 2}, {3, 2}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.put_back(maker.fill(size.steps, {&M::read, &M::write, &M::write}));
  maker.make_created();
  return maker.take();
}

Program make_messages(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 3}, {4, 1}, {3, 3}});
  Maker maker(random, size.threads);
  return maker.fill(size.steps, {&M::message});
}

// Everything at once: what the parts do to each other.
Program make_mixed(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 4}, {2, 3}});
  Maker maker(random, size.threads);
  maker.declare(2);
  maker.declare_mutexes();
  maker.declare_rwlock();
  maker.declare_condition();
  maker.declare_semaphore();
  maker.declare_barrier();
  return maker.fill(size.steps,
                    {&M::write,      &M::write,     &M::read,          &M::read,    &M::check,
                     &M::assume,     &M::add,       &M::fetch_add,     &M::cas,     &M::branch,
                     &M::two_writes, &M::choose,    &M::act_on_choice, &M::lock,    &M::try_lock,
                     &M::release,    &M::read_lock, &M::write_lock,    &M::wait,    &M::signal,
                     &M::broadcast,  &M::sem_wait,  &M::sem_post,      &M::barrier, &M::message,
                     &M::message,    &M::fence});
}

constexpr Shape table[] = {
    {"single accesses", make_single},
    {"several accesses", make_several},
    {"data-dependent accesses", make_data_dependent},
    {"adds", make_adds},
    {"assumes", make_assumes},
    {"choices", make_choices},
    {"locks", make_locks},
    {"rwlocks", make_rwlocks},
    {"condition variables", make_conditions},
    {"semaphores", make_semaphores},
    {"barriers", make_barriers},
    {"heap", make_heap},
    {"threads", make_threads},
    {"messages", make_messages},
    {"mixed", make_mixed},
};

}  // namespace

std::span<const Shape> shapes() { return table; }

}  // namespace heddle::interp
