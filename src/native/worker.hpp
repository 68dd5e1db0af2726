// A worker process: the program under test, linked with the runtime, and the channel to it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/runner.hpp"
#include "native/shared_channel.hpp"
#include "native/step_table.hpp"
#include "native/witness.hpp"

namespace heddle::native {

// Where what the program prints goes.
enum class Output : std::uint8_t { nowhere, shown, on_stderr };

// What is said of one of which nothing is heard, and of one that cannot be believed.
inline constexpr const char* does_not_come_back =
    "the program does not come back: it is blocked in a call, or loops without touching shared "
    "memory";
inline constexpr const char* overwrote_channel =
    "the program overwrote the memory that heddle shares with it";

class Worker {
 public:
  // The program and its arguments.
  explicit Worker(std::vector<std::string> command, Output output = Output::nowhere);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Asked a few times a second while something is waited for. If it says so, and nothing comes for
  // a moment, what is under way is given up: the process is ended, and Interrupted thrown.
  void set_stop(std::function<bool()> stop) { stop_ = std::move(stop); }

  // To be changed only while no request is under way; the worker sees it before the next.
  abi::Settings& settings() { return *settings_; }
  void settings_changed();

  // What a step of an event does, and to what. Throws Overwritten if there is none of this name.
  StepTable::Step step(std::uint32_t name) {
    name &= ~abi::waits_bit;
    if (name != 0 && !has_step(name)) throw Overwritten();
    return steps_[name];
  }
  // See StepTable.
  std::uint32_t step_with_use(std::uint32_t name, const Access& use) const {
    return steps_.with_use(name, use);
  }
  bool has_step(std::uint32_t name) { return steps_.has(name, channel_->dictionary()); }

  // The numbers of threads, by who created them. None: they are numbered anew, as they are created.
  struct Numbering {
    std::uint32_t named = 0;
    std::uint8_t children[abi::max_threads][abi::max_threads] = {};
  };
  Numbering numbering();
  void set_numbering(const Numbering& numbering);

  // Of the last run, if nothing is under way: threads in the order in which others came to create
  // them, which is that of their numbers if they had none before.
  std::vector<ThreadId> come_to_be_created();

  // What the program called that it does not define, as abi::Calls has it. To be read when the
  // process is loaded.
  struct Calls {
    std::vector<abi::Calls::Module> modules;
    std::vector<std::uint8_t> called;
    std::uint32_t modules_left_out;
  };
  Calls calls();

  // Calls look(process) when its libraries are loaded, and again if it ended meanwhile, until it
  // did not. The process is started if there is none.
  template <typename Look>
  auto with_process(Look look) {
    for (;;) {
      auto out = look(loaded_process());
      if (!has_died()) return out;
    }
  }

  // Sends a request. False: there is no room before a reply has been taken.
  bool send(const abi::RequestHeader& header, std::span<const Move> moves);

  // The oldest reply, waited for: a copy. Null: the worker died, or took too long and was killed,
  // or what it wrote cannot be; `fate` says what happened. Throws Misuse if the program cannot be
  // run at all.
  const abi::ReplyHeader* receive();
  // The reply is no longer needed.
  void take(const abi::ReplyHeader& reply) {
    channel_->replies().consume(reply.bytes);
    --under_way_;
  }
  // Requests whose replies have not been taken.
  std::uint64_t under_way() const { return under_way_; }

  // There is no process, or none any more; `fate` says what became of it.
  bool has_died();
  const std::string& fate() const { return fate_; }
  bool took_too_long() const { return took_too_long_; }
  // Processes that are yet to be started are watched, to see why they die; they are slow then.
  void set_witnessed(bool witnessed) { witnessed_ = witnessed; }
  // It was killed by what anybody can send it; and who did that, if it is known.
  bool was_sent_signal() const;
  Witness::Cause cause() const;
  // Of a process that died: seconds of a processor's time.
  double time_used_up() const { return time_used_up_; }
  // Waits, unless it is asked to stop.
  void pause(double seconds);
  // What it wrote cannot be: it is ended.
  void condemn();

  // Of a dead worker: as much of the reply to this request as it had written, and as can be, as if
  // the run had ended there. Of its events, so many were not to be sent; whether one of the others
  // can be, if there are so many threads, is asked. Null: it had not begun.
  using IsPossible = std::function<bool(const abi::WireEvent&, std::size_t threads)>;
  const abi::ReplyHeader* unfinished_reply(std::uint32_t serial, std::uint32_t known,
                                           const IsPossible& is_possible);
  // Forgets all requests and replies; the next request starts a new process. It knows all names
  // that the one before gave.
  void start_over();
  // Whether what the program prints is shown in processes that are yet to be started.
  void show_output(bool shown) { muted_ = !shown; }
  bool shows_output() const { return output_ != Output::nowhere; }

  const std::vector<std::string>& command() const { return command_; }

 private:
  void open_channel();
  void inherit();
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
  std::unique_ptr<SharedChannel> channel_;
  StepTable steps_;
  Numbering numbering_;               // as far as it was seen
  std::vector<std::uint8_t> called_;  // by workers that are gone
  std::vector<std::uint64_t> reply_;  // the copy
  pid_t pid_ = 0;
  std::uint64_t under_way_ = 0;
  std::string fate_;
  int signal_ = 0;  // that killed it
  double time_used_up_ = 0;
  bool witnessed_ = false;
  Witness witness_;
  std::uint64_t ended_before_ = 0;  // for want of memory
  bool took_too_long_ = false;
  unsigned early_deaths_ = 0;  // in a row, before they came to main
  bool started_ = false;
};

}  // namespace heddle::native
