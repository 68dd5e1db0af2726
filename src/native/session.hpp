// The conversation with one worker: its queue of requests, the known prefixes that it need not
// send, the repetition of schedules to detect nondeterminism, and recovery when it dies.
//
// Promises:
// - Every request is answered exactly once, unless Nondeterminism, Misuse, Bug or Interrupted is
//   thrown; in the order of submission, except those that have to be repeated with nothing known.
//   After Interrupted, nothing is in flight.
// - An answer is what the schedule does, not something that happened to a process. If a worker dies
//   or writes what no worker writes, its requests are sent again to new processes; only a schedule
//   that ends processes repeatedly, at the same place and in the same way, is answered by a death.
// - Every `repeat_every`-th schedule is run twice, the second time from the very beginning with
//   nothing known, no states either. If the two differ, Nondeterminism is thrown. If only states
//   differ, that is noted: they may differ in memory that has no meaning.
// - If a run diverges from its known prefix, the request is repeated with nothing known.
//
// Invariants:
// - queue_ has the requests that are not answered, in the order in which the worker gets them. The
//   repetition of a request is directly after it.
// - kept_ has replies to the first requests of the queue, in order; those to the others are in
//   flight, or have to be requested again because the worker is gone.
// - last_known_ and hashes_ describe the known events of the request that was submitted last:
//   hashes_[k] is the hash of the first k of them.
//
// A Session does not decode replies: it has the Decoder check them, which it may share with other
// sessions. It is the only owner of its Transport.
#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/decoder.hpp"
#include "native/reply.hpp"
#include "native/transport.hpp"

namespace heddle::native {

// The number of the next request: no two requests in flight have the same, and none has 0.
constexpr std::uint32_t serial_after(std::uint32_t serial) {
  return serial == ~0U ? 1 : serial + 1;
}
static_assert(serial_after(0) == 1 && serial_after(~0U) == 1);

// Thrown if two runs of one schedule differ.
struct Nondeterminism {
  std::size_t step;  // at which they diverge
  std::uint64_t site;
  Schedule schedule;
};

class Session {
 public:
  // REQUIRES: the worker is configured, and repeat_every is not 0.
  Session(Transport& worker, Decoder& decoder, std::uint64_t repeat_every);

  // The answer to a request. It refers to buffers of the session and of the worker: valid until the
  // next call of any function of either.
  struct Answer {
    const abi::ReplyHeader& reply;  // accepted by the decoder
    std::span<const Event> known;   // the first events of the run, which the reply lacks
    std::span<const Move> moves;    // of the request, without those that sleep
    std::uint32_t digest_from = 0;  // the reply has no digests for this number of events
    const Fate* death = nullptr;    // the schedule ends the process: the reply is what was salvaged
    // For a run that was made alone, or that ended the process: its threads, in the order in which
    // it created them.
    std::span<const ThreadId> come = {};
  };

  // The number of requests that may be in flight: fewer if replies are long.
  std::size_t capacity() const { return capacity_; }

  // REQUIRES: the known prefix is not longer than the schedule, and was decoded by this session's
  // decoder.
  void submit(const Request& request, abi::Then then);
  // Waits for the oldest answer. REQUIRES: a request is unanswered.
  Answer next();

  // Whether the states of two runs of one schedule differed, or their stretches, though their
  // events did not.
  bool states_differ() const { return states_differ_; }

  // The schedule that is submitted next will be run twice.
  void repeat_next() { runs_ = 0; }
  // Call it when no more answers are needed: a schedule that is being run a second time may still
  // differ.
  void finish();

  // Waits for all answers in flight, and drops them.
  void drain();
  // Drains, then runs a schedule once, alone, with nothing known.
  Answer run_alone(std::span<const Move> schedule, abi::Then then);

 private:
  struct Asked {
    abi::RequestHeader header{};
    std::vector<Move> moves;   // those that sleep are the last
    std::vector<Event> known;  // the known prefix of its log
    std::uint64_t known_hash = 0;
    bool again = false;  // the repetition of the request before it

    void forget_known();
    std::span<const Move> schedule() const { return std::span(moves).first(header.move_count); }
  };

  // How a process died, and how far its run had come.
  struct Death {
    std::string fate;
    std::uint32_t events, waiting, going;
    double used;  // seconds of processor time, if the cause is not known

    bool agrees_with(const Death& other) const;
  };

  Asked unused();
  std::uint32_t next_serial() { return serial_ = serial_after(serial_); }
  void keep_known(std::span<const Event> known, Asked& asked);
  void send(const Asked& asked);
  void ask_for_all();
  const abi::ReplyHeader* receive();
  const abi::ReplyHeader* answer();
  void keep(const abi::ReplyHeader& reply);
  void retire();
  Answer answered(const abi::ReplyHeader& reply);
  void keep_first_run(const abi::ReplyHeader& reply);
  void check_same(const abi::ReplyHeader& reply);
  bool repeats_first(const abi::ReplyHeader& reply, std::span<const abi::WireEvent> events) const;
  void compare_states(const abi::ReplyHeader& reply, ReplyReader reader);

  bool examine();
  bool ask_alone();
  void salvage();
  std::optional<Death> death_of_worker();
  bool drop_repetition_of_cut();
  Answer death();
  Schedule scheduled() const { return {answered_.schedule().begin(), answered_.schedule().end()}; }

  Transport& worker_;
  Decoder& decoder_;
  const std::uint64_t repeat_every_;
  std::size_t capacity_;
  std::uint32_t serial_ = 0;
  std::uint64_t runs_ = 0;
  std::deque<Asked> queue_;
  Asked answered_;             // the request of the answer that was handed out last
  std::vector<Asked> unused_;  // for their memory
  std::deque<std::vector<std::uint64_t>>
      kept_;                             // replies that were received to make room in the ring
  std::vector<std::uint64_t> received_;  // one of them, handed out
  std::vector<Event> last_known_;
  std::vector<std::uint64_t> hashes_ = {0};
  // The run that is being repeated.
  std::uint32_t second_serial_ = 0;  // of its repetition
  std::vector<abi::WireEvent> first_run_;
  abi::Finding first_finding_ = abi::Finding::none;
  std::optional<std::uint64_t> first_value_;
  bool first_is_cut_ = false;  // in a known state
  std::vector<abi::WireDigest> first_digests_;
  std::vector<abi::WireStretch> first_stretches_;
  std::vector<abi::WireAct> first_acts_;
  bool states_differ_ = false;
  // The worker that died last.
  Fate fate_;
  std::vector<ThreadId> come_;
  std::vector<std::uint64_t> salvaged_;  // its reply to the first of the queue; empty: none begun
};

}  // namespace heddle::native
