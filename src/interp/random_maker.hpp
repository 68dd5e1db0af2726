// What random programs are made of: see random_program.hpp.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "interp/program.hpp"

namespace heddle::interp {

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
  // Threads and mailboxes are numbered after all objects: call it after the last is declared.
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
  void timed_lock() { try_acquire(random_.pick(mutexes_), Op::lock, Op::unlock); }
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
  void wait() { wait(false); }
  void timed_wait() { wait(true); }
  void wait(bool timed) {
    if (held().empty() || held().back().unlock != Op::unlock) lock();
    if (held().empty() || held().back().unlock != Op::unlock) return;
    emit({.op = Op::wait,
          .object = condition_,
          .dst = timed ? fresh() : no_register,
          .timed = timed,
          .second = held().back().object});
  }
  void signal() { emit({.op = Op::signal, .object = condition_}); }
  void broadcast() { emit({.op = Op::broadcast, .object = condition_}); }
  void sem_wait() { emit({.op = Op::sem_wait, .object = semaphore_}); }
  void timed_sem_wait() {
    emit({.op = Op::sem_wait, .object = semaphore_, .dst = fresh(), .timed = true});
  }
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

  // --- threads: the first creates most of the others, each at some point, and joins some; those
  // that another created may be joined by that, at its end, or in the middle
  void make_created() {
    for (int t = 1; t < threads_; ++t) {
      program_.threads[size(t)].created = true;
      const auto creator = size(t > 1 && random_.chance(.3) ? t - 1 : 0);
      insert_anywhere(creator, {.op = Op::create, .object = program_.thread_object(size(t))});
      const Instruction join{.op = Op::join, .object = program_.thread_object(size(t))};
      const std::size_t joiner = random_.chance(.5) ? creator : 0;
      if (random_.chance(.2))
        insert_anywhere(joiner, join);
      else if (random_.chance(.7))
        program_.threads[joiner].code.push_back(join);
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
  // A try or a timed lock, and an access and the unlock that are skipped if it failed.
  void try_acquire(Location object, Op take, Op give) {
    for (const Held& h : held())
      if (h.object == object) return release();
    const std::int8_t got = fresh();
    emit({.op = take, .object = object, .dst = got, .timed = take == Op::lock});
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

}  // namespace heddle::interp
