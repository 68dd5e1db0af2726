#include "interp/machine.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle::interp {
namespace {

constexpr int local_limit = 100'000;          // instructions without a step: more is a loop
constexpr std::uint32_t step_limit = 10'000;  // steps of a run

std::size_t used_registers(const Program& program) {
  int most = 0;
  for (const Thread& t : program.threads)
    for (const Instruction& i : t.code)
      most = std::max({most, +i.index, +i.dst, +i.value.reg, +i.value2.reg});
  return static_cast<std::size_t>(most) + 1;
}

// Whether the accesses of the block that begins at pc can depend on what it reads, or on whether
// it fails half-way.
bool branches(const Program& program, const std::vector<Instruction>& code, std::size_t pc) {
  for (; code[pc].op != Op::atomic_end; ++pc) {
    const Instruction& i = code[pc];
    if (i.op == Op::jump || i.op == Op::claim || i.op == Op::assume || i.op == Op::cas ||
        i.index >= 0 || (i.op < Op::alloc && program.objects[i.object].on_heap))
      return true;
  }
  return false;
}

// Which instruction creates a thread must not depend on the schedule: one create would race with
// the other.
void check_creation(const Program& program) {
  std::vector<int> creates(program.threads.size());
  for (const Thread& t : program.threads)
    for (const Instruction& i : t.code) {
      if (i.op != Op::create) continue;
      const std::size_t child = i.object - program.thread_object(0);
      if (++creates[child] > 1)
        throw Misuse("thread " + program.threads[child].name +
                     " is created in more than one place");
    }
}

}  // namespace

ModelMachine::ModelMachine(Program program, const Dependence& dependence)
    : program_(std::move(program)), footprints_(dependence) {
  validate(program_);
  check_creation(program_);
  regs_used_ = used_registers(program_);
  find_plain();
  place_.resize(program_.objects.size());
  for (std::size_t o = 0; o < program_.objects.size(); ++o) {
    const Object& object = program_.objects[o];
    Word w;
    w.value = object.kind == ObjectClass::barrier ? 0 : object.initial;
    w.aux = object.kind == ObjectClass::memory && !object.on_heap ? 1 : 0;
    initial_.words.push_back(w);
    if (object.kind == ObjectClass::condition) {
      place_[o] = static_cast<std::uint32_t>(initial_.conditions.size());
      initial_.conditions.emplace_back();
    }
    if (object.kind == ObjectClass::rwlock) place_[o] = static_cast<std::uint32_t>(rwlocks_++);
  }
  bool has_messages = false;
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    ThreadState state;
    state.id = static_cast<ThreadId>(t);
    state.status = program_.threads[t].created ? Status::absent : Status::running;
    initial_.threads.push_back(state);
    const auto& code = program_.threads[t].code;
    recent_.emplace_back(code.size());
    varying_.emplace_back(code.size());
    for (std::size_t pc = 0; pc < code.size(); ++pc) {
      has_time_outs_ = has_time_outs_ || code[pc].timed;
      has_thread_steps_ = has_thread_steps_ || code[pc].op == Op::create || code[pc].op == Op::join;
      has_messages = has_messages || (code[pc].op >= Op::send && code[pc].op <= Op::try_receive);
      if (code[pc].op == Op::atomic_begin) varying_[t][pc] = branches(program_, code, pc);
    }
  }
  initial_.read_locks.resize(program_.threads.size() * rwlocks_);
  initial_.regs.resize(program_.threads.size() * regs_used_);
  if (has_messages) initial_.boxes.resize(program_.threads.size());
  if (has_thread_steps_) initial_.joined.resize(program_.threads.size());
  state_ = initial_;
  for (ThreadState& t : state_.threads)
    if (t.status == Status::running) settle(t);
  settle_all();
  initial_ = state_;
  beginning_ = std::move(acts_);
}

void ModelMachine::reset() {
  state_ = initial_;
  depth_ = 0;
  ++resets_;
}

void ModelMachine::save() {
  if (depth_ == saved_.size()) saved_.emplace_back();
  saved_[depth_++] = state_;
}

void ModelMachine::restore() { state_ = saved_[depth_ - 1]; }

void ModelMachine::drop() { --depth_; }

std::uint16_t ModelMachine::alternatives(ThreadId thread) const {
  const ThreadState& t = state_.threads[thread];
  if (t.status != Status::running || at(t).op != Op::choose) return 1;
  return static_cast<std::uint16_t>(at(t).value.constant);
}

