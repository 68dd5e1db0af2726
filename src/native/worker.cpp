#include "native/worker.hpp"

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/check.hpp"
#include "base/resources.hpp"
#include "native/blocked.hpp"
#include "native/facilities.hpp"
#include "native/processes.hpp"

namespace heddle::native {
namespace {

constexpr double moment_to_answer = 0.5;  // in seconds, when everybody is asked to stop
constexpr long first_looks_ns = 2'000'000;
constexpr unsigned first_looks = 25, most_early_deaths = 20;
constexpr double longest_pause = 0.5;

// Those that somebody else may have sent, for all that is known.
bool is_sent(int signal) {
  constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGABRT,
                            SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};
  return std::ranges::find(faults, signal) == std::end(faults);
}

// For programs that this process starts: containers may refuse it.
bool fix_addresses() {
  const auto now = static_cast<unsigned long>(personality(0xffffffff));
  return personality(now | ADDR_NO_RANDOMIZE) != -1;
}

}  // namespace

Worker::Worker(std::vector<std::string> command, Output output)
    : command_(std::move(command)), output_(output), settings_(std::make_unique<abi::Settings>()) {
  if (access(command_[0].c_str(), X_OK) != 0)
    throw Misuse("cannot run '" + command_[0] + "': " + std::strerror(errno));
  if (std::filesystem::is_directory(command_[0]))
    throw Misuse("cannot run '" + command_[0] + "': it is a directory");
  check_facilities();
  adopt_orphans();
  open_channel();
}

Worker::~Worker() {
  if (pid_ != 0) kill();
}

void Worker::settings_changed() {
  channel_->shared().settings = *settings_;
  channel_->shared().settings_epoch.fetch_add(1, std::memory_order_release);
}

// A new one for each process: one that is not quite gone yet cannot write into it.
void Worker::open_channel() {
  channel_ = std::make_unique<SharedChannel>();
  abi::Channel& shared = channel_->shared();
  shared.settings = *settings_;
  set_numbering(numbering_);
  std::ranges::copy(called_, shared.calls.called);
  steps_.copy_to(channel_->dictionary());
}

// What the process that is gone has left to the next.
void Worker::inherit() {
  numbering_ = numbering();
  const std::vector<std::uint8_t> called = calls().called;
  called_.resize(std::max(called_.size(), called.size()));
  constexpr std::uint8_t either = abi::called_directly | abi::called_by_address;
  for (std::size_t k = 0; k < called.size(); ++k)
    called_[k] = static_cast<std::uint8_t>(called_[k] | (called[k] & either));
}

Worker::Numbering Worker::numbering() {
  Numbering out;
  std::memcpy(out.children, channel_->shared().children, sizeof out.children);
  bool taken[abi::max_threads] = {};
  for (const auto& of_one : out.children)
    for (const std::uint8_t name : of_one) {
      if (name == 0) continue;
      if (name >= abi::max_threads || taken[name]) return numbering_;
      taken[name] = true;
      // Who died may have counted one that it did not name.
      out.named = std::max<std::uint32_t>(out.named, name);
    }
  return out;
}

void Worker::set_numbering(const Numbering& numbering) {
  numbering_ = numbering;
  channel_->shared().named = numbering.named;
  std::memcpy(channel_->shared().children, numbering.children, sizeof numbering.children);
}

std::vector<ThreadId> Worker::come_to_be_created() {
  const abi::Channel& shared = channel_->shared();
  std::vector<ThreadId> out(shared.come,
                            shared.come + std::min(shared.come_count, abi::max_threads));
  std::erase_if(out, [](ThreadId thread) { return thread >= abi::max_threads; });
  return out;
}

// Most of it is empty, and is not touched: there would be memory for it only then.
Worker::Calls Worker::calls() {
  const abi::Calls& shared = channel_->shared().calls;
  const std::uint32_t modules = std::min(shared.modules, abi::max_modules),
                      used = std::min(shared.used, abi::max_called);
  return {{shared.module, shared.module + modules},
          {shared.called, shared.called + used},
          shared.modules_left_out};
}

void Worker::start_if_gone() {
  if (pid_ == 0) start();
}

pid_t Worker::loaded_process() {
  for (;;) {
    if (has_died()) start_over();
    start_if_gone();
    const std::atomic_ref opened(channel_->shared().opened);
    try {
      if (wait_until([&] { return opened.load() != 0; })) return pid_;
    } catch (const Overwritten&) {
      condemn();
    }
    heed_last_word();
    died_before_main();
  }
}

