// A worker without a process, for tests of what lies on the engine's side of the process boundary:
// a tiny program, and a Transport that answers for it, dies, lies or comes late as it is told to.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/runner.hpp"
#include "native/shared_names.hpp"
#include "native/transport.hpp"
#include "runtime/abi/naming.h"

namespace heddle::native {

using Words = std::vector<std::uint64_t>;

inline abi::ReplyHeader& header_of(Words& reply) {
  return *reinterpret_cast<abi::ReplyHeader*>(reply.data());
}
inline const abi::ReplyHeader& header_of(const Words& reply) {
  return *reinterpret_cast<const abi::ReplyHeader*>(reply.data());
}

// Names a step, as a worker does.
inline std::uint32_t named_step(SharedNames& names, std::uint64_t site,
                                std::span<const abi::WireAccess> accesses,
                                std::uint16_t alternatives = 1, Varies varies = Varies::no,
                                bool valued = false) {
  const abi::WireStep head{site, static_cast<std::uint32_t>(accesses.size()), alternatives,
                           static_cast<std::uint8_t>(varies),
                           valued ? std::uint8_t{1} : std::uint8_t{0}};
  Words words(abi::step_words + accesses.size() * abi::access_words);
  std::memcpy(words.data(), &head, sizeof head);
  if (!accesses.empty())
    std::memcpy(words.data() + abi::step_words, accesses.data(), accesses.size_bytes());
  return abi::name_step(names.shared().steps, words.data(),
                        static_cast<std::uint32_t>(words.size()), valued);
}

inline abi::WireAccess memory_access(Mode mode, std::uint64_t address, std::uint8_t mask = 0xff) {
  return {abi::with_mode(address >> abi::granule_bits << abi::mask_bits | mask,
                         static_cast<std::uint8_t>(mode)),
          0, 0};
}

// Appends to a reply.
inline void append(Words& reply, const void* data, std::size_t bytes) {
  const std::size_t at = reply.size();
  reply.resize(at + (bytes + 7) / 8);
  std::memcpy(reply.data() + at, data, bytes);
  header_of(reply).bytes = reply.size() * 8;
}

// A program whose threads each write the same variable a few times.
class TinyProgram {
 public:
  TinyProgram(SharedNames& names, unsigned threads, unsigned writes)
      : threads_(threads), writes_(writes) {
    const abi::WireAccess write = memory_access(Mode::write, 0x1000);
    for (unsigned t = 0; t < threads; ++t)
      for (unsigned k = 0; k < writes; ++k)
        steps_.push_back(named_step(names, 0x100 + 8 * steps_.size(), {&write, 1}));
  }

  unsigned threads() const { return threads_; }
  std::size_t length() const { return steps_.size(); }

  // All events of the run by this schedule. Those after it are made by the first thread that has
  // some left. Fewer than the schedule: it diverges there.
  std::vector<abi::WireEvent> run(std::span<const Move> schedule, bool stop) const {
    std::vector<unsigned> done(threads_);
    std::vector<abi::WireEvent> out;
    const auto take = [&](unsigned thread) {
      out.push_back(
          {{static_cast<std::uint16_t>(thread), 0}, steps_[thread * writes_ + done[thread]++]});
    };
    for (const Move& m : schedule) {
      if (m.thread >= threads_ || m.alternative != 0 || done[m.thread] == writes_) return out;
      take(m.thread);
    }
    for (unsigned t = 0; t < threads_ && !stop; ++t)
      while (done[t] < writes_) take(t);
    return out;
  }

