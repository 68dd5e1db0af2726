#include "parallel/pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "parallel/engine_process.hpp"

namespace heddle::parallel {
namespace {

using End = Engine::End;

// An engine that is killed from outside is not likely to be so again with the same cube.
constexpr unsigned most_deaths = 3;

// An engine that says nothing for so long may have been stopped by a signal.
constexpr double silence = 1;  // seconds

[[noreturn]] void fail(const Json& message) {
  const std::string kind = message.at("kind"), text = message.at("text");
  if (kind == "memory") throw std::bad_alloc();
  if (kind == "misuse") throw Misuse(text);
  throw Bug(text);
}

void add(Json& message, Wanted wanted) {
  message["parts"] = wanted.parts;
  message["least"] = wanted.least;
}

// Of what an engine brought.
std::uint64_t runs_in(const Json& yield) {
  return yield.is_null() ? 0 : runs_of(counts_of(yield.at("counts")));
}

}  // namespace

Pool::Pool(Engine& total, const MakeEngine& make, const Control& control, std::vector<Item>& open,
           Overhead& overhead, std::uint64_t runs)
    : total_(total),
      make_(make),
      control_(control),
      open_(open),
      overhead_(overhead),
      runs_(runs),
      knowledge_(total.knowledge()) {
  for (const Item& item : open) all_ += item.estimate;
  for (unsigned k = 0; k < control.engines; ++k) processes_.push_back(start());
  overhead_.engines = std::max(overhead_.engines, control.engines);
}

// Engines end when their connections do.
Pool::~Pool() {
  long memory = 0;
  for (Slot& p : processes_) {
    const pid_t pid = p->pid;
    memory += p->memory_kb;
    p.reset();
    kill(pid, SIGCONT);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  overhead_.memory_kb = std::max(overhead_.memory_kb, memory);
}

Pool::Slot Pool::start() {
  auto [here, there] = Connection::pair();
  std::fflush(nullptr);  // or both would write what is buffered
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw Misuse(fmt::format("cannot start an engine: {}", std::strerror(errno)));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    {
      const Connection closed = std::move(here);
    }
    become_engine(std::move(there));
  }
  return std::make_unique<Process>(child, std::move(here));
}

void Pool::become_engine(Connection connection) {
  // The other process decides what an interrupt means. (A handler, because programs that are run
  // would inherit that a signal is ignored.)
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, [](int) {});
  // Or the other engines would seem to live on when their process is gone.
  processes_.clear();
  {
    const std::unique_ptr<Engine> engine = make_();
    serve(*engine, connection, control_.most_nodes);
  }
  _exit(0);
}

End Pool::run() {
  for (;;) {
    if (!stops_) hand_out();
    if (!is_working()) break;
    if (!stops_ && !control_.may_continue(progress())) {
      end_ = End::stopped;
      stop_all();
    }
    if (!stops_ && control_.save_now()) save();
    wait();
    if (!stops_) split_for_hungry();
  }
  if (end_ == End::complete && !open_.empty()) return End::stopped;  // no more runs are allowed
  return end_;
}

bool Pool::is_working() const {
  return std::ranges::any_of(processes_, [](const Slot& p) { return p->state != State::idle; });
}

// The largest first, so that the last are small.
void Pool::hand_out() {
  std::ranges::stable_sort(open_, {}, &Item::estimate);
  for (const Slot& p : processes_) {
    if (open_.empty() || runs_ == 0) return;
    if (p->state != State::idle) continue;
    Item item = std::move(open_.back());
    open_.pop_back();
    const Wanted parts = parts_of(item, all_, processes_.size());
    give(*p, std::move(item), parts);
  }
}

// `wanted`: none: to be explored.
void Pool::give(Process& to, Item item, Wanted wanted) {
  to.item = std::move(item);
  const bool explores = wanted.parts == 0;
  to.state = explores ? State::exploring : State::splitting;
  to.stopping = to.divisible = false;
  to.counts = {};
  to.findings = 0;
  to.outlook = to.item.estimate;
  to.since = {};
  to.heard_at = now_.seconds();
  Json message{{says, explores ? says_explore : says_split}, {"item", to_json(to.item)}};
  explores ? void(message["runs"] = grant(to)) : add(message, wanted);
  if (!std::exchange(to.informed, true)) message["knowledge"] = knowledge_;
  to.connection.send(message);  // that it is gone shows when it is listened to
}

std::uint64_t Pool::grant(Process& to) {
  const std::uint64_t runs = runs_ == Look::any_number
                                 ? runs_
                                 : (runs_ + 2 * processes_.size() - 1) / (2 * processes_.size());
  to.granted += runs_ == Look::any_number ? 0 : runs;
  runs_ -= runs_ == Look::any_number ? 0 : runs;
  return runs;
}

// What was granted and not used, or used in vain, can be used by others.
void Pool::settle(Process& from, std::uint64_t used) {
  if (runs_ != Look::any_number) runs_ += from.granted - std::min(used, from.granted);
  from.granted = 0;
}

void Pool::wait() {
  std::vector<pollfd> waiting;
  for (const Slot& p : processes_) waiting.push_back({p->connection.fd(), POLLIN, 0});
  constexpr int milliseconds = static_cast<int>(Look::every * 1000);
  if (poll(waiting.data(), waiting.size(), milliseconds) < 0 && errno != EINTR)
    throw Bug(fmt::format("poll: {}", std::strerror(errno)));
  for (std::size_t k = 0; k < waiting.size(); ++k)
    if (waiting[k].revents != 0)
      hear(processes_[k]);
    else
      wake_stopped(*processes_[k]);
}

