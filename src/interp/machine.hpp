// The semantics of model programs.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "core/machine.hpp"
#include "interp/knowledge.hpp"
#include "interp/program.hpp"
#include "model/condition.hpp"

namespace heddle::interp {

// Values are 64-bit and wrap around.
inline std::int64_t wrapping_add(std::int64_t x, std::int64_t y) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
}
inline std::int64_t wrapping_multiply(std::int64_t x, std::int64_t y) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
}

// Owns its program's footprints. Copies the program.
class ModelMachine final : public Machine {
 public:
  explicit ModelMachine(Program program, const Dependence& dependence = Dependence::standard());

  std::size_t thread_count() const override { return program_.threads.size(); }
  const Footprints& footprints() const override { return footprints_; }
  const Program& program() const { return program_; }
  const Cube& cube() const override { return cube_; }
  // Explores a part of the schedules only. REQUIRES: the threads exist. To be called before
  // reset().
  void restrict_to(Cube cube);

  void reset() override;
  // How often it was: what was saved before is gone.
  std::uint64_t resets() const { return resets_; }
  bool has_time_outs() const override { return has_time_outs_; }
  bool stuck() const override { return first_enabled() == thread_count(); }
  void enabled(std::vector<Move>& out) const override;
  Event step(Move move) override;
  std::string why_not(Move move) const override;
  void save() override;
  void restore() override;
  void drop() override;
  std::span<const Pending> pending() const override;
  Ending ending() const override;
  bool finding() const { return state_.finding; }
  Outcome outcome() const override;
  std::span<const RacingPair> races() const override { return state_.knowledge.races(); }
  bool has_plain() const override { return has_plain_; }
  const Knowledge& knowledge() const { return state_.knowledge; }
  // Which instruction of which thread an access of a pair is.
  struct Where {
    ThreadId thread;
    std::size_t instruction;
  };
  static Where where(const PlainAccess& access) {
    return {static_cast<ThreadId>(access.place >> 32), access.place & ~std::uint32_t{0}};
  }
  // Of the last step; and what comes before the first.
  std::span<const Act> stretch() const { return acts_; }
  std::span<const Act> beginning() const { return beginning_; }
  void describe(std::vector<std::int64_t>& control,
                std::vector<std::int64_t>& memory) const override;
  // Of all that describe() tells.
  Digest digest() const;
  std::uint64_t final_state() const override;
  std::uint64_t observed() const override;
  std::uint64_t observed(ThreadId thread) const override;

  bool is_enabled(ThreadId thread) const;
  // The first thread that is enabled, or thread_count().
  ThreadId first_enabled() const;
  // The number of alternatives of the thread's next step.
  std::uint16_t alternatives(ThreadId thread) const;
  // The first thread in a wait that can time out, which happens only if no thread can continue; or
  // thread_count().
  ThreadId next_time_out() const;
  // This step, had it used its first object in this way.
  Event with_use(Event event, const Access& use);
  // Whether the move is a time-out that is possible now.
  bool times_out(Move move) const {
    return has_time_outs_ && move.alternative == timing_out && stuck() &&
           next_time_out() == move.thread;
  }

  static constexpr std::uint16_t timing_out = 1;  // the alternative

 private:
  enum class Status : std::uint16_t { absent, running, done, stopped, crashed };

  struct ThreadState {
    std::int32_t pc = 0;
    std::int32_t ticket = 0;  // the generation of the barrier it waits at
    std::uint32_t taken = 0;  // steps
    std::uint32_t phase = 0;  // within an instruction of several steps
    Status status = Status::absent;
    ThreadId id = 0;
  };
  struct Word {  // the state of a declared object; its meaning depends on the kind
    std::int64_t value = 0;
    std::int32_t holder = 0;  // a lock's owner + 1; of an rwlock, its writer
    std::int32_t aux = 0;     // readers; a barrier's generation; allocated
  };
  struct Message {
    std::uint64_t id;
    std::uint32_t tag;
    ThreadId sender;
  };
  struct State {
    std::vector<Word> words;
    std::vector<ThreadState> threads;
    std::vector<std::int64_t> regs;        // as many as the program uses, for each thread
    std::vector<std::int32_t> read_locks;  // held, by rwlock, for each thread
    std::vector<ConditionState> conditions;
    std::vector<std::vector<Message>> boxes;  // none if no thread uses its own
    std::vector<std::vector<ThreadId>>
        joined;  // by thread: those it has joined since its last step
    std::uint32_t steps = 0;
    bool finding = false;
    Knowledge knowledge;  // nothing of what is described: it differs between ways to a state
  };

