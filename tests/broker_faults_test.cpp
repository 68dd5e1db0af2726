// Jobs whose broker is killed, whose connections are cut, and whose workers are killed and stopped;
// and what a worker's user may do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <set>

#include "base/random.hpp"
#include "broker/job.hpp"
#include "broker/worker.hpp"
#include "broker_proxy.hpp"
#include "broker_server.hpp"

namespace heddle::broker {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

// A job of which each cube is split in two, down to a depth. Cubes are named by the way to them.
constexpr std::size_t depth = 9;

std::uint64_t runs_of(const std::string& cube) {
  std::uint64_t out = 1;
  for (const char c : cube) out = (out * 31 + static_cast<unsigned char>(c)) % 1009;
  return out;
}

std::uint64_t all_runs(const std::string& cube, std::size_t down_to) {
  return cube.size() > down_to ? runs_of(cube)
                               : all_runs(cube + "0", down_to) + all_runs(cube + "1", down_to);
}

Outcome explore(const std::string& cube, std::size_t down_to) {
  if (cube.size() > down_to) return Done{{{"runs", runs_of(cube)}}, ""};
  return Split{{cube + "0", cube + "1"}};
}

Checkpoint deep_job() {
  Checkpoint out = small_job();
  out.root = "r";
  return out;
}

void expect_exact(Job& job, std::size_t down_to) {
  const Audit audit = job.audit();
  EXPECT_TRUE(audit.is_complete())
      << testing::PrintToString(audit.problems) << testing::PrintToString(audit.strays);
  EXPECT_THAT(audit.counts, ElementsAre(Pair("runs", all_runs("r", down_to))));
  EXPECT_EQ(audit.done, 1u << down_to);
  EXPECT_EQ(audit.split, (1u << down_to) - 1);
  EXPECT_EQ(job.status().state, State::done);
}

Client::Settings quick() {
  Client::Settings out;
  out.longest_pause = milliseconds(20);
  out.patience = std::chrono::hours(1);
  return out;
}

// The broker loses what it did last, as when the machine loses its power: its file has no end.
void cut(const TestBroker& broker, std::uintmax_t bytes) {
  for (const auto& entry : std::filesystem::directory_iterator(broker.path("appendonlydir")))
    if (entry.path().string().ends_with(".incr.aof"))
      std::filesystem::resize_file(entry.path(), entry.file_size() - bytes);
}

// As the documentation tells operators to do it.
void mend(const TestBroker& broker) {
  run_command({"sh", "-c",
               "yes | redis-check-aof --fix '" +
                   broker.path("appendonlydir/appendonly.aof.manifest") + "'"},
              broker.path("mend.log"));
}

constexpr std::size_t small = 4;  // the depth of a job for one worker

// Finishes cubes until the job ends or `on_finish` returns false; or until there is none to claim,
// for jobs that may be damaged.
void finish_all(const Address& address, Job& job, const std::function<bool()>& on_finish,
                bool may_be_damaged = false) {
  Client::Settings settings = quick();
  bool is_hungry = false;  // asked for the second time since the last cube
  if (may_be_damaged) settings.is_interrupted = [&] { return std::exchange(is_hungry, true); };
  Client client(address, settings);
  Worker worker(client, job.name(), patient());
  while (auto claim = worker.claim()) {
    is_hungry = false;
    EXPECT_NE(worker.finish(explore(claim->cube, small)), Answer::known);
    if (!on_finish()) return;
    is_hungry = false;
  }
}

TEST(BrokerFaultsTest, TheBrokerIsKilledAndStartedAgain) {
  TestBroker broker;
  Client client(broker.address(), quick());
  Job job = Job::create(client, deep_job(), "");
  Client own(broker.address(), quick());
  Worker worker(own, job.name(), patient());
  for (int k = 0; auto claim = worker.claim(); ++k) {
    if (k % 3 == 0) {
      broker.kill_it();
      EXPECT_TRUE(worker.look("").is_wanted);  // it does not wait
      broker.start();
    }
    EXPECT_EQ(worker.finish(explore(claim->cube, small)), Answer::accepted);
    if (k % 4 == 0) {
      broker.kill_it();
      broker.start();
    }
  }
  expect_exact(job, small);
}

TEST(BrokerFaultsTest, TheBrokerForgetsTheLastOutcomes) {
  Random random(3);
  TestBroker broker({"--aof-load-truncated", "no"});
  Client client(broker.address(), quick());
  Job job = Job::create(client, deep_job(), "");
  int finished = 0;
  finish_all(broker.address(), job, [&] {
    if (++finished % 5 != 0 || finished > 60) return true;
    broker.kill_it();
    cut(broker, 1 + random.below(3000));
    mend(broker);
    broker.start();
    return true;
  });
  expect_exact(job, small);
}

// Brokers that cut off a transaction in the middle do the first part of it with the next one, when
// they are started again. The outcomes are right all the same.
TEST(BrokerFaultsTest, TheBrokerIsRestoredFromAFileThatIsNotWhole) {
  for (const unsigned bytes : {1u, 30u, 100u, 200u, 300u, 400u, 500u, 600u, 700u, 800u}) {
    TestBroker broker;
    Client client(broker.address(), quick());
    Job job = Job::create(client, deep_job(), "");
    const auto restart = [&] {
      broker.kill_it();
      broker.start();
    };
    for (int k = 0; k < 3; ++k) {
      int finished = 0;
      finish_all(broker.address(), job, [&] { return ++finished < 3; }, true);
      broker.kill_it();
      if (finished == 3) cut(broker, bytes);  // or the job itself would be lost some time
      broker.start();
    }
    finish_all(broker.address(), job, [&] { return false; }, true);
    restart();
    const Audit audit = job.audit();
    EXPECT_THAT(audit.strays, testing::IsEmpty());
    Job again = Job::create(client, job.checkpoint(), "");
    finish_all(broker.address(), again, [] { return true; });
    expect_exact(again, small);
  }
}

TEST(BrokerFaultsTest, DamageIsNoticed) {
  TestBroker broker;
  Client client(broker.address());
  Job job = Job::create(client, small_job(), "");
  EXPECT_FALSE(job.status().is_damaged);
  client.one({"XTRIM", Keys(job.name()).cubes, "MAXLEN", "0"});
  EXPECT_TRUE(job.status().is_damaged);
}

TEST(BrokerFaultsTest, TheLastOutcomeIsSentAgain) {
  TestBroker broker;
  Client client(broker.address(), quick());
  Job job = Job::create(client, small_job(), "");
  Client own(broker.address(), quick());
  Worker worker(own, job.name(), patient());
  ASSERT_TRUE(worker.claim());
  ASSERT_EQ(worker.finish(Done{{{"runs", 3}}, ""}), Answer::accepted);
  broker.kill_it();
  cut(broker, 1);
  broker.start();
  EXPECT_FALSE(job.audit().is_complete());
  EXPECT_FALSE(worker.claim());
  EXPECT_EQ(worker.view().state, State::done);
  EXPECT_TRUE(job.audit().is_complete());
  EXPECT_THAT(job.audit().counts, ElementsAre(Pair("runs", 3)));
}

TEST(BrokerFaultsTest, ConnectionsAreCutAnywhere) {
  const TestBroker broker;
  Proxy proxy(broker.path("proxy"), broker.path("socket"));
  Address address = broker.address();
  address.host = broker.path("proxy");
  constexpr std::size_t middle = 6;
  Client client(address, quick());
  Job job = Job::create(client, deep_job(), "");
  std::vector<std::thread> workers;
  for (int k = 0; k < 3; ++k)
    workers.emplace_back([&] {
      Client own(address, quick());
      Worker worker(own, job.name(), patient());
      while (auto claim = worker.claim()) {
        worker.look("");
        EXPECT_NE(worker.finish(explore(claim->cube, middle)), Answer::obsolete);
      }
    });
  for (std::thread& worker : workers) worker.join();
  expect_exact(job, middle);
  EXPECT_GT(proxy.cuts(), 10);
}

// Of the test and of its workers.
struct Shared {
  std::atomic<unsigned> events;
};

// Where a worker may be killed or stopped; every tenth time it is.
void danger(Shared& shared) {
  const unsigned event = shared.events++;
  if (event % 10 == 9) raise(event % 30 == 9 ? SIGSTOP : SIGKILL);
}

[[noreturn]] void work(const TestBroker& broker, const std::string& job, Shared& shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    Client client(broker.address(), quick());
    Worker::Settings settings = hasty();
    settings.silence = milliseconds(100);
    settings.deliveries = 1'000'000;  // the innocent are killed here
    Worker worker(client, job, settings);
    while (auto claim = worker.claim()) {
      danger(shared);
      const Outcome outcome = explore(claim->cube, depth);
      worker.look("");
      worker.finish(outcome);
      danger(shared);
    }
    _exit(0);
  } catch (const std::exception& error) {
    fprintf(stderr, "worker: %s\n", error.what());
    _exit(1);
  }
}

