#include "native/blocked.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>

#include <fstream>
#include <utility>

#include "base/check.hpp"
#include "native/process_memory.hpp"
#include "native/processes.hpp"
#include "native/symbols.hpp"

namespace heddle::native {
namespace {

// System calls that can block for a long time.
constexpr std::pair<long, const char*> names[] = {
    {SYS_read, "read"},
    {SYS_readv, "readv"},
    {SYS_pread64, "pread"},
    {SYS_write, "write"},
    {SYS_writev, "writev"},
    {SYS_open, "open"},
    {SYS_openat, "open"},
    {SYS_close, "close"},
    {SYS_poll, "poll"},
    {SYS_ppoll, "ppoll"},
    {SYS_select, "select"},
    {SYS_pselect6, "select"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_epoll_pwait, "epoll_wait"},
    {SYS_epoll_pwait2, "epoll_wait"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept"},
    {SYS_connect, "connect"},
    {SYS_recvfrom, "recv"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_recvmmsg, "recvmmsg"},
    {SYS_sendto, "send"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_sendfile, "sendfile"},
    {SYS_splice, "splice"},
    {SYS_flock, "flock"},
    {SYS_fcntl, "fcntl"},
    {SYS_ioctl, "ioctl"},
    {SYS_wait4, "wait"},
    {SYS_waitid, "waitid"},
    {SYS_pause, "pause"},
    {SYS_rt_sigsuspend, "sigsuspend"},
    {SYS_rt_sigtimedwait, "sigwait"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_futex, "futex"},
    {SYS_semop, "semop"},
    {SYS_semtimedop, "semtimedop"},
    {SYS_msgrcv, "msgrcv"},
    {SYS_msgsnd, "msgsnd"},
    {SYS_mq_timedreceive, "mq_receive"},
    {SYS_mq_timedsend, "mq_send"},
    {SYS_getrandom, "getrandom"},
    {SYS_io_getevents, "io_getevents"},
    {SYS_io_uring_enter, "io_uring_enter"},
};

std::string name_of(long call) {
  for (const auto& [number, name] : names)
    if (number == call) return name;
  return call < 0 ? "a system call" : fmt::format("system call {}", call);
}

long call_of(pid_t process) {
  long number = -1;
  std::ifstream(fmt::format("/proc/{}/syscall", process)) >> number;
  return number;
}

template <typename T>
T read_at(pid_t process, std::uint64_t address) {
  T value{};
  if (!read_memory(process, address, &value, sizeof value)) return {};
  return value;
}

}  // namespace

std::optional<std::string> blocked_in(pid_t process, const abi::Whereabouts& where) {
  const char state = state_of(process);
  if (state != 'S' && state != 'D') return std::nullopt;
  const long call = call_of(process);
  const auto thread = where.current == 0 ? 0 : read_at<std::uint64_t>(process, where.current);
  if (thread == 0 && where.current != 0 && call == SYS_futex)
    throw Bug("a worker waits for a request that has been sent");
  std::string who = "the program", place;
  if (thread != 0) {
    who = fmt::format("thread {}", read_at<std::uint32_t>(process, thread + where.id_at));
    const Symbols symbols(process);
    if (const auto p = symbols.site(read_at<std::uint64_t>(process, thread + where.site_at)))
      place = fmt::format(" ({}:{}, in {})", p->file, p->line, p->function);
  }
  return fmt::format(
      "{} is blocked in {}{}: calls that wait for something outside of the program cannot be "
      "explored, as heddle cannot tell what they wait for, nor let other threads continue "
      "meanwhile",
      who, name_of(call), place);
}

}  // namespace heddle::native
