// Builds model programs in C++ so that they read like pseudocode:
//
//   Builder b("running-example");
//   const Place x = b.memory("x"), y = b.memory("y");
//   b.thread("p").write(y, 1).write(x, 1);
//   b.thread("q").write(x, 2);
//   ThreadBuilder r = b.thread("r");
//   r.check(r.reg(), x, Compare::lt, 3);
//   Program program = b.build();
//
// Places, registers, labels and threads are named before they are used, except that a jump may
// name a label that comes later. An instruction with a result takes the register for it first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interp/program.hpp"

namespace heddle::interp {

// A register of the thread that made it.
struct Reg {
  std::int8_t number = no_register;
};

// A constant, a register, or a register plus a constant.
struct Term {
  Term(std::int64_t constant) : value{constant, no_register} {}
  Term(Reg reg) : value{0, reg.number} {}
  Term(Reg reg, std::int64_t plus) : value{plus, reg.number} {}

  Value value;
};
inline Term operator+(Reg reg, std::int64_t constant) { return {reg, constant}; }

// An object, or the element of an array that a register selects.
struct Place {
  Location object = 0;
  std::int8_t index = no_register;
};

struct Array {
  Location first = 0;

  Place operator[](int i) const { return {first + static_cast<Location>(i), no_register}; }
  Place operator[](Reg i) const { return {first, i.number}; }
};

class Builder;

// Appends to the code of one thread. A copy appends to the same thread. Each function stands for
// the instruction of that name (program.hpp).
class ThreadBuilder {
 public:
  Reg reg();  // one not used yet
  std::size_t number() const { return thread_; }

  ThreadBuilder& read(Reg dst, Place x) { return emit(Op::read, x, dst); }
  ThreadBuilder& check(Reg dst, Place x, Compare cmp, Term v) {
    return emit(Op::check, x, dst, v, cmp);
  }
  ThreadBuilder& assume(Place x, Compare cmp, Term v) { return emit(Op::assume, x, {}, v, cmp); }
  ThreadBuilder& write(Place x, Term v) { return emit(Op::write, x, {}, v); }
  ThreadBuilder& add(Place x, Term v) { return emit(Op::add, x, {}, v); }
  ThreadBuilder& fetch_add(Reg dst, Place x, Term v) { return emit(Op::fetch_add, x, dst, v); }
  // Adds in one step, which does not commute as `add` does, and keeps nothing.
  ThreadBuilder& fetch_add(Place x, Term v) { return emit(Op::fetch_add, x, {}, v); }
  ThreadBuilder& exchange(Reg dst, Place x, Term v) { return emit(Op::exchange, x, dst, v); }
  ThreadBuilder& cas(Reg dst, Place x, Term from, Term to);
  ThreadBuilder& alloc(Place x) { return emit(Op::alloc, x); }
  ThreadBuilder& free(Place x) { return emit(Op::free, x); }

  ThreadBuilder& lock(Place m) { return emit(Op::lock, m); }
  ThreadBuilder& try_lock(Reg dst, Place m) { return emit(Op::try_lock, m, dst); }
  ThreadBuilder& unlock(Place m) { return emit(Op::unlock, m); }
  ThreadBuilder& read_lock(Place m) { return emit(Op::read_lock, m); }
  ThreadBuilder& try_read_lock(Reg dst, Place m) { return emit(Op::try_read_lock, m, dst); }
  ThreadBuilder& read_unlock(Place m) { return emit(Op::read_unlock, m); }
  ThreadBuilder& write_lock(Place m) { return emit(Op::write_lock, m); }
  ThreadBuilder& try_write_lock(Reg dst, Place m) { return emit(Op::try_write_lock, m, dst); }
  ThreadBuilder& write_unlock(Place m) { return emit(Op::write_unlock, m); }
  ThreadBuilder& wait(Place condition, Place mutex);
  ThreadBuilder& signal(Place condition) { return emit(Op::signal, condition); }
  ThreadBuilder& broadcast(Place condition) { return emit(Op::broadcast, condition); }
  ThreadBuilder& sem_wait(Place s) { return emit(Op::sem_wait, s); }
  ThreadBuilder& sem_try_wait(Reg dst, Place s) { return emit(Op::sem_try_wait, s, dst); }
  ThreadBuilder& sem_post(Place s) { return emit(Op::sem_post, s); }
  ThreadBuilder& barrier(Place b) { return emit(Op::barrier, b); }
  ThreadBuilder& create(const ThreadBuilder& other);
  ThreadBuilder& join(const ThreadBuilder& other);

