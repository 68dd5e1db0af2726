#include "bench/measure.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <type_traits>

#include "base/check.hpp"

namespace heddle::bench {
namespace {

// In memory that both processes have.
struct Shared {
  Measurement measurement;
  enum class Ended { no, well, out_of_memory, misuse, bug } ended = Ended::no;
  char message[1024] = {};

  void fail(Ended how, const char* why) {
    std::snprintf(message, sizeof message, "%s", why);
    ended = how;
  }
};
static_assert(std::is_trivially_destructible_v<Shared>);

class SharedMemory {
 public:
  SharedMemory()
      : at_(mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                 0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
    new (at_) Shared;
  }
  ~SharedMemory() { munmap(at_, sizeof(Shared)); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  Shared& operator*() const { return *static_cast<Shared*>(at_); }
  Shared* operator->() const { return static_cast<Shared*>(at_); }

 private:
  void* at_;
};

// The signal ends the process: an exploration need not be able to stop.
void end_after(double seconds) {
  std::signal(SIGALRM, SIG_DFL);
  double whole = 0;
  const double part = std::modf(seconds, &whole);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec = static_cast<suseconds_t>(part * 1e6) + 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void explore_here(Shared& shared, double seconds, const std::function<Measurement()>& explore) {
  end_after(seconds);
  try {
    shared.measurement = explore();
    shared.ended = Shared::Ended::well;
  } catch (const std::bad_alloc&) {
    shared.ended = Shared::Ended::out_of_memory;
  } catch (const Misuse& misuse) {
    shared.fail(Shared::Ended::misuse, misuse.what());
  } catch (const std::exception& error) {
    shared.fail(Shared::Ended::bug, error.what());
  }
}

rusage wait_for(pid_t child, int& status) {
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) throw Bug(fmt::format("wait4: {}", std::strerror(errno)));
  return usage;
}

}  // namespace

Measurement measure(double seconds, const std::function<Measurement()>& explore) {
  const SharedMemory shared;
  std::fflush(nullptr);  // or both would write what is buffered
  const pid_t child = fork();
  if (child < 0) throw Misuse(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    explore_here(*shared, seconds, explore);
    _exit(0);
  }
  int status = 0;
  const rusage usage = wait_for(child, status);
  switch (shared->ended) {
    case Shared::Ended::misuse:
      throw Misuse(shared->message);
    case Shared::Ended::bug:
      throw Bug(shared->message);
    case Shared::Ended::no:
      if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGALRM)
        throw Bug(fmt::format("an exploration died (wait status {})", status));
      shared->measurement.seconds = seconds;
      break;
    case Shared::Ended::out_of_memory:
    case Shared::Ended::well:
      break;
  }
  Measurement out = shared->measurement;
  out.peak_memory_kb = std::max(usage.ru_maxrss, out.overhead.memory_kb);
  return out;
}

}  // namespace heddle::bench
