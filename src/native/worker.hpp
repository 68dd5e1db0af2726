// A worker process: the program under test, linked with the runtime, and the channel to it.
//
// Promises:
// - Whatever the program does, it cannot harm this process: what arrives is a copy, and its length
//   is true. The Decoder checks the rest.
// - A process that does not answer while it uses `patience` (processes.cpp) of processor time, or
// sleeps
//   for as long, is ended. So is every process that it started, and every process when this object
//   is destroyed.
// - A process is never sent requests under settings other than those of the last `configure`.
//
// Invariants:
// - pid_ is 0 if and only if no process is running or waiting to be reaped.
// - in_flight_ is the number of requests in the present channel whose replies were not received.
// - A new process has a new channel, so that one that is not quite gone cannot write into it. It
//   has the names of the latest generation; a process with older ones is ended before anything is
//   received from it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/runner.hpp"
#include "native/known_table.hpp"
#include "native/shared_channel.hpp"
#include "native/shared_names.hpp"
#include "native/transport.hpp"

namespace heddle::native {

// Where the output of the program goes.
enum class Output : std::uint8_t { nowhere, shown, on_stderr };

// Texts of fates that the system has no words for.
inline constexpr const char* does_not_come_back =
    "the program hangs: it is blocked in a call, or loops without accessing shared memory";
inline constexpr const char* overwrote_channel =
    "the program overwrote the memory that heddle shares with it";

class Worker final : public Transport {
 public:
  // `command` is the program and its arguments. Without `names`, the worker has its own.
  explicit Worker(std::vector<std::string> command, Output output = Output::nowhere,
                  std::shared_ptr<SharedNames> names = nullptr);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // `stop` is called a few times a second while the worker is waited for. If it returns true, and
  // no reply arrives for a moment, what is in flight is dropped: the process is ended, and
  // Interrupted thrown.
  void set_stop(std::function<bool()> stop) { stop_ = std::move(stop); }

  // Settings for all runs from now on. REQUIRES: nothing is in flight.
  void configure(const abi::Settings& settings);
  // Whether threads are numbered anew in each run, in the order in which they are created, rather
  // than as all workers of the program number them. REQUIRES: nothing is in flight.
  void number_afresh(bool afresh);

  SharedNames& names() { return *names_; }

  // The modules of the program, with the functions that they call and do not define. REQUIRES: the
  // process is loaded.
  struct Calls {
    std::vector<abi::Modules::Module> modules;
    std::uint32_t modules_left_out;
  };
  Calls calls();

  // Calls look(process) once its libraries are loaded, and again if the process ended meanwhile.
  // Starts a process if there is none.
  template <typename Look>
  auto with_process(Look look) {
    for (;;) {
      auto out = look(loaded_process());
      if (!has_died()) return out;
    }
  }

  // Transport. `receive` throws Misuse if the program cannot be run at all, and Bug if a check of
  // the runtime has failed.
  bool send(const abi::RequestHeader& header, std::span<const Move> moves) override;
  const abi::ReplyHeader* receive() override;
  void add_known(std::uint64_t key) override { known_.add(key); }
  void forget_known() override { known_.clear(); }
  std::uint64_t in_flight() const override { return in_flight_; }
  const abi::ReplyHeader* unfinished_reply(std::uint32_t serial) override;
  bool has_died() override;
  Fate fate() const override;
  void condemn() override;
  void start_over() override;
  void set_witnessed(bool witnessed) override { witnessed_ = witnessed; }
  void show_output(bool shown) override { muted_ = !shown; }
  bool shows_output() const override { return output_ != Output::nowhere; }
  void pause(double seconds) override;
  std::vector<ThreadId> come_to_be_created() override;

  const std::vector<std::string>& command() const { return command_; }

 private:
  void open_channel();
  void start();
  void start_if_gone();
  pid_t loaded_process();
  [[noreturn]] void become_program(pid_t engine);
  template <typename Ready>
  bool wait_until(Ready ready);
  void await_reply(long nanoseconds);
  void stop_if_asked(double waited);
  bool is_intact();
  void give_up_waiting();
  bool died_before_main();
  void heed_last_word();
  void kill();

  std::vector<std::string> command_;
  Output output_;
  bool muted_ = false;
  std::function<bool()> stop_;
  std::unique_ptr<abi::Settings> settings_;
  bool numbers_afresh_ = false;
  std::shared_ptr<SharedNames> names_;
  std::uint32_t generation_ = 0;  // of the names that the process has
  std::unique_ptr<SharedChannel> channel_;
  KnownTable known_;                  // in the channel, and destroyed before it
  std::vector<std::uint64_t> reply_;  // the copy
  pid_t pid_ = 0;
  std::uint64_t in_flight_ = 0;
  Fate fate_;       // without the cause
  int signal_ = 0;  // that killed it
  bool witnessed_ = false;
  Witness witness_;
  std::uint64_t ended_before_ = 0;  // processes, by the system, for want of memory
  unsigned early_deaths_ = 0;       // in a row, before main
  bool started_ = false;
};

}  // namespace heddle::native
