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
#include "base/processors.hpp"
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
      knowledge_(total.knowledge()),
      dispatcher_(control.engines, std::move(open), runs, processors(), control.division) {
  for (unsigned k = 0; k < control.engines; ++k) processes_.push_back(start(k));
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
  overhead_.thrown_away += dispatcher_.thrown_away();
  open_ = dispatcher_.left();
}

Pool::Slot Pool::start(std::size_t engine) {
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
    take_processor(static_cast<unsigned>(engine), control_.engines);
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
    dispatcher_.pass(now_.seconds());
    for (const Order& order : dispatcher_.orders()) carry_out(order);
    if (!dispatcher_.is_working()) break;
    if (!dispatcher_.stops() && !control_.may_continue(progress())) {
      end_ = End::stopped;
      dispatcher_.stop();
      continue;
    }
    if (!dispatcher_.stops() && control_.save_now()) control_.on_save(dispatcher_.left());
    wait();
  }
  if (end_ == End::complete && dispatcher_.open() != 0) return End::stopped;  // for want of runs
  return end_;
}

void Pool::carry_out(const Order& order) {
  Process& to = *processes_[order.engine];
  Json message;
  switch (order.what) {
    case Order::What::explore:
      message = {{says, says_explore}, {"item", to_json(order.item)}, {"runs", order.runs}};
      break;
    case Order::What::split:
      message = {{says, says_split}, {"cube", order.item.cube}};
      break;
    case Order::What::give_up:
      message = {{says, says_give_up}};
      break;
    case Order::What::stop:
      message = {{says, says_stop}};
      break;
    case Order::What::runs:
      message = {{says, says_runs}, {"number", order.runs}};
      break;
  }
  if (order.what == Order::What::explore || order.what == Order::What::split) {
    to.counts = {};
    to.findings = 0;
    to.open = 0;
    to.heard_at = now_.seconds();
    if (!std::exchange(to.informed, true)) message["knowledge"] = knowledge_;
  }
  to.connection.send(message);  // that it is gone shows when it is listened to
}

void Pool::wait() {
  std::vector<pollfd> waiting;
  for (const Slot& p : processes_) waiting.push_back({p->connection.fd(), POLLIN, 0});
  constexpr int milliseconds = static_cast<int>(Look::every * 1000);
  if (poll(waiting.data(), waiting.size(), milliseconds) < 0 && errno != EINTR)
    throw Bug(fmt::format("poll: {}", std::strerror(errno)));
  dispatcher_.pass(now_.seconds());
  for (std::size_t k = 0; k < waiting.size(); ++k)
    if (waiting[k].revents != 0)
      hear(k);
    else
      wake_stopped(k);
}

void Pool::hear(std::size_t from) {
  Connection& connection = processes_[from]->connection;
  const bool open = connection.fill();
  while (const auto message = connection.next()) take(from, *message);
  if (!open) lose(from);
}

void Pool::take(std::size_t from, const Json& message) {
  const std::string what = message.at(says);
  Process& process = *processes_[from];
  process.heard_at = now_.seconds();
  if (what == says_failed) fail(message);
  if (message.contains("memory")) process.memory_kb = message.at("memory");
  if (what == says_look)
    take_look(from, message);
  else if (what == says_more)
    dispatcher_.ask_for_runs(from);
  else if (what == says_ended)
    take_end(from, message);
  else
    take_halves(from, message);
}

void Pool::take_look(std::size_t from, const Json& message) {
  Process& process = *processes_[from];
  process.counts = counts_of(message.at("counts"));
  process.findings = message.at("findings");
  process.open = message.at("open");
  dispatcher_.tell(from, {.runs = runs_of(process.counts),
                          .discarded = process.counts.discarded,
                          .outlook = message.at("outlook"),
                          .divisible = message.at("divisible")});
}

void Pool::take_end(std::size_t from, const Json& message) {
  const End end = message.at("end");
  if (end == End::learned) {
    total_.learn(message.at("knowledge"));
    end_ = End::learned;
    dispatcher_.stop();
    dispatcher_.put_back(from, nullptr, 0);
    return;
  }
  const Json& yield = message.at("yield");
  const std::uint64_t before =
      control_.resumable ? runs_in(dispatcher_.item(from).partial) : std::uint64_t{0};
  const std::uint64_t made = runs_in(yield) - before;
  if (end == End::complete) {
    dispatcher_.complete(from, made);
    total_.add(yield);
    ++overhead_.cubes;
    return;
  }
  if (end == End::found) {
    if (end_ == End::complete || end_ == End::stopped) end_ = End::found;
    dispatcher_.stop();
  }
  dispatcher_.put_back(from, yield, made);
}

void Pool::take_halves(std::size_t from, const Json& message) {
  const bool too_large = message.at("too large");
  std::optional<Halves> halves;
  if (message.contains("halves")) {
    const Json& h = message.at("halves");
    halves = {.first = h.at(0), .second = h.at(1), .in_vain = h.at(2)};
  }
  dispatcher_.split(from, halves,
                    too_large ? Dispatcher::Why::too_large : Dispatcher::Why::ordered);
}

void Pool::lose(std::size_t from) {
  int status = 0;
  while (waitpid(processes_[from]->pid, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended";
  if (dispatcher_.lose(from) == most_deaths)
    throw Misuse(fmt::format(
        "an engine died {} times while it explored the same part of the schedules ({}); was it "
        "killed, or is there too little memory? With -j 1, there are no engines but heddle itself",
        most_deaths, how));
  processes_[from] = start(from);
}

void Pool::wake_stopped(std::size_t at) {
  Process& process = *processes_[at];
  if (!dispatcher_.has_cube(at) || now_.seconds() < process.heard_at + silence) return;
  process.heard_at = now_.seconds();
  kill(process.pid, SIGCONT);
}

Progress Pool::progress() {
  Progress out;
  out.counts = total_.total();
  for (std::size_t k = 0; k < processes_.size(); ++k) {
    const Process& p = *processes_[k];
    out.memory_kb += p.memory_kb;
    if (!dispatcher_.is_exploring(k)) continue;
    out.counts += p.counts;
    out.findings = std::max(out.findings, p.findings);
    out.open += p.open;
  }
  const auto done = static_cast<double>(out.counts.runs());
  out.outlook = [left = dispatcher_.rest(), done] { return done + left; };
  return out;
}

}  // namespace heddle::parallel
