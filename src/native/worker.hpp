// A worker process: the program under test, linked with the runtime, and the channel to it.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "model/runner.hpp"
#include "runtime/ring.hpp"

namespace heddle::native {

// Where what the program prints goes.
enum class Output : std::uint8_t { nowhere, shown, on_stderr };

// What is said of one of which nothing is heard.
inline constexpr const char* does_not_come_back =
    "the program does not come back: it is blocked in a call, or loops without touching shared "
    "memory";

class Worker {
 public:
  // The program and its arguments.
  explicit Worker(std::vector<std::string> command, Output output = Output::nowhere);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // To be changed only while no request is under way; the worker sees it before the next.
  abi::Settings& settings() { return channel_->settings; }
  void settings_changed() { channel_->settings_epoch.fetch_add(1, std::memory_order_release); }

  // What a step of an event does, and to what.
  struct Step {
    const abi::WireStep& head;
    std::span<const abi::WireAccess> accesses;
  };
  Step step(std::uint32_t name) const {
    const std::uint64_t* at = dictionary_->words + (name & ~abi::waits_bit);
    const auto& head = *reinterpret_cast<const abi::WireStep*>(at);
    return {head, {reinterpret_cast<const abi::WireAccess*>(&head + 1), head.access_count}};
  }

  // The numbers of threads, by who created them. None: they are numbered anew, as they are created.
  struct Numbering {
    std::uint32_t named = 0;
    std::uint8_t children[abi::max_threads][abi::max_threads] = {};
  };
  Numbering numbering() const;
  void set_numbering(const Numbering& numbering);

  // Of the last run, if nothing is under way: threads in the order in which others came to create
  // them, which is that of their numbers if they had none before.
  std::vector<ThreadId> come_to_be_created() const {
    return {channel_->come, channel_->come + channel_->come_count};
  }

  // What the program called that it does not define. To be read when the process is loaded.
  const abi::Calls& calls() const { return channel_->calls; }

  // The process, started if there is none; when its libraries are loaded.
  pid_t loaded_process();

  // Sends a request. False: there is no room before a reply has been taken.
  bool send(const abi::RequestHeader& header, std::span<const Move> moves);

  // The oldest reply, waited for. Null: the worker died, or took too long and was killed; `fate`
  // says what happened.
  const abi::ReplyHeader* receive();
  // The reply is no longer needed.
  void take(const abi::ReplyHeader& reply) {
    replies_.consume(reply.bytes);
    --under_way_;
  }
  // Requests whose replies have not been taken.
  std::uint64_t under_way() const { return under_way_; }

  // There is no process, or none any more; `fate` says what became of it.
  bool has_died();
  const std::string& fate() const { return fate_; }
  bool took_too_long() const { return took_too_long_; }

  // Of a dead worker: as much of the reply as it had written.
  const abi::ReplyHeader& unfinished_reply() const;
  // Forgets all requests and replies; the next request starts a new process.
  void start_over();

  const std::vector<std::string>& command() const { return command_; }

 private:
  void* map(std::uint64_t offset, std::uint64_t size);
  char* map_ring(std::uint64_t offset, std::uint64_t size);
  void open_rings();
  void start();
  void start_if_gone();
  [[noreturn]] void become_program();
  void kill();
  pid_t making_run() const;
  void heed_last_word() const;

  std::vector<std::string> command_;
  Output output_;
  int fd_ = -1;
  abi::Channel* channel_ = nullptr;
  abi::Dictionary* dictionary_ = nullptr;
  char *request_memory_ = nullptr, *reply_memory_ = nullptr;
  abi::RingEnd requests_, replies_;
  pid_t pid_ = 0;
  std::uint64_t under_way_ = 0;
  std::string fate_;
  bool took_too_long_ = false;
};

}  // namespace heddle::native