// Ten workers; those that are killed or stopped are replaced, and the stopped ones come back.
class Herd {
 public:
  Herd(const TestBroker& broker, std::string job) : broker_(broker), job_(std::move(job)) {
    memory_ =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HEDDLE_CHECK(memory_ != MAP_FAILED);
    shared_ = new (memory_) Shared();
  }
  ~Herd() {
    for (const auto& all : {running_, stopped_})
      for (const pid_t pid : all) {
        kill(pid, SIGKILL);
        waitpid(pid, nullptr, 0);
      }
    munmap(memory_, sizeof(Shared));
  }
  Herd(const Herd&) = delete;
  Herd& operator=(const Herd&) = delete;

  void tend() {
    while (running_.size() < 10) {
      const pid_t pid = fork();
      if (pid == 0) work(broker_, job_, *shared_);
      running_.insert(pid);
    }
    int status = 0;
    const pid_t pid = waitpid(-1, &status, WUNTRACED | WNOHANG);
    if (pid > 0) note(pid, status);
    if (stopped_.size() > 5) {  // it is back, and knows nothing of what happened
      kill(*stopped_.begin(), SIGCONT);
      running_.insert(stopped_.extract(stopped_.begin()));
    }
    if (random_.chance(.02)) kill(*running_.begin(), SIGKILL);  // at any instruction
  }

