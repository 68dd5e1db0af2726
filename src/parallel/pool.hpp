// Several processes, each with an engine, and the cubes that they explore. This process explores
// nothing: it hands out cubes, adds up what comes back, and decides what is split.
//
// Invariants:
// - Each cube that is not done is in `open`, or is being explored or split by exactly one engine.
// - What an engine brings is added to the total when its cube is complete, and at no other time.
// - An engine that dies has done nothing: its cube is open again.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "base/resources.hpp"
#include "parallel/control.hpp"
#include "parallel/message.hpp"
#include "parallel/policy.hpp"

namespace heddle::parallel {

class Pool {
 public:
  // `runs` is the number that may still be made.
  Pool(Engine& total, const MakeEngine& make, const Control& control, std::vector<Item>& open,
       Overhead& overhead, std::uint64_t runs);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Engine::End run();

 private:
  enum class State : std::uint8_t { idle, exploring, splitting };
  struct Process {
    Process(pid_t process, Connection connected) : pid(process), connection(std::move(connected)) {}

    pid_t pid;
    Connection connection;
    State state = State::idle;
    bool informed = false;  // of what was known when the pool was made
    bool stopping = false;  // it was asked to stop, or to give up
    Item item;
    std::uint64_t granted = 0;  // runs
    // What it told last.
    Counts counts;
    std::size_t findings = 0;
    double outlook = 0;
    bool divisible = false;
    long memory_kb = 0;
    Stopwatch since;  // it was given the item
    double heard_at = 0;
  };

  using Slot = std::unique_ptr<Process>;

  Slot start();
  [[noreturn]] void become_engine(Connection connection);
  void hand_out();
  void give(Process& to, Item item, Wanted wanted);
  std::uint64_t grant(Process& to);
  void wait();
  void hear(Slot& from);
  void take(Process& from, const Json& message);
  void take_end(Process& from, const Json& message);
  void take_parts(Process& from, const Json& message);
  void lose(Slot& from);
  void settle(Process& from, std::uint64_t used);
  void split_for_hungry();
  void wake_stopped(Process& process);
  void stop_all();
  bool is_working() const;
  Progress progress();
  void save();

  Engine& total_;
  const MakeEngine& make_;
  const Control& control_;
  std::vector<Item>& open_;
  Overhead& overhead_;
  double all_ = 0;  // runs that there seemed to be at the beginning
  std::uint64_t runs_;
  const Json knowledge_;
  std::vector<Slot> processes_;
  Stopwatch now_;
  double hungry_since_ = 0;
  bool stops_ = false;
  Engine::End end_ = Engine::End::complete;
};

}  // namespace heddle::parallel
