#include "native/worker.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "base/check.hpp"
#include "native/blocked.hpp"

namespace heddle::native {
namespace {

constexpr std::chrono::seconds patience(10);
constexpr long look_every_ns = 50'000'000;

// How long a process has had a processor for itself.
std::chrono::nanoseconds time_used(pid_t process) {
  clockid_t clock;
  timespec used{};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Whether a process of which nothing is heard still gets anywhere. One that waits for a busy
// machine does: what counts is the time that it uses, or that it uses none.
class Watchdog {
 public:
  explicit Watchdog(pid_t process)
      : process_(process), used_at_first_(time_used(process)), used_(used_at_first_) {}

  bool has_enough() {
    const auto now = Clock::now();
    const auto used = time_used(process_);
    if (used != used_) idle_since_ = now;
    used_ = used;
    return used - used_at_first_ > patience || now - idle_since_ > patience;
  }

 private:
  using Clock = std::chrono::steady_clock;
  pid_t process_;
  std::chrono::nanoseconds used_at_first_, used_;
  Clock::time_point idle_since_ = Clock::now();
};

}  // namespace

Worker::Worker(std::vector<std::string> command, Output output)
    : command_(std::move(command)), output_(output) {
  if (access(command_[0].c_str(), X_OK) != 0)
    throw Misuse("cannot run '" + command_[0] + "': " + std::strerror(errno));
  if (std::filesystem::is_directory(command_[0]))
    throw Misuse("cannot run '" + command_[0] + "': it is a directory");
  fd_ = memfd_create("heddle", 0);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(abi::channel_bytes)) != 0)
    throw Misuse(std::string("cannot make a channel: ") + std::strerror(errno));
  // All zeros, as the file is.
  channel_ = new (map(0, sizeof(abi::Channel))) abi::Channel;
  dictionary_ = static_cast<abi::Dictionary*>(map(abi::dictionary_at, sizeof(abi::Dictionary)));
  channel_->version = abi::version;
  request_memory_ = map_ring(abi::requests_at, abi::request_ring_bytes);
  reply_memory_ = map_ring(abi::replies_at, abi::reply_ring_bytes);
  open_rings();
}

void Worker::open_rings() {
  requests_ = {channel_->requests, request_memory_, abi::request_ring_bytes};
  replies_ = {channel_->replies, reply_memory_, abi::reply_ring_bytes};
}

Worker::~Worker() {
  if (pid_ != 0) kill();
  munmap(channel_, sizeof(abi::Channel));
  munmap(dictionary_, sizeof(abi::Dictionary));
  munmap(request_memory_, 2 * abi::request_ring_bytes);
  munmap(reply_memory_, 2 * abi::reply_ring_bytes);
  close(fd_);
}

void* Worker::map(std::uint64_t offset, std::uint64_t size) {
  void* p =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, static_cast<off_t>(offset));
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

// Twice in a row, see abi::Ring.
char* Worker::map_ring(std::uint64_t offset, std::uint64_t size) {
  void* p = mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  for (char* at : {static_cast<char*>(p), static_cast<char*>(p) + size})
    if (mmap(at, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd_,
             static_cast<off_t>(offset)) == MAP_FAILED)
      throw std::bad_alloc();
  return static_cast<char*>(p);
}

Worker::Numbering Worker::numbering() const {
  Numbering out;
  out.named = channel_->named;
  std::memcpy(out.children, channel_->children, sizeof out.children);
  return out;
}

void Worker::set_numbering(const Numbering& numbering) {
  channel_->named = numbering.named;
  std::memcpy(channel_->children, numbering.children, sizeof numbering.children);
}

void Worker::start_if_gone() {
  if (pid_ == 0) start();
}

