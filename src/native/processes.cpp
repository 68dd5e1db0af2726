#include "native/processes.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <fstream>
#include <string>

namespace heddle::native {
namespace {

// How long a process may use the processor, or sleep, without any progress of its run before it
// counts as hanging: far longer than tests compute between two steps, and short enough to wait for.
constexpr std::chrono::seconds patience(10);

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> out;
  std::ifstream file(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; file >> child;) out.push_back(child);
  return out;
}

}  // namespace

std::vector<pid_t> family_of(pid_t process) {
  std::vector<pid_t> out = {process};
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::vector<pid_t> more = children_of(out[k]);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

char state_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= line.size() ? 'S' : line[name_end + 2];
}

std::chrono::nanoseconds time_used(pid_t process) {
  clockid_t clock;
  timespec used{};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

std::uint64_t ended_for_memory() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::uint64_t count = 0; file >> name >> count;)
    if (name == "oom_kill") return count;
  return 0;
}

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

void end_orphans(pid_t group) {
  for (const pid_t child : children_of(getpid()))
    if (getpgid(child) == group) end_family(child);
}

void end_family(pid_t child) {
  std::vector<pid_t> family = family_of(child);
  // A process that the system does not let us kill ends with this process: it is not waited for.
  std::erase_if(family, [](pid_t p) { return ::kill(p, SIGKILL) != 0 && errno != ESRCH; });
  // The processes that it started have become children of this one by then. A traced process stops
  // once more at its end.
  for (const pid_t p : family)
    for (int status = 0; waitpid(p, &status, __WALL) == p && WIFSTOPPED(status);)
      ptrace(PTRACE_CONT, p, nullptr, nullptr);
}

bool Watchdog::has_enough(std::uint64_t progress) {
  std::vector<pid_t> family = family_of(process_);
  std::chrono::nanoseconds used{};
  bool sleeps = true;
  for (const pid_t p : family) {
    used += time_used(p);
    const char state = state_of(p);
    if (state == 'T') ::kill(p, SIGCONT);
    sleeps = sleeps && state == 'S';
  }
  if (progress != progress_ || family != family_) {
    used_before_ = used;
    idle_ = 0;
  }
  idle_ = sleeps && used == used_ ? idle_ + 1 : 0;
  used_ = used;
  progress_ = progress;
  family_ = std::move(family);
  return used - used_before_ > patience ||
         idle_ * std::chrono::nanoseconds(look_every_ns) > patience;
}

}  // namespace heddle::native