void ModelMachine::settle(ThreadState& t) {
  const auto& code = program_.threads[t.id].code;
  for (int n = 0; t.status == Status::running; ++n) {
    if (n > local_limit)
      throw Misuse("thread " + program_.threads[t.id].name + " loops without taking a step");
    if (static_cast<std::size_t>(t.pc) == code.size()) {
      t.status = Status::done;
      return;
    }
    const Instruction& i = code[static_cast<std::size_t>(t.pc)];
    if (goes_on(t)) {
      join(t, thread_at(object(t, i)));
      advance(t);
    } else if (i.op < Op::set) {
      return;
    } else {
      execute_local(t, i);
    }
  }
}

// Whether the thread is about to join a thread that has ended: that is not a step.
bool ModelMachine::goes_on(const ThreadState& t) const {
  if (t.status != Status::running || at(t).op != Op::join) return false;
  const Location o = object(t, at(t));
  return in_range(at(t), o) && state_.threads[thread_at(o)].status == Status::done;
}

void ModelMachine::join(const ThreadState& t, std::size_t other) {
  acquire_thread(t, other);
  std::vector<ThreadId>& joined = state_.joined[t.id];
  joined.push_back(static_cast<ThreadId>(other));
  // The threads that the joined thread had joined since its last step.
  joined.insert(joined.end(), state_.joined[other].begin(), state_.joined[other].end());
}

void ModelMachine::settle_all() {
  for (bool again = has_thread_steps_; again;) {
    again = false;
    for (ThreadState& t : state_.threads)
      if (goes_on(t)) {
        settle(t);
        again = true;
      }
  }
}

Event ModelMachine::step(Move move) {
  ThreadState& t = state_.threads[move.thread];
  Event event;
  event.move = move;
  touched_.clear();
  acts_.clear();
  varies_ = Varies::no;
  value_ = 0;
  const auto slot = static_cast<std::size_t>(t.pc);
  event.alternatives = alternatives(move.thread);
  event.step = static_cast<StepId>(t.phase);
  execute(t, move);
  add_joined(t, touched_);
  if (has_thread_steps_) state_.joined[t.id].clear();
  ++t.taken;
  if (++state_.steps > step_limit)
    throw Misuse("a run took more than " + std::to_string(step_limit) +
                 " steps: a model program must end under every schedule (write a loop that waits "
                 "for another thread as `assume`)");
  event.step |= static_cast<StepId>(t.id) << 20 | static_cast<StepId>(slot) << 4;
  event.footprint = footprint(t, slot);
  event.value = value_;
  settle(t);
  settle_all();
  return event;
}

Event ModelMachine::with_use(Event event, const Access& use) {
  const auto accesses = footprints_.accesses(event.footprint);
  touched_.assign(accesses.begin(), accesses.end());
  touched_.front() = use;
  event.footprint = footprints_.intern(touched_, footprints_.varies(event.footprint));
  return event;
}

void ModelMachine::add_joined(const ThreadState& t, std::vector<Access>& out) const {
  if (!has_thread_steps_) return;
  for (const ThreadId other : state_.joined[t.id])
    out.push_back({program_.thread_object(other), Mode::joined, {}, other});
}

FootprintId ModelMachine::footprint(const ThreadState& t, std::size_t slot) {
  if (touched_.empty()) return Footprints::empty;
  if (touched_.size() > 1) return footprints_.intern(touched_, varies_);
  auto& recent = recent_[t.id][slot];
  for (Recent& r : recent)
    if (r.footprint != Footprints::empty && r.access == touched_[0]) return r.footprint;
  std::swap(recent[0], recent[1]);
  recent[0] = {touched_[0], footprints_.intern(touched_, varies_)};
  return recent[0].footprint;
}

Ending ModelMachine::ending() const {
  if (any_held()) return Ending::held;
  Ending ending = Ending::complete;
  for (const ThreadState& t : state_.threads) {
    if (t.status == Status::stopped) return Ending::assumed;
    if (t.status == Status::running) ending = Ending::deadlock;
  }
  return ending;
}

Outcome ModelMachine::outcome() const {
  Outcome out;
  if (!races().empty())
    out.finding = FindingKind::data_race;
  else if (finding())
    out.finding = FindingKind::assertion;
  return out;
}

