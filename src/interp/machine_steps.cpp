// What each instruction does, and which accesses it counts as.
#include <algorithm>

#include "base/check.hpp"
#include "interp/machine.hpp"

namespace heddle::interp {
namespace {

// What was released through a readers-writer lock: readers do not learn what readers did.
enum : std::uint64_t { by_writers, by_readers };

// The name of a value, see Event: small ones have one.
std::uint16_t name_of_value(std::int64_t v) {
  constexpr std::int64_t small = 1 << 15;
  return v > -small && v < small ? static_cast<std::uint16_t>(v + small) : 0;
}

}  // namespace

void ModelMachine::touch(Location object, Mode mode, std::uint64_t a, std::uint64_t b) {
  touched_.push_back({object, mode, {}, a, b});
}

void ModelMachine::crash(ThreadState& t) {
  t.status = Status::crashed;
  state_.finding = true;
}

void ModelMachine::execute(ThreadState& t, Move move) {
  const Instruction& i = at(t);
  if (!in_range(i, object(t, i))) return crash(t);
  if (i.timed && move.alternative == timing_out) return time_out(t, i);
  switch (i.op) {
    case Op::lock:
    case Op::try_lock:
    case Op::unlock:
      return execute_mutex(t, i);
    case Op::read_lock:
    case Op::try_read_lock:
    case Op::read_unlock:
    case Op::write_lock:
    case Op::try_write_lock:
    case Op::write_unlock:
      return execute_rwlock(t, i);
    case Op::wait:
    case Op::signal:
    case Op::broadcast:
      return execute_condition(t, i);
    case Op::sem_wait:
    case Op::sem_try_wait:
    case Op::sem_post:
      return execute_semaphore(t, i);
    case Op::barrier:
      return execute_barrier(t, i);
    case Op::send:
    case Op::receive:
    case Op::try_receive:
      return execute_message(t, i);
    case Op::create: {
      const Location o = object(t, i);
      touch(o, Mode::create, thread_at(o));
      ThreadState& child = state_.threads[thread_at(o)];
      if (child.status != Status::absent) return crash(t);
      child.status = Status::running;
      release_to_thread(t, thread_at(o));
      settle(child);
      return advance(t);
    }
    case Op::choose:
      put(t, i.dst, move.alternative);
      return advance(t);
    case Op::fence:
      fence(t, i.order);
      return advance(t);
    case Op::atomic_begin:
      return execute_block(t);
    default:
      return execute_memory(t, i);
  }
}

void ModelMachine::execute_memory(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  Word& w = state_.words[o];
  const std::int64_t v = value(t, i.value);
  if (i.op == Op::alloc || i.op == Op::free) {
    touch(o, i.op == Op::alloc ? Mode::alloc : Mode::free);
    if (i.op == Op::free && w.aux == 0) return crash(t);
    w.aux = i.op == Op::alloc ? 1 : 0;
    w.value = 0;
    return advance(t);
  }
  const bool usable = w.aux != 0;
  if (usable && i.op >= Op::write && i.op != Op::add)
    value_ = name_of_value(i.op == Op::cas ? v : w.value);
  switch (i.op) {
    case Op::read:
    case Op::check:
    case Op::assume:
      touch(o, Mode::read);
      if (!usable) return crash(t);
      order_access(t, i, true, false);
      if (i.op == Op::read) put(t, i.dst, w.value);
      if (i.op == Op::check) put(t, i.dst, holds(w.value, i.cmp, v) ? 1 : 0);
      if (i.op == Op::assume && !holds(w.value, i.cmp, v)) t.status = Status::stopped;
      break;
    case Op::write:
      touch(o, Mode::write);
      if (!usable) return crash(t);
      order_access(t, i, false, true);
      w.value = v;
      break;
    case Op::add:
      touch(o, Mode::add);
      if (!usable) return crash(t);
      order_access(t, i, false, true);
      w.value = wrapping_add(w.value, v);
      break;
    case Op::cas: {
      const bool succeeds = usable && w.value == v;
      touch(o, succeeds ? Mode::update : Mode::read);
      varies_ = std::max(varies_, Varies::mode);
      if (!usable) return crash(t);
      order_access(t, i, true, succeeds);
      if (succeeds) w.value = value(t, i.value2);
      put(t, i.dst, succeeds ? 1 : 0);
      break;
    }
    default: {  // fetch_add, exchange
      touch(o, Mode::update);
      if (!usable) return crash(t);
      order_access(t, i, true, true);
      const std::int64_t old = w.value;
      w.value = i.op == Op::fetch_add ? wrapping_add(old, v) : v;
      put(t, i.dst, old);
      break;
    }
  }
  advance(t);
}

void ModelMachine::execute_mutex(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  Word& w = state_.words[o];
  if (i.op == Op::unlock) {
    if (w.holder != t.id + 1) return crash(t);
    touch(o, Mode::unlock);
    release(t, o);
    w.holder = 0;
  } else if (i.op == Op::lock) {
    touch(o, Mode::lock);
    acquire(t, o);
    w.holder = t.id + 1;
    if (i.timed) put(t, i.dst, 1);
  } else {
    const bool got = w.holder == 0;
    touch(o, got ? Mode::try_lock : Mode::try_lock_fail);
    varies_ = Varies::mode;
    if (got) acquire(t, o);
    if (got) w.holder = t.id + 1;
    put(t, i.dst, got ? 1 : 0);
  }
  advance(t);
}

void ModelMachine::execute_rwlock(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  Word& w = state_.words[o];
  std::int32_t* const own =
      state_.read_locks.data() + t.id * rwlocks_ + place_[o];  // read locks that this thread holds
  switch (i.op) {
    case Op::read_lock:
      touch(o, Mode::read_lock);
      acquire(t, o, by_writers);
      ++w.aux;
      ++*own;
      break;
    case Op::write_lock:
      touch(o, Mode::write_lock);
      acquire(t, o, by_writers);
      acquire(t, o, by_readers);
      w.holder = t.id + 1;
      break;
    case Op::try_read_lock: {
      const bool got = w.holder == 0;
      touch(o, got ? Mode::try_read_lock : Mode::try_read_lock_fail);
      varies_ = Varies::mode;
      if (got) acquire(t, o, by_writers);
      w.aux += got ? 1 : 0;
      *own += got ? 1 : 0;
      put(t, i.dst, got ? 1 : 0);
      break;
    }
    case Op::try_write_lock: {
      const bool got = w.holder == 0 && w.aux == 0;
      touch(o, got ? Mode::try_write_lock : Mode::try_write_lock_fail);
      varies_ = Varies::mode;
      if (got) acquire(t, o, by_writers);
      if (got) acquire(t, o, by_readers);
      if (got) w.holder = t.id + 1;
      put(t, i.dst, got ? 1 : 0);
      break;
    }
    case Op::read_unlock:
      if (*own == 0) return crash(t);
      touch(o, Mode::read_unlock);
      release(t, o, by_readers);
      --w.aux;
      --*own;
      break;
    default:
      if (w.holder != t.id + 1) return crash(t);
      touch(o, Mode::write_unlock);
      release(t, o, by_writers);
      w.holder = 0;
  }
  advance(t);
}

void ModelMachine::execute_condition(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  const ConditionState& c = condition(o);
  if (i.op == Op::signal || i.op == Op::broadcast) {
    varies_ = Varies::mode;
    use_condition(t, i.op == Op::signal ? c.signal(o) : c.broadcast(o));
    return advance(t);
  }
  Word& mutex = state_.words[i.second];
  if (t.phase == 0) {
    if (mutex.holder != t.id + 1) return crash(t);
    touch(i.second, Mode::unlock);
    release(t, i.second);
    mutex.holder = 0;
    use_condition(t, {o, Mode::wait});
    t.phase = 1;
  } else if (t.phase == 1) {
    varies_ = Varies::mode;
    use_condition(t, c.wake(o, t.id));
    if (i.timed) put(t, i.dst, 1);
    t.phase = 2;
  } else {
    touch(i.second, Mode::lock);
    acquire(t, i.second);
    mutex.holder = t.id + 1;
    t.phase = 0;
    advance(t);
  }
}

void ModelMachine::use_condition(const ThreadState& t, const Access& use) {
  touch(use.location, use.mode, use.a, use.b);
  condition(use.location).apply(t.id, use);
}

// A thread that waited for a condition has to lock the mutex again in any case.
void ModelMachine::time_out(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  touch(o, Mode::time_out);
  put(t, i.dst, 0);
  if (i.op != Op::wait) return advance(t);
  HEDDLE_CHECK(!condition(o).can_wake(t.id));  // otherwise it would have woken
  condition(o).give_up(t.id);
  t.phase = 2;
}

void ModelMachine::execute_semaphore(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  Word& w = state_.words[o];
  const auto initial = static_cast<std::uint64_t>(program_.objects[o].initial);
  if (i.op == Op::sem_post) {
    touch(o, Mode::sem_post, initial);
    release(t, o);
    ++w.value;
  } else if (i.op == Op::sem_wait) {
    touch(o, Mode::sem_wait, initial);
    acquire(t, o);
    --w.value;
    if (i.timed) put(t, i.dst, 1);
  } else {
    const bool got = w.value > 0;
    touch(o, got ? Mode::sem_try_wait : Mode::sem_try_wait_fail, initial);
    varies_ = Varies::mode;
    if (got) acquire(t, o);
    w.value -= got ? 1 : 0;
    put(t, i.dst, got ? 1 : 0);
  }
  advance(t);
}

void ModelMachine::execute_barrier(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  Word& w = state_.words[o];
  if (t.phase == 0) {
    const bool completes = ++w.value == program_.objects[o].initial;
    touch(o, Mode::arrive, static_cast<std::uint64_t>(w.aux),
          static_cast<std::uint64_t>(program_.objects[o].initial));
    varies_ = Varies::mode;
    release(t, o, static_cast<std::uint64_t>(w.aux));
    t.ticket = w.aux;
    t.phase = 1;
    if (completes) {
      w.value = 0;
      ++w.aux;
    }
  } else {
    touch(o, Mode::leave, static_cast<std::uint64_t>(t.ticket));
    acquire(t, o, static_cast<std::uint64_t>(t.ticket));
    t.phase = 0;
    t.ticket = 0;
    advance(t);
  }
}

void ModelMachine::execute_message(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  if (i.op == Op::send) {
    const std::int64_t tag = value(t, i.value);
    if (tag < 0 || tag > 63) return crash(t);
    const std::uint64_t id = std::uint64_t{t.id} << 32 | t.taken;
    touch(o, Mode::send, id, std::uint64_t{1} << tag);
    release(t, o, id);
    state_.boxes[o - program_.mailbox(0)].push_back({id, static_cast<std::uint32_t>(tag), t.id});
    return advance(t);
  }
  auto& box = state_.boxes[t.id];
  const auto accepted = static_cast<std::uint64_t>(value(t, i.value));
  const auto found =
      std::ranges::find_if(box, [&](auto& m) { return (accepted >> m.tag & 1) != 0; });
  varies_ = Varies::mode;
  if (found == box.end()) {
    touch(program_.mailbox(t.id), Mode::try_receive_none, ~std::uint64_t{0}, accepted);
    put(t, i.dst, 0);
  } else {
    touch(program_.mailbox(t.id), i.op == Op::receive ? Mode::receive : Mode::try_receive,
          found->id, accepted);
    acquire(t, program_.mailbox(t.id), found->id);
    put(t, i.dst, found->sender + 1);
    box.erase(found);
  }
  advance(t);
}

void ModelMachine::execute_block(ThreadState& t) {
  const bool varying = varying_[t.id][static_cast<std::size_t>(t.pc)];
  for (++t.pc; t.status == Status::running;) {
    const Instruction& i = at(t);
    if (i.op == Op::atomic_end) {
      advance(t);
      break;
    }
    if (i.op >= Op::set)
      execute_local(t, i);
    else if (!in_range(i, object(t, i)))
      crash(t);
    else
      execute_memory(t, i);
  }
  varies_ = varying ? Varies::anything : Varies::no;
  value_ = 0;
}

void ModelMachine::execute_local(ThreadState& t, const Instruction& i) {
  if (is_plain(i.op)) return execute_plain(t, i);
  const std::int64_t v = value(t, i.value);
  const std::int64_t old = reg(t, i.dst);
  switch (i.op) {
    case Op::set:
      put(t, i.dst, v);
      break;
    case Op::plus:
      put(t, i.dst, wrapping_add(old, v));
      break;
    case Op::times:
      put(t, i.dst, wrapping_multiply(old, v));
      break;
    case Op::modulo:
      if (v == 0) return crash(t);
      put(t, i.dst, v == -1 ? 0 : old % v);  // the smallest number by -1 would trap
      break;
    case Op::jump:
      if (holds(old, i.cmp, v)) {
        t.pc = i.target;
        return;
      }
      break;
    default:  // claim
      if (!holds(old, i.cmp, v)) return crash(t);
  }
  advance(t);
}

}  // namespace heddle::interp
