// The message-passing benchmarks of Aronis et al. 2018, table 2.
#include <string>
#include <vector>

#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

constexpr int most_tags = 60;  // of 64 that there are

constexpr std::int64_t only(int tag) { return std::int64_t{1} << tag; }
constexpr std::int64_t all_below(int tag) { return only(tag) - 1; }

std::vector<ThreadBuilder> add_threads(Builder& b, const std::string& name, int n) {
  std::vector<ThreadBuilder> threads;
  threads.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) threads.push_back(b.thread(name + std::to_string(i)));
  return threads;
}

Program senders(const std::string& name, int n, bool any) {
  Builder b(name, n);
  auto threads = add_threads(b, "s", n);
  ThreadBuilder r = b.thread("r");
  for (int i = 0; i < n; ++i) {
    threads[static_cast<std::size_t>(i)].send(r, i);
    r.receive(r.reg(), any ? all_below(n) : only(i));
  }
  return b.build();
}

// A receiver that takes the messages of n senders in a fixed order: n! traces, 1 with observers.
Program selective(int n) { return senders("selective", n, false); }

// In whatever order they come: n! traces, with observers too.
Program not_selective(int n) { return senders("not-selective", n, true); }

// lock(n) of the paper: a mutex as a process, which n workers acquire and release. n! traces with
// observers, more without: the delivery of a release then interferes with that of an acquire.
Program lock_server(int n) {
  constexpr int acquire = 0, release = 1, granted = 0;
  Builder b("lock-server", n);
  auto workers = add_threads(b, "w", n);
  ThreadBuilder server = b.thread("server");
  for (ThreadBuilder& w : workers)
    w.send(server, acquire).receive(w.reg(), only(granted)).send(server, release);
  const Reg worker = server.reg(), released = server.reg();
  for (int i = 0; i < n; ++i) {
    server.receive(worker, only(acquire)).plus(worker, -1);  // it gets the sender's number + 1
    server.send(worker, granted).receive(released, only(release));
  }
  return b.build();
}

constexpr Family rows[] = {
    {"selective", "n senders, and a receiver that takes their messages in a fixed order", 4, 1,
     most_tags, selective},
    {"not-selective", "n senders, and a receiver that takes their messages as they come", 4, 1,
     most_tags, not_selective},
    {"lock-server", "n workers, and a mutex that is a process", 3, 1, 1000, lock_server},
};

}  // namespace

std::span<const Family> message_families() { return rows; }

}  // namespace heddle::interp