  int deaths = 0, stops = 0, failures = 0;

 private:
  void note(pid_t pid, int status) {
    const bool was_running = running_.erase(pid) == 1;
    if (was_running && WIFSTOPPED(status)) {
      stopped_.insert(pid);
      ++stops;
      return;
    }
    stopped_.erase(pid);
    if (WIFSIGNALED(status)) ++deaths;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) ++failures;
  }

  const TestBroker& broker_;
  std::string job_;
  void* memory_;
  Shared* shared_;
  std::set<pid_t> running_, stopped_;
  Random random_{1};
};

TEST(BrokerFaultsTest, WorkersAreKilledAndStopped) {
  TestBroker broker;
  Client client(broker.address(), quick());
  Job job = Job::create(client, deep_job(), "");
  Herd herd(broker, job.name());
  int restarts = 0;
  do {
    herd.tend();
    if (herd.deaths > 30 * (restarts + 1) && restarts < 2) {
      ++restarts;
      broker.kill_it();
      broker.start();
    }
    std::this_thread::sleep_for(milliseconds(1));
  } while (job.status().state == State::running);
  expect_exact(job, depth);
  EXPECT_EQ(herd.failures, 0);
  EXPECT_EQ(restarts, 2);
  EXPECT_GE(herd.deaths + herd.stops, 100);
  RecordProperty("deaths", herd.deaths);
  RecordProperty("stops", herd.stops);
}

}  // namespace
}  // namespace heddle::broker
