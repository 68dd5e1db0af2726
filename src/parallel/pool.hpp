// Several processes, each with an engine, and the cubes that they explore. This process explores
// nothing: it carries out what a dispatcher decides (dispatcher.hpp), and adds up what comes back.
//
// Invariants:
// - What an engine brings is added to the total when its cube is complete, and at no other time.
// - An engine that dies is replaced by another.
#pragma once

#include <sys/types.h>

#include <memory>
#include <vector>

#include "base/resources.hpp"
#include "parallel/control.hpp"
#include "parallel/dispatcher.hpp"
#include "parallel/message.hpp"

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
  struct Process {
    Process(pid_t process, Connection connected) : pid(process), connection(std::move(connected)) {}

    pid_t pid;
    Connection connection;
    bool informed = false;  // of what was known when the pool was made
    // What it told last of the cube that it explores.
    Counts counts;
    std::size_t findings = 0;
    std::uint64_t open = 0;
    long memory_kb = 0;
    double heard_at = 0;
  };

  using Slot = std::unique_ptr<Process>;

  Slot start(std::size_t engine);
  [[noreturn]] void become_engine(Connection connection);
  void carry_out(const Order& order);
  void wait();
  void hear(std::size_t from);
  void take(std::size_t from, const Json& message);
  void take_look(std::size_t from, const Json& message);
  void take_end(std::size_t from, const Json& message);
  void take_halves(std::size_t from, const Json& message);
  void lose(std::size_t from);
  void wake_stopped(std::size_t at);
  Progress progress();

  Engine& total_;
  const MakeEngine& make_;
  const Control& control_;
  std::vector<Item>& open_;
  Overhead& overhead_;
  const Json knowledge_;
  Dispatcher dispatcher_;
  std::vector<Slot> processes_;
  Stopwatch now_;
  Engine::End end_ = Engine::End::complete;
};

}  // namespace heddle::parallel