pid_t Worker::loaded_process() {
  using Clock = std::chrono::steady_clock;
  start_if_gone();
  const std::atomic_ref opened(channel_->opened);
  const auto begin = Clock::now();
  while (opened.load() == 0 && !has_died() && Clock::now() - begin < patience) {
    const timespec moment{0, 100'000};
    nanosleep(&moment, nullptr);
  }
  return pid_;
}

void Worker::start() {
  took_too_long_ = false;
  channel_->opened = 0;
  channel_->last_word.kind = abi::Word::none;
  channel_->whereabouts = {};
  pid_ = fork();
  if (pid_ < 0) throw Misuse(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ == 0) become_program();
}

void Worker::become_program() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (output_ == Output::nowhere)
    setpgid(0, 0);  // what is typed at the terminal is not for the program
  personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
  setenv("LD_BIND_NOW", "1", 1);
  setenv(abi::channel_variable, std::to_string(fd_).c_str(), 1);
  const int null = open("/dev/null", O_RDWR);
  for (int k = 0; k < (output_ == Output::nowhere ? 3 : 1); ++k) dup2(null, k);
  if (output_ == Output::on_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  close(null);
  std::vector<char*> arguments;
  for (std::string& a : command_) arguments.push_back(a.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

bool Worker::send(const abi::RequestHeader& header, std::span<const Move> moves) {
  const std::uint64_t bytes = (sizeof header + moves.size_bytes() + 7) / 8 * 8;
  if (requests_.room(bytes) < bytes) return false;
  static_assert(sizeof(Move) == sizeof(abi::WireMove));
  char* at = requests_.to_write();
  std::memcpy(at, &header, sizeof header);
  if (!moves.empty()) std::memcpy(at + sizeof header, moves.data(), moves.size_bytes());
  requests_.publish(bytes);
  ++under_way_;
  start_if_gone();
  return true;
}

const abi::ReplyHeader* Worker::receive() {
  const auto reply = [&] { return reinterpret_cast<const abi::ReplyHeader*>(replies_.to_read()); };
  if (!replies_.empty()) return reply();
  requests_.wake();
  if (replies_.await_briefly()) return reply();
  Watchdog watchdog(pid_);
  for (;;) {
    const timespec limit{0, look_every_ns};
    replies_.await(&limit);
    if (!replies_.empty()) return reply();
    if (has_died()) break;
    if (watchdog.has_enough()) {
      const auto blocked = blocked_in(making_run(), channel_->whereabouts);
      kill();
      if (blocked) throw Misuse(*blocked);
      took_too_long_ = true;
      fate_ = does_not_come_back;
      break;
    }
  }
  if (!replies_.empty()) return reply();
  heed_last_word();
  if (channel_->opened == 0)
    throw Misuse("'" + command_[0] +
                 "' was not built with heddle (compile and link it with 'heddle cc' or "
                 "'heddle c++'), or it ends before its main begins: " +
                 fate_);
  return nullptr;
}

// The process that does it: with one for each run, not the worker itself.
pid_t Worker::making_run() const {
  const pid_t child = channel_->whereabouts.process;
  return child != 0 ? child : pid_;
}

// If it said itself why it cannot go on, that is no finding.
void Worker::heed_last_word() const {
  const abi::LastWord& word = channel_->last_word;
  const std::string text(word.text, strnlen(word.text, sizeof word.text));
  if (word.kind == abi::Word::refused) throw Misuse(text);
  if (word.kind == abi::Word::bug) throw Bug(text);
}

const abi::ReplyHeader& Worker::unfinished_reply() const {
  return *reinterpret_cast<const abi::ReplyHeader*>(replies_.to_read());
}

void Worker::start_over() {
  if (pid_ != 0) kill();
  under_way_ = 0;
  for (abi::Ring* ring : {&channel_->requests, &channel_->replies}) {
    ring->written = ring->read = 0;
    ring->sleeping = 0;
  }
  open_rings();
}

bool Worker::has_died() {
  int status = 0;
  if (pid_ == 0) return true;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = 0;
  fate_ = WIFSIGNALED(status)
              ? std::string("the process is killed: ") + strsignal(WTERMSIG(status))
              : "the process exits with status " + std::to_string(WEXITSTATUS(status));
  return true;
}

void Worker::kill() {
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
}

}  // namespace heddle::native
