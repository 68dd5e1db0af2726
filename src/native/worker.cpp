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
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/check.hpp"
#include "base/resources.hpp"
#include "native/blocked.hpp"
#include "native/facilities.hpp"
#include "native/processes.hpp"

namespace heddle::native {
namespace {

// Seconds that a reply may still take once the exploration is to stop: most runs end within it, and
// a user who has pressed Ctrl-C is not kept waiting.
constexpr double moment_to_answer = 0.5;
// The end of a process does not wake this one. So it is looked for every 2 ms in the first 50, in
// which most processes that die do so, and then whenever the watchdog looks.
constexpr long first_looks_ns = 2'000'000;
constexpr unsigned first_looks = 25;
// How many processes in a row may be killed before main begins until the program is refused. The
// pauses between them double from 2 ms to the longest: twenty take more than six seconds, in which
// a machine that is short of memory can recover.
constexpr unsigned most_early_deaths = 20;
constexpr double longest_pause = 0.5;

// Signals that another process may have sent; the others are faults of the program itself.
bool is_sent(int signal) {
  constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL, SIGABRT,
                            SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};
  return std::ranges::find(faults, signal) == std::end(faults);
}

// Disables address randomisation for programs that this process starts; containers may refuse that.
bool fix_addresses() {
  const auto now = static_cast<unsigned long>(personality(0xffffffff));
  return personality(now | ADDR_NO_RANDOMIZE) != -1;
}

// Becomes the program, or returns why not. The process that has just written the file may still
// have it open for a moment; so may one that was forked meanwhile and has yet to execute another
// program.
int execute(char* const* arguments) {
  constexpr timespec moment = {0, 20'000'000};
  constexpr unsigned most_moments = 150;
  for (unsigned moments = 0;; ++moments) {
    execv(arguments[0], arguments);
    if (errno != ETXTBSY || moments == most_moments) return errno;
    nanosleep(&moment, nullptr);
  }
}

// Moves a descriptor, so that the program's own files get the same descriptors as without heddle.
int out_of_the_way(int descriptor) {
  constexpr int high = 900;  // programs seldom have that many, and the usual limit is 1024
  const int moved = fcntl(descriptor, F_DUPFD, high);
  if (moved < 0) return descriptor;
  close(descriptor);
  return moved;
}

}  // namespace

