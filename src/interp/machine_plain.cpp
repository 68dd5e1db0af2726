// What each instruction means for data races: which acts it is (model/stretch.hpp).
#include "interp/machine.hpp"

namespace heddle::interp {
namespace {

bool acquires(MemoryOrder o) {
  return o == MemoryOrder::acquire || o == MemoryOrder::acquire_release ||
         o == MemoryOrder::sequential;
}
bool releases(MemoryOrder o) {
  return o == MemoryOrder::release || o == MemoryOrder::acquire_release ||
         o == MemoryOrder::sequential;
}

// Names of a thread: its own, what it released last by a fence, what a fence would acquire.
enum : Name { itself, released, to_acquire, names_of_thread };

Name name(ThreadId thread, Name which = itself) { return thread * names_of_thread + which; }

}  // namespace

void ModelMachine::find_plain() {
  is_plain_.resize(program_.objects.size());
  for (const Thread& t : program_.threads)
    for (const Instruction& i : t.code) {
      if (i.op != Op::plain_read && i.op != Op::plain_write) continue;
      has_plain_ = true;
      const std::uint32_t several = i.index < 0 ? 1 : program_.objects[i.object].length;
      for (std::uint32_t k = 0; k < several; ++k) is_plain_[i.object + k] = true;
    }
}

// A name for each object, generation of a barrier or message, as they come along.
Name ModelMachine::knower(Location object, std::uint64_t which) {
  const auto next = static_cast<Name>(thread_count() * names_of_thread + names_.size());
  return names_.emplace(std::pair(object, which), next).first->second;
}

void ModelMachine::act(const Act& act) {
  acts_.push_back(act);
  state_.knowledge.apply(act, accesses_);
}

void ModelMachine::acquire(const ThreadState& t, Location object, std::uint64_t which) {
  if (has_plain_) act(Act::acquire(name(t.id), knower(object, which)));
}

void ModelMachine::release(const ThreadState& t, Location object, std::uint64_t which) {
  if (has_plain_) act(Act::release(name(t.id), knower(object, which)));
}

void ModelMachine::acquire_thread(const ThreadState& t, std::size_t joined) {
  if (has_plain_) act(Act::acquire(name(t.id), name(static_cast<ThreadId>(joined))));
}

void ModelMachine::release_to_thread(const ThreadState& t, std::size_t created) {
  if (has_plain_) act(Act::begin(name(t.id), name(static_cast<ThreadId>(created))));
}

void ModelMachine::fence(const ThreadState& t, MemoryOrder order) {
  if (!has_plain_) return;
  if (acquires(order)) act(Act::acquire(name(t.id), name(t.id, to_acquire)));
  if (releases(order)) act(Act::begin(name(t.id), name(t.id, released)));
}

void ModelMachine::access(const ThreadState& t, Location object, bool writes, bool atomic) {
  if (!has_plain_ || !is_plain_[object]) return;
  act(Act::access({.granule = object,
                   .place = std::uint64_t{t.id} << 32 | static_cast<std::uint32_t>(t.pc),
                   .thread = name(t.id),
                   .writes = writes,
                   .atomic = atomic}));
}

// An `add` sees nothing, and so it acquires nothing: two of them commute.
void ModelMachine::order_access(const ThreadState& t, const Instruction& i, bool reads,
                                bool writes) {
  if (!has_plain_) return;
  const Location o = object(t, i);
  const Name what = knower(o, 0);
  if (reads) act(Act::acquire(name(t.id, acquires(i.order) ? itself : to_acquire), what));
  access(t, o, writes, true);
  if (!writes) return;
  const Name whose = name(t.id, releases(i.order) ? itself : released);
  act(i.op == Op::write ? Act::begin(whose, what) : Act::release(whose, what));
}

void ModelMachine::execute_plain(ThreadState& t, const Instruction& i) {
  const Location o = object(t, i);
  if (!in_range(i, o)) return crash(t);
  access(t, o, i.op == Op::plain_write, false);
  if (i.op == Op::plain_read)
    put(t, i.dst, state_.words[o].value);
  else
    state_.words[o].value = value(t, i.value);
  advance(t);
}

}  // namespace heddle::interp