void Worker::start() {
  took_too_long_ = false;
  if (std::exchange(started_, true) && !fix_addresses())
    throw Misuse(
        "the program has to be started again, and its addresses would be others: this system does "
        "not let them be fixed (personality is refused; with Docker, give --security-opt "
        "seccomp=unconfined)");
  if (early_deaths_ > 0)
    pause(std::min(longest_pause, 0.001 * (1U << std::min(early_deaths_, 10U))));
  const pid_t engine = getpid();
  pid_ = fork();
  if (pid_ < 0) throw Misuse(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ == 0) become_program(engine);
  witness_ = {};
  if (!witnessed_) return;
  witness_.follow(pid_);
  ended_before_ = ended_for_memory();
}

void Worker::become_program(pid_t engine) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != engine) _exit(1);  // it was gone before it could be asked for
  const bool nowhere = output_ == Output::nowhere || muted_;
  if (output_ == Output::nowhere)
    setpgid(0, 0);  // what is typed at the terminal is not for the program
  fix_addresses();
  setenv("LD_BIND_NOW", "1", 1);
  // Out of the way, so that what the program opens has the numbers it would have without us.
  constexpr int high = 900;
  const int moved = fcntl(channel_->file(), F_DUPFD, high);
  if (moved >= 0) close(channel_->file());
  setenv(abi::channel_variable, std::to_string(moved >= 0 ? moved : channel_->file()).c_str(), 1);
  const int null = open("/dev/null", O_RDWR);
  for (int k = 0; k < (nowhere ? 3 : 1); ++k) dup2(null, k);
  if (output_ == Output::on_stderr && !nowhere) dup2(STDERR_FILENO, STDOUT_FILENO);
  close(null);
  std::vector<char*> arguments;
  for (std::string& a : command_) arguments.push_back(a.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

bool Worker::send(const abi::RequestHeader& header, std::span<const Move> moves) {
  abi::RingEnd& requests = channel_->requests();
  const std::uint64_t bytes = (sizeof header + moves.size_bytes() + 7) / 8 * 8;
  if (requests.room(bytes) < bytes) return false;
  static_assert(sizeof(Move) == sizeof(abi::WireMove));
  char* at = requests.to_write();
  std::memcpy(at, &header, sizeof header);
  if (!moves.empty()) std::memcpy(at + sizeof header, moves.data(), moves.size_bytes());
  requests.publish(bytes);
  ++under_way_;
  start_if_gone();
  return true;
}

// Until something is there. False: the process is gone. The first looks come soon, as the end of a
// process wakes nobody.
template <typename Ready>
bool Worker::wait_until(Ready ready) {
  Stopwatch waited;
  Watchdog watchdog(pid_);
  for (unsigned looks = 0; !ready(); ++looks) {
    if (has_died()) return ready();
    channel_->check();
    if (looks > first_looks) {
      stop_if_asked(waited.seconds());
      if (watchdog.has_enough(channel_->progress())) {
        give_up_waiting();
        return false;
      }
    }
    await_reply(looks > first_looks ? Watchdog::look_every_ns : first_looks_ns);
  }
  return true;
}

// Who is watched stops all the time, and is not to wait for long.
void Worker::await_reply(long nanoseconds) {
  constexpr long briefly_ns = 500'000;
  const long step = witness_.follows() ? std::min(briefly_ns, nanoseconds) : nanoseconds;
  for (long waited = 0; waited < nanoseconds; waited += step) {
    const timespec limit{0, step};
    channel_->replies().await(&limit);
    if (!channel_->replies().empty() || (witness_.follows() && has_died())) return;
  }
}

void Worker::pause(double seconds) {
  stop_if_asked(moment_to_answer);
  const auto whole = static_cast<time_t>(seconds);
  const timespec pause{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
  nanosleep(&pause, nullptr);
}

bool Worker::was_sent_signal() const { return signal_ != 0 && is_sent(signal_); }

Witness::Cause Worker::cause() const {
  if (witness_.follows() && ended_for_memory() != ended_before_) return Witness::Cause::itself;
  return witness_.cause();
}

void Worker::stop_if_asked(double waited) {
  if (!stop_ || waited < moment_to_answer || !stop_()) return;
  start_over();
  throw Interrupted();
}

// What only the engine writes is as it wrote it.
bool Worker::is_intact() {
  const abi::Channel& shared = channel_->shared();
  return shared.version == abi::version && shared.opened <= 1 &&
         std::memcmp(&shared.settings, settings_.get(), sizeof shared.settings) == 0;
}

void Worker::give_up_waiting() {
  if (!is_intact()) throw Overwritten();
  const auto blocked = blocked_in(family_of(pid_).back(), channel_->shared().whereabouts);
  kill();
  if (blocked) throw Misuse(*blocked);
  took_too_long_ = true;
  fate_ = does_not_come_back;
}

const abi::ReplyHeader* Worker::receive() {
  if (under_way_ == 0) return nullptr;  // they were forgotten, and have to be sent again
  abi::RingEnd& replies = channel_->replies();
  if (replies.empty()) channel_->requests().wake();
  try {
    if (replies.await_briefly() || wait_until([&] { return !replies.empty(); })) {
      channel_->copy_reply(reply_);
      early_deaths_ = 0;
      return reinterpret_cast<const abi::ReplyHeader*>(reply_.data());
    }
  } catch (const Overwritten&) {
    condemn();
    return nullptr;
  }
  heed_last_word();
  if (!is_intact()) fate_ = overwrote_channel;
  if (!died_before_main()) early_deaths_ = 0;
  return nullptr;
}

// It is gone. If it was killed, somebody else may have done that, and it is tried again.
bool Worker::died_before_main() {
  if (channel_->shared().opened != 0) return false;
  ++early_deaths_;
  if (signal_ != 0 && (is_sent(signal_) || early_deaths_ < most_early_deaths)) return true;
  throw Misuse("'" + command_[0] +
               "' was not built with heddle (compile and link it with 'heddle cc' or "
               "'heddle c++'), or it ends before its main begins: " +
               fate_);
}

// If it said itself why it cannot go on, that is no finding.
void Worker::heed_last_word() {
  const abi::LastWord& word = channel_->shared().last_word;
  const std::string text(word.text, strnlen(word.text, sizeof word.text));
  if (word.kind == abi::Word::refused) throw Misuse(text);
  if (word.kind == abi::Word::bug) throw Bug(text);
}

void Worker::condemn() {
  if (pid_ != 0) kill();
  fate_ = overwrote_channel;
}

const abi::ReplyHeader* Worker::unfinished_reply(std::uint32_t serial, std::uint32_t known,
                                                 const IsPossible& is_possible) {
  channel_->copy_unfinished(serial, reply_);
  const auto written = *reinterpret_cast<const abi::ReplyHeader*>(reply_.data());
  if (written.serial != serial) return nullptr;
  abi::ReplyHeader out{};
  out.bytes = written.bytes;
  out.ticket = written.ticket;
  out.serial = serial;
  out.finding = abi::Finding::died;
  out.event_count = std::min(written.event_count, known);
  const bool believed = fate_ != overwrote_channel && written.threads <= abi::max_threads;
  if (believed) {
    out.threads = written.threads;
    out.going = written.going;
    out.going_at = written.going_at;
  }
  std::uint32_t left = written.event_count - out.event_count;
  for (std::size_t at = sizeof out / 8; believed && at < reply_.size(); ++at) {
    const auto e = std::bit_cast<abi::WireEvent>(reply_[at]);
    const bool waits = (e.step & abi::waits_bit) != 0;
    if ((waits ? out.waiting_count == written.waiting_count : left == 0) ||
        !is_possible(e, out.threads))
      break;
    if (!waits) --left;
    ++(waits ? out.waiting_count : out.event_count);
  }
  std::memcpy(reply_.data(), &out, sizeof out);
  return reinterpret_cast<const abi::ReplyHeader*>(reply_.data());
}

void Worker::start_over() {
  if (pid_ != 0) kill();
  under_way_ = 0;
  inherit();
  open_channel();
}

bool Worker::has_died() {
  int status = 0;
  if (pid_ == 0) return true;
  rusage used{};
  witness_.look();
  do {
    if (wait4(pid_, &status, WNOHANG, &used) != pid_) return false;
    if (WIFSTOPPED(status)) witness_.handle(pid_, status);
  } while (WIFSTOPPED(status));
  end_orphans(pid_);
  time_used_up_ = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                  static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  pid_ = 0;
  signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  fate_ = WIFSIGNALED(status)
              ? std::string("the process is killed: ") + strsignal(WTERMSIG(status))
              : "the process exits with status " + std::to_string(WEXITSTATUS(status));
  return true;
}

void Worker::kill() {
  end_family(pid_);
  pid_ = 0;
  signal_ = 0;
  time_used_up_ = 0;
}

}  // namespace heddle::native