  const Instruction& at(const ThreadState& t) const {
    return program_.threads[t.id].code[static_cast<std::size_t>(t.pc)];
  }
  std::int64_t reg(const ThreadState& t, std::int8_t r) const {
    return state_.regs[t.id * regs_used_ + static_cast<std::size_t>(r)];
  }
  std::int64_t value(const ThreadState& t, const Value& v) const {
    return v.reg < 0 ? v.constant : wrapping_add(v.constant, reg(t, v.reg));
  }
  void put(const ThreadState& t, std::int8_t r, std::int64_t v) {
    if (r >= 0) state_.regs[t.id * regs_used_ + static_cast<std::size_t>(r)] = v;
  }
  Location object(const ThreadState& t, const Instruction& i) const {
    if (i.index < 0) return i.object;
    const std::int64_t index = reg(t, i.index);
    constexpr Location nowhere = ~Location{0};
    return index < 0 || index >= static_cast<std::int64_t>(program_.object_count())
               ? nowhere
               : i.object + static_cast<Location>(index);
  }
  bool in_range(const Instruction& i, Location object) const {
    if (i.index < 0) return true;
    if (i.object >= program_.mailbox(0)) return object < program_.object_count();
    if (i.object >= program_.objects.size()) return object < program_.mailbox(0);
    return object >= i.object && object < i.object + program_.objects[i.object].length;
  }
  ConditionState& condition(Location object) { return state_.conditions[place_[object]]; }
  const ConditionState& condition(Location object) const {
    return state_.conditions[place_[object]];
  }

  // Execute what is not a step, up to the next step: of one thread; of all threads that are not at
  // a step.
  void settle(ThreadState& t);
  void settle_all();
  bool goes_on(const ThreadState& t) const;
  void join(const ThreadState& t, std::size_t other);
  bool is_enabled(const ThreadState& t) const;
  // Its step can be taken, but for a wait of the cube.
  bool could_step(const ThreadState& t) const {
    return t.status == Status::running && (at(t).op < Op::lock || instruction_enabled(t));
  }
  bool is_held(const ThreadState& t) const { return !cube_.empty() && is_held_by_cube(t); }
  bool is_held_by_cube(const ThreadState& t) const;
  // Some thread could continue, or time out, if it were not held back.
  bool any_held() const;
  bool instruction_enabled(const ThreadState& t) const;
  bool in_timed_wait(const ThreadState& t) const;
  void crash(ThreadState& t);
  void touch(Location object, Mode mode, std::uint64_t a = 0, std::uint64_t b = 0);
  void add_joined(const ThreadState& t, std::vector<Access>& out) const;
  void advance(ThreadState& t) { ++t.pc; }
  void execute(ThreadState& t, Move move);
  void execute_memory(ThreadState& t, const Instruction& i);
  void execute_mutex(ThreadState& t, const Instruction& i);
  void execute_rwlock(ThreadState& t, const Instruction& i);
  void execute_condition(ThreadState& t, const Instruction& i);
  void use_condition(const ThreadState& t, const Access& use);
  void time_out(ThreadState& t, const Instruction& i);
  void execute_semaphore(ThreadState& t, const Instruction& i);
  void execute_barrier(ThreadState& t, const Instruction& i);
  void execute_message(ThreadState& t, const Instruction& i);
  void execute_block(ThreadState& t);
  void execute_local(ThreadState& t, const Instruction& i);
  void execute_plain(ThreadState& t, const Instruction& i);
  // What is done and learned, as far as data races depend on it. `which`: of several parts of an
  // object.
  void find_plain();
  Name knower(Location object, std::uint64_t which);
  void act(const Act& act);
  void acquire(const ThreadState& t, Location object, std::uint64_t which = 0);
  void release(const ThreadState& t, Location object, std::uint64_t which = 0);
  void acquire_thread(const ThreadState& t, std::size_t joined);
  void release_to_thread(const ThreadState& t, std::size_t created);
  void fence(const ThreadState& t, MemoryOrder order);
  void access(const ThreadState& t, Location object, bool writes, bool atomic);
  void order_access(const ThreadState& t, const Instruction& i, bool reads, bool writes);
  FootprintId footprint(const ThreadState& t, std::size_t slot);
  FootprintId pending_footprint(const ThreadState& t) const;
  Access pending_access(const ThreadState& t) const;
  std::size_t thread_at(Location object) const { return object - program_.thread_object(0); }
  void describe_thread(const ThreadState& t, std::vector<std::int64_t>& out) const;
  void describe_rest(std::vector<std::int64_t>& control) const;

  Program program_;
  Cube cube_;
  std::vector<std::vector<Wait>> waits_;  // of the cube, by the thread that waits
  mutable Footprints footprints_;
  std::vector<std::uint32_t> place_;  // of a condition or an rwlock: which it is
  std::size_t rwlocks_ = 0;
  bool has_thread_steps_ = false;           // threads that create or join others
  std::vector<std::vector<bool>> varying_;  // by thread and instruction: a block that branches
  std::size_t regs_used_ = 1;
  bool has_time_outs_ = false;
  bool has_plain_ = false;
  std::vector<bool> is_plain_;  // by object: there are plain accesses to it
  std::map<std::pair<Location, std::uint64_t>, Name> names_;
  Accesses accesses_;
  std::vector<Act> acts_, beginning_;
  State initial_, state_;
  std::vector<State> saved_;
  std::size_t depth_ = 0;
  std::uint64_t resets_ = 0;
  mutable std::vector<Pending> pending_;
  mutable std::vector<std::int64_t> control_;
  mutable std::vector<std::byte> flat_;
  std::vector<Access> touched_;
  Varies varies_ = Varies::no;
  std::uint16_t value_ = 0;  // of the event
  // By thread and instruction: the last footprints there, to find them without hashing.
  struct Recent {
    Access access;
    FootprintId footprint = Footprints::empty;
  };
  std::vector<std::vector<std::array<Recent, 2>>> recent_;
};

}  // namespace heddle::interp