Worker::Worker(std::vector<std::string> command, Output output, std::shared_ptr<SharedNames> names)
    : command_(std::move(command)),
      output_(output),
      settings_(std::make_unique<abi::Settings>()),
      names_(names != nullptr ? std::move(names) : std::make_shared<SharedNames>()) {
  HEDDLE_CHECK(!command_.empty());
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

void Worker::configure(const abi::Settings& settings) {
  HEDDLE_CHECK(in_flight_ == 0);
  *settings_ = settings;
  channel_->shared().settings = settings;
  channel_->shared().settings_epoch.fetch_add(1, std::memory_order_release);
}

void Worker::number_afresh(bool afresh) {
  HEDDLE_CHECK(in_flight_ == 0);
  numbers_afresh_ = afresh;
  abi::Channel& shared = channel_->shared();
  for (auto& key : shared.own_threads.creator) key = 0;
  shared.numbers_afresh = afresh ? 1 : 0;
}

void Worker::open_channel() {
  names_->repair();
  generation_ = names_->generation();
  known_.detach();
  channel_ = std::make_unique<SharedChannel>();
  known_.attach(channel_->file(), channel_->shared().known);
  channel_->shared().settings = *settings_;
  number_afresh(numbers_afresh_);
}

std::vector<ThreadId> Worker::come_to_be_created() {
  HEDDLE_CHECK(in_flight_ == 0 || pid_ == 0);
  const abi::Channel& shared = channel_->shared();
  std::vector<ThreadId> out(shared.come,
                            shared.come + std::min(shared.come_count, abi::max_threads));
  std::erase_if(out, [](ThreadId thread) { return thread >= abi::max_threads; });
  return out;
}

Worker::Calls Worker::calls() {
  const abi::Modules& shared = channel_->shared().modules;
  return {{shared.module, shared.module + std::min(shared.count, abi::max_modules)},
          shared.left_out};
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
  HEDDLE_CHECK(pid_ == 0);
  fate_ = {};
  if (std::exchange(started_, true) && !fix_addresses())
    throw Misuse(
        "the program has to be restarted, and its addresses would change: this system does not let "
        "heddle disable address randomisation (personality is refused; with Docker, give "
        "--security-opt seccomp=unconfined)");
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
  if (getppid() != engine) _exit(1);  // the engine ended before the call above
  const bool nowhere = output_ == Output::nowhere || muted_;
  if (output_ == Output::nowhere)
    setpgid(0, 0);  // the terminal's signals (Ctrl-C) are not for the program
  fix_addresses();
  setenv("LD_BIND_NOW", "1", 1);
  const int channel = out_of_the_way(channel_->file()), names = out_of_the_way(names_->file());
  setenv(abi::channel_variable, (std::to_string(channel) + ',' + std::to_string(names)).c_str(), 1);
  const int null = open("/dev/null", O_RDWR);
  for (int k = 0; k < (nowhere ? 3 : 1); ++k) dup2(null, k);
  if (output_ == Output::on_stderr && !nowhere) dup2(STDERR_FILENO, STDOUT_FILENO);
  close(null);
  std::vector<char*> arguments;
  for (std::string& a : command_) arguments.push_back(a.data());
  arguments.push_back(nullptr);
  const int error = execute(arguments.data());
  abi::LastWord& word = channel_->shared().last_word;
  std::snprintf(word.text, sizeof word.text, "'%s' cannot be run: %s%s", arguments[0],
                std::strerror(error),
                error == ETXTBSY ? " (another process has the file open for writing)" : "");
  word.kind = abi::Word::refused;
  _exit(127);
}

bool Worker::send(const abi::RequestHeader& header, std::span<const Move> moves) {
  HEDDLE_CHECK(header.serial != 0 && header.move_count + header.asleep_count == moves.size());
  HEDDLE_CHECK(header.move_count <= abi::max_steps && header.known_count <= header.move_count);
  abi::RingEnd& requests = channel_->requests();
  const std::uint64_t bytes = (sizeof header + moves.size_bytes() + 7) / 8 * 8;
  if (requests.room(bytes) < bytes) return false;
  static_assert(sizeof(Move) == sizeof(abi::WireMove));
  char* at = requests.to_write();
  std::memcpy(at, &header, sizeof header);
  if (!moves.empty()) std::memcpy(at + sizeof header, moves.data(), moves.size_bytes());
  requests.publish(bytes);
  ++in_flight_;
  start_if_gone();
  return true;
}

// Waits until `ready` holds. False: the process is gone. The first looks come soon, because the end
// of a process does not wake this one.
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

// A traced process stops frequently, and must be continued soon.
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

Fate Worker::fate() const {
  Fate out = fate_;
  out.was_sent_signal = signal_ != 0 && is_sent(signal_);
  out.cause = witness_.follows() && ended_for_memory() != ended_before_ ? Witness::Cause::itself
                                                                        : witness_.cause();
  return out;
}

void Worker::stop_if_asked(double waited) {
  if (!stop_ || waited < moment_to_answer || !stop_()) return;
  start_over();
  throw Interrupted();
}

// Whether the memory that only the engine writes is unchanged.
bool Worker::is_intact() {
  const abi::Channel& shared = channel_->shared();
  return shared.version == abi::version && shared.opened <= 1 &&
         // One is a copy of the bytes of the other, padding included.
         // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
         std::memcmp(&shared.settings, settings_.get(), sizeof shared.settings) == 0;
}

void Worker::give_up_waiting() {
  if (!is_intact()) throw Overwritten();
  const auto blocked = blocked_in(family_of(pid_).back(), channel_->shared().whereabouts);
  kill();
  if (blocked) throw Misuse(*blocked);
  fate_.took_too_long = true;
  fate_.text = does_not_come_back;
}

const abi::ReplyHeader* Worker::receive() {
  if (in_flight_ == 0) return nullptr;  // start_over dropped them, and they have to be sent again
  if (generation_ != names_->generation()) {
    start_over();
    return nullptr;
  }
  abi::RingEnd& replies = channel_->replies();
  if (replies.empty()) channel_->requests().wake();
  try {
    if (replies.await_briefly() || wait_until([&] { return !replies.empty(); })) {
      channel_->copy_reply(reply_);
      HEDDLE_CHECK(reply_.size() * 8 >= sizeof(abi::ReplyHeader));
      channel_->replies().consume(reply_.size() * 8);
      --in_flight_;
      early_deaths_ = 0;
      return reinterpret_cast<const abi::ReplyHeader*>(reply_.data());
    }
  } catch (const Overwritten&) {
    condemn();
    return nullptr;
  }
  heed_last_word();
  if (!is_intact()) {
    fate_.overwrote = true;
    fate_.text = overwrote_channel;
  }
  if (!died_before_main()) early_deaths_ = 0;
  return nullptr;
}

// The process is gone. If it was killed, another process may have done that, and it is tried again.
bool Worker::died_before_main() {
  if (channel_->shared().opened != 0) return false;
  ++early_deaths_;
  if (signal_ != 0 && (is_sent(signal_) || early_deaths_ < most_early_deaths)) return true;
  throw Misuse("'" + command_[0] +
               "' was not built with heddle (compile and link it with 'heddle cc' or "
               "'heddle c++'), or it ends before its main begins: " +
               fate_.text);
}

// If the runtime itself reported why it cannot continue, that is not a finding.
void Worker::heed_last_word() {
  const abi::LastWord& word = channel_->shared().last_word;
  const std::string text(word.text, strnlen(word.text, sizeof word.text));
  if (word.kind == abi::Word::refused) throw Misuse(text);
  if (word.kind == abi::Word::bug) throw Bug(text);
}

void Worker::condemn() {
  if (pid_ != 0) kill();
  fate_.overwrote = true;
  fate_.text = overwrote_channel;
}

const abi::ReplyHeader* Worker::unfinished_reply(std::uint32_t serial) {
  HEDDLE_CHECK(pid_ == 0);  // else it might still be writing
  channel_->copy_unfinished(reply_);
  const auto* reply = reinterpret_cast<const abi::ReplyHeader*>(reply_.data());
  return reply->serial == serial ? reply : nullptr;
}

void Worker::start_over() {
  if (pid_ != 0) kill();
  in_flight_ = 0;
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
  fate_.time_used = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  pid_ = 0;
  signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  fate_.text = WIFSIGNALED(status)
                   ? std::string("the process was killed: ") + strsignal(WTERMSIG(status))
                   : "the process exited with status " + std::to_string(WEXITSTATUS(status));
  return true;
}

void Worker::kill() {
  HEDDLE_CHECK(pid_ != 0);
  end_family(pid_);
  pid_ = 0;
  signal_ = 0;
  fate_.time_used = 0;
}

}  // namespace heddle::native