void ModelMachine::describe(std::vector<std::int64_t>& control,
                            std::vector<std::int64_t>& memory) const {
  control.clear();
  memory.clear();
  for (const ThreadState& t : state_.threads) describe_thread(t, control);
  for (std::size_t o = 0; o < state_.words.size(); ++o) {
    const Word& w = state_.words[o];
    const bool is_memory = program_.objects[o].kind == ObjectClass::memory;
    memory.push_back(is_memory ? w.value : 0);
    control.push_back(is_memory ? 0 : w.value);
    control.push_back(static_cast<std::int64_t>(w.holder) << 32 | w.aux);
  }
  control.insert(control.end(), state_.read_locks.begin(), state_.read_locks.end());
  describe_rest(control);
}

// Of which there is none in many programs.
void ModelMachine::describe_rest(std::vector<std::int64_t>& control) const {
  for (const ConditionState& c : state_.conditions) {
    control.push_back(c.numbered());
    control.push_back(static_cast<std::int64_t>(c.waiters().size()));
    for (const auto& w : c.waiters())
      control.push_back(static_cast<std::int64_t>(w.since) << 16 | w.thread);
    control.push_back(static_cast<std::int64_t>(c.tokens().size()));
    for (const auto& t : c.tokens()) {
      control.push_back(static_cast<std::int64_t>(t.number) << 1 | (t.for_all ? 1 : 0));
      control.push_back(t.left);
    }
  }
  for (const auto& joined : state_.joined) {
    control.push_back(static_cast<std::int64_t>(joined.size()));
    control.insert(control.end(), joined.begin(), joined.end());
  }
  for (const auto& box : state_.boxes) {
    control.push_back(static_cast<std::int64_t>(box.size()));
    for (const Message& m : box) {
      control.push_back(static_cast<std::int64_t>(m.id));
      control.push_back(m.tag);
    }
  }
}

void ModelMachine::describe_thread(const ThreadState& t, std::vector<std::int64_t>& out) const {
  out.push_back(t.pc);
  out.push_back(static_cast<std::int64_t>(t.status) << 32 | t.phase);
  out.push_back(t.ticket);
  out.push_back(t.taken);
  const auto first = state_.regs.begin() + static_cast<std::ptrdiff_t>(t.id * regs_used_);
  out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(regs_used_));
}

// The same as describe() tells, with less ado: it is asked after each step.
Digest ModelMachine::digest() const {
  control_.clear();
  if (!state_.conditions.empty() || !state_.joined.empty() || !state_.boxes.empty())
    describe_rest(control_);
  const auto bytes = [](const auto& values) { return std::as_bytes(std::span(values)); };
  const std::span<const std::byte> parts[] = {bytes(state_.threads), bytes(state_.regs),
                                              bytes(state_.words), bytes(state_.read_locks),
                                              bytes(control_)};
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  flat_.resize(size);
  std::size_t at = 0;
  for (const auto& part : parts) {
    if (!part.empty()) std::memcpy(flat_.data() + at, part.data(), part.size());
    at += part.size();
  }
  return wide_hash_of<std::byte>(flat_);
}

std::uint64_t ModelMachine::final_state() const {
  std::uint64_t h = observed();
  for (const Word& w : state_.words) {
    h = mix(h, static_cast<std::uint64_t>(w.value));
    h = mix(h, static_cast<std::uint64_t>(w.holder) << 32 | static_cast<std::uint32_t>(w.aux));
  }
  for (const std::int32_t n : state_.read_locks) h = mix(h, static_cast<std::uint64_t>(n));
  // (A token is taken by some thread in the end.)
  for (const ConditionState& c : state_.conditions)
    for (const auto& w : c.waiters()) h = mix(h, w.thread * 2u);
  for (const auto& box : state_.boxes)
    for (const Message& m : box) h = mix(h, m.id * 64 + m.tag);
  return h;
}

std::uint64_t ModelMachine::observed() const {
  return mix(hash_of<std::int64_t>(state_.regs), hash_of<ThreadState>(state_.threads));
}

std::uint64_t ModelMachine::observed(ThreadId thread) const {
  const std::span regs(state_.regs.data() + thread * regs_used_, regs_used_);
  return mix(hash_of<std::int64_t>(regs),
             hash_of(std::span<const ThreadState>(&state_.threads[thread], 1)));
}

}  // namespace heddle::interp
