#include "cluster/crew.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "base/check.hpp"
#include "base/processors.hpp"

namespace heddle::cluster {
namespace {

volatile std::sig_atomic_t leaves = 0;

constexpr double pause_after_death = 0.2;  // seconds: a process that cannot live is no busy loop
// A process that was told to end returns its cube; one that waits for the broker looks up once
// in a second. Its cube is not lost if it is killed.
constexpr double patience = 5;  // seconds

// Kinds of messages.
constexpr char misuse = 'm', bug = 'b';

void tell(int to, char kind, const std::string& what) {
  // Written at once, so that messages of several processes do not mix.
  const std::string text = (kind + what).substr(0, 1000) + '\n';
  [[maybe_unused]] const auto written = write(to, text.data(), text.size());
}

}  // namespace

Crew::Crew(unsigned engines, Work work) : work_(std::move(work)), members_(engines) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    throw Misuse(fmt::format("cannot start an engine: {}", std::strerror(errno)));
  listening_ = ends[0];
  telling_ = ends[1];
  for (Member& member : members_) start(member);
}

Crew::~Crew() {
  leave();
  close(listening_);
  close(telling_);
}

void Crew::start(Member& member) {
  std::fflush(nullptr);  // or both would write what is buffered
  const pid_t parent = getpid();
  member.pid = fork();
  if (member.pid < 0) throw Misuse(fmt::format("cannot start an engine: {}", std::strerror(errno)));
  member.started_at = now_.seconds();
  if (member.pid != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  take_processor(static_cast<unsigned>(&member - members_.data()),
                 static_cast<unsigned>(members_.size()));
  become_member();
}

// The process ends without destructors: connections of the other process are open here, too.
void Crew::become_member() {
  leaves = 0;
  std::signal(SIGTERM, [](int) { leaves = 1; });
  // The other process decides what an interrupt means. (Handlers, because programs that are run
  // would inherit that a signal is ignored.)
  for (const int signal : {SIGINT, SIGHUP}) std::signal(signal, [](int) {});
  try {
    work_(leaves);
  } catch (const broker::Interrupted&) {  // told to end
  } catch (const Misuse& error) {
    tell(telling_, misuse, error.what());
  } catch (const broker::Error& error) {
    tell(telling_, misuse, error.what());
  } catch (const std::exception& error) {
    tell(telling_, bug, error.what());
  }
  _exit(0);
}

// Whether it is gone.
bool Crew::reap(Member& member, bool waits) {
  int status = 0;
  pid_t got = 0;
  while ((got = waitpid(member.pid, &status, waits ? 0 : WNOHANG)) < 0 && errno == EINTR) {
  }
  if (got == 0) return false;
  member.pid = 0;
  member.has_ended = WIFEXITED(status);
  return true;
}

bool Crew::tend() {
  hear();
  for (Member& member : members_) {
    if (member.pid != 0) reap(member, false);
    if (member.pid == 0 && !member.has_ended &&
        now_.seconds() > member.started_at + pause_after_death)
      start(member);
  }
  hear();
  return !std::ranges::all_of(members_, &Member::has_ended);
}

void Crew::hear() {
  std::array<char, 4096> text{};
  const auto size = read(listening_, text.data(), text.size());
  if (size <= 0) return;
  const std::string message(text.data(), static_cast<std::size_t>(size));
  const std::string what = message.substr(1, message.find('\n') - 1);
  leave();
  if (message[0] == misuse) throw Misuse(what);
  throw Bug(what);
}

void Crew::leave() {
  const auto signal_all = [this](int signal) {
    for (const Member& member : members_)
      if (member.pid > 0) kill(member.pid, signal);
  };
  signal_all(SIGTERM);
  signal_all(SIGCONT);
  const Stopwatch stopwatch;
  const auto is_gone = [this](Member& m) { return m.pid <= 0 || reap(m, false); };
  while (std::ranges::count_if(members_, is_gone) != std::ssize(members_) &&
         stopwatch.seconds() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  signal_all(SIGKILL);
  for (Member& member : members_) {
    if (member.pid > 0) reap(member, true);
    member.has_ended = true;
  }
}

}  // namespace heddle::cluster