  ThreadBuilder& send(const ThreadBuilder& to, Term tag);
  ThreadBuilder& send(Reg to, Term tag);  // to the thread of this number
  ThreadBuilder& receive(Reg dst, Term tags);
  ThreadBuilder& try_receive(Reg dst, Term tags);

  ThreadBuilder& choose(Reg dst, int alternatives) {
    return emit(Op::choose, {}, dst, alternatives);
  }
  ThreadBuilder& fence() { return emit(Op::fence); }
  ThreadBuilder& atomic_begin() { return emit(Op::atomic_begin); }
  ThreadBuilder& atomic_end() { return emit(Op::atomic_end); }

  ThreadBuilder& set(Reg dst, Term v) { return emit(Op::set, {}, dst, v); }
  ThreadBuilder& plus(Reg dst, Term v) { return emit(Op::plus, {}, dst, v); }
  ThreadBuilder& times(Reg dst, Term v) { return emit(Op::times, {}, dst, v); }
  ThreadBuilder& modulo(Reg dst, Term v) { return emit(Op::modulo, {}, dst, v); }
  ThreadBuilder& claim(Reg left, Compare cmp, Term right) {
    return emit(Op::claim, {}, left, right, cmp);
  }
  ThreadBuilder& label(std::string_view name);  // stands for what is appended next
  ThreadBuilder& jump(std::string_view to);
  ThreadBuilder& jump_if(Reg left, Compare cmp, Term right, std::string_view to);

 private:
  friend class Builder;
  ThreadBuilder(Builder& owner, std::size_t thread) : owner_(&owner), thread_(thread) {}
  ThreadBuilder& emit(Op op, Place x = {}, Reg dst = {}, Term v = 0, Compare cmp = Compare::eq);
  Instruction& last();

  Builder* owner_;
  std::size_t thread_;
};

class Builder {
 public:
  explicit Builder(std::string name) { program_.name = std::move(name); }
  Builder(const std::string& name, int size) : Builder(name + "(" + std::to_string(size) + ")") {}
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  Place memory(std::string name, std::int64_t initial = 0);
  Place on_heap(std::string name);  // to be allocated before use
  Place mutex(std::string name) { return declare(std::move(name), ObjectClass::mutex); }
  Place rwlock(std::string name) { return declare(std::move(name), ObjectClass::rwlock); }
  Place condition(std::string name) { return declare(std::move(name), ObjectClass::condition); }
  Place semaphore(std::string name, std::int64_t initial) {
    return declare(std::move(name), ObjectClass::semaphore, initial);
  }
  Place barrier(std::string name, std::int64_t count) {
    return declare(std::move(name), ObjectClass::barrier, count);
  }
  Array array(const std::string& name, int length, std::int64_t initial = 0) {
    return declare_array(name, ObjectClass::memory, length, initial);
  }
  Array mutexes(const std::string& name, int length) {
    return declare_array(name, ObjectClass::mutex, length, 0);
  }

  ThreadBuilder thread(std::string name);     // exists from the beginning
  ThreadBuilder to_create(std::string name);  // to be created by another thread

  // The program, which is valid. To be called once, at the end.
  Program build();

 private:
  friend class ThreadBuilder;
  // Instructions that refer to something that is numbered only at the end.
  enum class Refers : std::uint8_t { thread, mailbox, label };
  struct Reference {
    std::size_t thread, instruction;
    Refers refers;
    std::size_t target;  // of a label: its index in `labels`
  };
  struct Label {
    std::string name;
    std::int32_t at = unbound;
  };
  struct Names {  // of one thread
    std::vector<Label> labels;
    int registers = 0;
  };
  static constexpr std::int32_t unbound = -1;

  Place declare(std::string name, ObjectClass kind, std::int64_t initial = 0);
  Array declare_array(const std::string& name, ObjectClass kind, int length, std::int64_t initial);
  std::size_t label(std::size_t thread, std::string_view name);
  void refer(std::size_t thread, Refers refers, std::size_t target);  // in its next instruction
  void resolve(const Reference& r);

  Program program_;
  std::vector<Names> names_;
  std::vector<Reference> references_;
};

}  // namespace heddle::interp
