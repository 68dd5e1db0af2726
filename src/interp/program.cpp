#include "interp/program.hpp"

#include "base/check.hpp"

namespace heddle::interp {
namespace {

struct Needs {
  ObjectClass kind;
  bool object = true;
};

Needs needs_of(Op op) {
  switch (op) {
    case Op::read:
    case Op::check:
    case Op::assume:
    case Op::write:
    case Op::add:
    case Op::fetch_add:
    case Op::exchange:
    case Op::cas:
    case Op::alloc:
    case Op::free:
    case Op::plain_read:
    case Op::plain_write:
      return {ObjectClass::memory};
    case Op::lock:
    case Op::try_lock:
    case Op::unlock:
      return {ObjectClass::mutex};
    case Op::read_lock:
    case Op::try_read_lock:
    case Op::read_unlock:
    case Op::write_lock:
    case Op::try_write_lock:
    case Op::write_unlock:
      return {ObjectClass::rwlock};
    case Op::wait:
    case Op::signal:
    case Op::broadcast:
      return {ObjectClass::condition};
    case Op::sem_wait:
    case Op::sem_try_wait:
    case Op::sem_post:
      return {ObjectClass::semaphore};
    case Op::barrier:
      return {ObjectClass::barrier};
    case Op::create:
    case Op::join:
      return {ObjectClass::thread};
    case Op::send:
    case Op::receive:
    case Op::try_receive:
      return {ObjectClass::mailbox};
    case Op::choose:
    case Op::fence:
    case Op::atomic_begin:
    case Op::atomic_end:
    case Op::set:
    case Op::plus:
    case Op::times:
    case Op::modulo:
    case Op::jump:
    case Op::claim:
      return {ObjectClass::memory, false};
  }
  return {ObjectClass::memory, false};
}

bool allowed_in_block(Op op) {
  return (op <= Op::free && op != Op::alloc && op != Op::free) || (op >= Op::set && !is_plain(op));
}

bool allowed(MemoryOrder order, Op op) {
  switch (order) {
    case MemoryOrder::sequential:
      return true;
    case MemoryOrder::relaxed:
      return op < Op::alloc;
    case MemoryOrder::acquire:
      return op == Op::fence || (op < Op::alloc && op != Op::write && op != Op::add);
    case MemoryOrder::release:
      return op == Op::fence || (op >= Op::write && op < Op::alloc);
    case MemoryOrder::acquire_release:
      return op == Op::fence || (op > Op::add && op < Op::alloc);
  }
  return false;
}

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program) {}

  void run() {
    if (program_.threads.empty()) throw Misuse("a program needs a thread");
    for (const Object& o : program_.objects) {
      if (o.kind == ObjectClass::barrier && o.initial < 1)
        throw Misuse("barrier " + o.name + " has a count below 1");
      if (o.kind == ObjectClass::semaphore && o.initial < 0)
        throw Misuse("semaphore " + o.name + " has a negative initial value");
    }
    for (const Thread& t : program_.threads) {
      in_block_ = false;
      find_blocks(t.code);
      for (pc_ = 0; pc_ < t.code.size(); ++pc_) check(t, t.code[pc_]);
      if (in_block_) fail(t, "an atomic block without its end");
    }
  }

 private:
  ObjectClass kind(Location object) const {
    if (object < program_.objects.size()) return program_.objects[object].kind;
    return object < program_.mailbox(0) ? ObjectClass::thread : ObjectClass::mailbox;
  }

  // Numbers each atomic block; what is outside has 0.
  void find_blocks(const std::vector<Instruction>& code) {
    block_.assign(code.size() + 1, 0);
    int blocks = 0;
    bool inside = false;
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      if (inside) block_[pc] = blocks;
      if (code[pc].op == Op::atomic_begin) {
        inside = true;
        ++blocks;
      }
      if (code[pc].op == Op::atomic_end) inside = false;
    }
  }

  void check_jump(const Thread& t, const Instruction& i) {
    if (i.target < 0 || static_cast<std::size_t>(i.target) > t.code.size())
      fail(t, "jumps out of the program");
    if (block_[static_cast<std::size_t>(i.target)] != block_[pc_])
      fail(t, "jumps into or out of an atomic block");
    if (in_block_ && static_cast<std::size_t>(i.target) <= pc_)
      fail(t, "jumps back in an atomic block");
  }

  void check(const Thread& t, const Instruction& i) {
    const Needs needs = needs_of(i.op);
    if (needs.object && (i.object >= program_.object_count() || kind(i.object) != needs.kind))
      fail(t, "uses an object of the wrong kind");
    if (i.op == Op::wait &&
        (i.second >= program_.objects.size() || kind(i.second) != ObjectClass::mutex))
      fail(t, "waits without a mutex");
    if (i.timed && i.op != Op::lock && i.op != Op::wait && i.op != Op::sem_wait)
      fail(t, "times out where nothing is waited for");
    for (int r : {+i.index, +i.dst, +i.value.reg, +i.value2.reg})
      if (r >= static_cast<int>(register_count)) fail(t, "uses a register that does not exist");
    if (i.dst < 0 && ((i.op >= Op::set && !is_plain(i.op)) || i.op == Op::choose))
      fail(t, "needs a register");
    if (!allowed(i.order, i.op)) fail(t, "has a memory order that is none of this instruction");
    if (is_plain(i.op) && program_.objects[i.object].on_heap)
      fail(t, "has a plain access to memory on the heap");
    if (i.op == Op::jump) check_jump(t, i);
    if (i.index >= 0 && needs.kind == ObjectClass::thread) fail(t, "names a thread by a register");
    if (i.op == Op::choose && (i.value.reg >= 0 || i.value.constant < 1 || i.value.constant > 1000))
      fail(t, "chooses among fewer than 1 or more than 1000 alternatives");
    if (i.op == Op::send && i.value.reg < 0 && (i.value.constant < 0 || i.value.constant > 63))
      fail(t, "sends a tag that is not in 0 .. 63");
    if (in_block_ && i.op != Op::atomic_end && !allowed_in_block(i.op))
      fail(t, "has, in an atomic block, a step that is neither an access nor local");
    if (i.op == Op::atomic_end && !in_block_) fail(t, "ends an atomic block that was not begun");
    if (i.op == Op::atomic_begin) in_block_ = true;
    if (i.op == Op::atomic_end) in_block_ = false;
  }

  [[noreturn]] void fail(const Thread& t, const std::string& what) const {
    throw Misuse("thread " + t.name + ", instruction " + std::to_string(pc_ + 1) + ": " + what);
  }

  const Program& program_;
  std::size_t pc_ = 0;
  bool in_block_ = false;
  std::vector<int> block_;
};

}  // namespace

bool holds(std::int64_t left, Compare cmp, std::int64_t right) {
  switch (cmp) {
    case Compare::eq:
      return left == right;
    case Compare::ne:
      return left != right;
    case Compare::lt:
      return left < right;
    case Compare::le:
      return left <= right;
    case Compare::gt:
      return left > right;
    case Compare::ge:
      return left >= right;
  }
  return false;
}

void validate(const Program& program) { Validator(program).run(); }

}  // namespace heddle::interp