  // The reply to a request, as far as `most` events.
  Words reply(const abi::RequestHeader& request, std::span<const Move> moves,
              std::size_t most = ~std::size_t{0}) const {
    Words out(sizeof(abi::ReplyHeader) / 8);
    std::vector<abi::WireEvent> events = run(moves, request.then == abi::Then::stop);
    const bool diverges = events.size() < moves.size();
    if (events.size() > most) events.resize(most);
    abi::ReplyHeader header{};
    header.ticket = request.ticket;
    header.serial = request.serial;
    header.threads = threads_;
    header.event_count = static_cast<std::uint32_t>(events.size());
    header.ending = diverges                          ? abi::Ending::diverged
                    : request.then == abi::Then::stop ? abi::Ending::stopped
                                                      : abi::Ending::complete;
    header.diverged_at = diverges ? header.event_count : 0;
    const std::size_t known = std::min<std::size_t>(request.known_count, events.size());
    for (std::size_t k = 0; k < known; ++k)
      header.known_hash = abi::hash_after(header.known_hash, events[k]);
    header_of(out) = header;
    append(out, events.data() + known, (events.size() - known) * sizeof(abi::WireEvent));
    return out;
  }

 private:
  unsigned threads_, writes_;
  std::vector<std::uint32_t> steps_;
};

// What becomes of one request.
struct Deed {
  std::optional<Words> reply;       // none: the process dies
  std::optional<Words> unfinished;  // then: what it had written; none: it had not begun
  Fate fate = {};
};

class FakeWorker final : public Transport {
 public:
  using Program = std::function<Deed(const abi::RequestHeader&, std::span<const Move>)>;

  explicit FakeWorker(Program program) : program_(std::move(program)) {}

  // What tests look at, and change.
  std::size_t room = 1000;                         // requests
  std::vector<abi::RequestHeader> sent;            // all that ever were
  unsigned starts = 0, condemned = 0, traced = 0;  // processes
  std::vector<double> pauses;
  bool interrupt = false;  // at the next pause
  std::vector<ThreadId> come;
  std::vector<std::uint64_t> known;  // states

  bool send(const abi::RequestHeader& header, std::span<const Move> moves) override {
    if (requests_.size() == room) return false;
    sent.push_back(header);
    requests_.push_back({header, {moves.begin(), moves.end()}});
    return true;
  }

  void add_known(std::uint64_t key) override { known.push_back(key); }
  void forget_known() override { known.clear(); }

  const abi::ReplyHeader* receive() override {
    if (requests_.empty() || dead_) return nullptr;
    Deed deed = program_(requests_.front().first, requests_.front().second);
    if (!deed.reply) {
      dead_ = true;
      fate_ = deed.fate;
      unfinished_ = std::move(deed.unfinished);
      return nullptr;
    }
    requests_.pop_front();
    reply_ = std::move(*deed.reply);
    return &header_of(reply_);
  }
  std::uint64_t in_flight() const override { return requests_.size(); }

  const abi::ReplyHeader* unfinished_reply(std::uint32_t serial) override {
    if (!unfinished_ || header_of(*unfinished_).serial != serial) return nullptr;
    reply_ = *unfinished_;
    return &header_of(reply_);
  }

  bool has_died() override { return dead_; }
  Fate fate() const override { return fate_; }
  void condemn() override {
    ++condemned;
    dead_ = true;
    unfinished_.reset();
    fate_ = {};
    fate_.text = "overwrote";
    fate_.overwrote = true;
  }
  void start_over() override {
    ++starts;
    if (witnessed_) ++traced;
    requests_.clear();
    dead_ = false;
    unfinished_.reset();
  }

  void set_witnessed(bool witnessed) override { witnessed_ = witnessed; }
  void show_output(bool) override {}
  bool shows_output() const override { return false; }
  void pause(double seconds) override {
    if (interrupt) {
      start_over();
      throw Interrupted();
    }
    pauses.push_back(seconds);
  }
  std::vector<ThreadId> come_to_be_created() override { return come; }

 private:
  Program program_;
  std::deque<std::pair<abi::RequestHeader, std::vector<Move>>> requests_;
  Words reply_;
  std::optional<Words> unfinished_;
  Fate fate_;
  bool dead_ = false, witnessed_ = false;
};

}  // namespace heddle::native