void Pool::hear(Slot& from) {
  const bool open = from->connection.fill();
  while (const auto message = from->connection.next()) take(*from, *message);
  if (!open) lose(from);
}

void Pool::take(Process& from, const Json& message) {
  const std::string what = message.at(says);
  from.heard_at = now_.seconds();
  if (what == says_failed) fail(message);
  if (message.contains("memory")) from.memory_kb = message.at("memory");
  if (what == says_look) {
    from.counts = counts_of(message.at("counts"));
    from.findings = message.at("findings");
    from.outlook = message.at("outlook");
    from.divisible = message.at("divisible");
  } else if (what == says_more) {
    from.connection.send({{says, says_runs}, {"number", stops_ ? 0 : grant(from)}});
  } else if (what == says_ended) {
    take_end(from, message);
  } else {
    take_parts(from, message);
  }
}

void Pool::take_end(Process& from, const Json& message) {
  from.state = State::idle;
  switch (message.at("end").get<End>()) {
    case End::complete:
      settle(from, runs_in(message.at("yield")) - runs_in(from.item.partial));
      total_.add(message.at("yield"));
      ++overhead_.cubes;
      break;
    case End::learned:
      total_.learn(message.at("knowledge"));
      end_ = End::learned;
      stop_all();
      break;
    case End::found:
      if (end_ == End::complete || end_ == End::stopped) end_ = End::found;
      stop_all();
      [[fallthrough]];
    case End::stopped:
    case End::given_up:
      settle(from, runs_in(message.at("yield")) - runs_in(from.item.partial));
      from.item.partial = message.at("yield");
      open_.push_back(std::move(from.item));
      break;
  }
}

void Pool::take_parts(Process& from, const Json& message) {
  if (from.state == State::exploring) overhead_.thrown_away += runs_of(from.counts);
  from.state = State::idle;
  settle(from, 0);
  const Json& parts = message.at("parts");
  for (const Json& part : parts) {
    open_.push_back(item_of(part));
    open_.back().divisible = parts.size() > 1;
  }
}

void Pool::lose(Slot& from) {
  int status = 0;
  while (waitpid(from->pid, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended";
  if (from->state != State::idle) {
    settle(*from, 0);
    overhead_.thrown_away += runs_of(from->counts);
    if (++from->item.deaths == most_deaths)
      throw Misuse(fmt::format(
          "an engine died {} times while it explored the same part of the schedules ({}); was it "
          "killed, or is there too little memory? With -j 1, there are no engines but heddle "
          "itself",
          most_deaths, how));
    open_.push_back(std::move(from->item));
  }
  from = start();
}

// If there is nothing to do for some engines, and too much for others.
void Pool::split_for_hungry() {
  std::size_t hungry = 0, splitting = 0;
  for (const Slot& p : processes_) {
    if (p->state == State::idle) ++hungry;
    if (p->state == State::splitting || p->stopping) ++splitting;
  }
  if (hungry == 0 || !open_.empty() || splitting != 0 || runs_ == 0) {
    hungry_since_ = now_.seconds();
    return;
  }
  Process* largest = nullptr;
  const auto rest = [](const Process& p) {
    return p.outlook - static_cast<double>(runs_of(p.counts));
  };
  for (const Slot& p : processes_)
    if (p->state == State::exploring && p->divisible &&
        (largest == nullptr || rest(*p) > rest(*largest)))
      largest = p.get();
  if (largest == nullptr) return;
  const Busy busy{static_cast<double>(runs_of(largest->counts)), largest->outlook,
                  largest->since.seconds()};
  if (!is_worth_splitting(busy, hungry, now_.seconds() - hungry_since_)) return;
  largest->stopping = true;
  Json message{{says, says_give_up}};
  add(message, parts_for_hungry(hungry));
  largest->connection.send(message);
}

void Pool::wake_stopped(Process& process) {
  if (process.state == State::idle || now_.seconds() < process.heard_at + silence) return;
  process.heard_at = now_.seconds();
  kill(process.pid, SIGCONT);
}

void Pool::stop_all() {
  stops_ = true;
  for (const Slot& p : processes_)
    if (p->state != State::idle) p->connection.send({{says, says_stop}});
}

Progress Pool::progress() {
  Progress out;
  out.counts = total_.total();
  double left = 0;
  for (const Item& item : open_) left += item.estimate;
  for (const Slot& p : processes_) {
    out.memory_kb += p->memory_kb;
    if (p->state != State::exploring) continue;
    out.counts += p->counts;
    out.findings = std::max(out.findings, p->findings);
    left += std::max(p->outlook - static_cast<double>(runs_of(p->counts)), 0.0);
  }
  const double done = static_cast<double>(out.counts.executions + out.counts.blocked);
  out.outlook = [left, done] { return done + left; };
  return out;
}

// What is being explored is saved as not begun.
void Pool::save() {
  std::vector<Item> all = open_;
  for (const Slot& p : processes_)
    if (p->state != State::idle) all.push_back(p->item);
  control_.on_save(all);
}

}  // namespace heddle::parallel
