// Two workers of one program that share names: the log of a schedule does not depend on which of
// them made the run, though they name steps and threads at the same time and in other orders.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ranges>

#include "native/session.hpp"
#include "native/worker.hpp"

namespace heddle::native {
namespace {

// Threads create threads, so that their numbers depend on the schedule that comes first.
constexpr const char* source = R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* leaf(void* p) {
  pthread_mutex_lock(&m);
  atomic_store(&x, atomic_load(&y) + (int)(long)p);
  pthread_mutex_unlock(&m);
  return 0;
}
static void* inner(void* p) {
  pthread_t t[2];
  for (long k = 0; k < 2; ++k) pthread_create(&t[k], 0, leaf, (void*)((long)p * 2 + k));
  atomic_fetch_add(&y, 1);
  for (int k = 0; k < 2; ++k) pthread_join(t[k], 0);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (long k = 0; k < 3; ++k) pthread_create(&t[k], 0, inner, (void*)k);
  for (int k = 0; k < 3; ++k) pthread_join(t[k], 0);
  return 0;
}
)";

class TwoWorkers : public testing::Test {
 protected:
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("heddle_two_workers_" + std::to_string(getpid()));

  std::string built() const {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "program.c") << source;
    const std::string program = (folder / "program").string();
    const std::string command = std::string(HEDDLE_BINARY) + " cc -O1 " +
                                (folder / "program.c").string() + " -o " + program;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return program;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
};

struct Made {
  std::vector<Event> events;
  std::vector<Pending> pending;
};

TEST_F(TwoWorkers, HaveTheSameLogs) {
  constexpr std::uint64_t seeds = 30;
  const std::string program = built();
  const auto names = std::make_shared<SharedNames>();
  const auto settings = std::make_unique<abi::Settings>();
  settings->step_limit = 1000;
  settings->waiting_rounds = 1;
  Knowledge knowledge;
  knowledge.threads = 16;
  Decoder decoder(*names, knowledge, abi::Races::report);
  Worker first({program}, Output::nowhere, names), second({program}, Output::nowhere, names);
  Session sessions[2] = {{first, decoder, 5}, {second, decoder, 7}};
  for (Worker* worker : {&first, &second}) worker->configure(*settings);

  const auto seed_of = [&](unsigned who, std::uint64_t k) { return who == 0 ? k : seeds + 1 - k; };
  for (std::uint64_t k = 1; k <= seeds; ++k)
    for (unsigned who = 0; who < 2; ++who)
      sessions[who].submit({{}, Request::Then::proceed, seed_of(who, k), seed_of(who, k)},
                           abi::Then::proceed);
  std::vector<Made> runs[2] = {std::vector<Made>(seeds + 1), std::vector<Made>(seeds + 1)};
  for (std::uint64_t k = 1; k <= seeds; ++k)
    for (unsigned who = 0; who < 2; ++who) {
      const Session::Answer answer = sessions[who].next();
      ASSERT_EQ(answer.death, nullptr);
      ASSERT_EQ(answer.reply.ending, abi::Ending::complete);
      DecodedRun decoded;
      decoder.decode(answer.reply, answer.known, decoded);
      runs[who][answer.reply.ticket] = {decoded.events, decoded.pending};
    }
  for (Session& session : sessions) session.finish();

  bool differ = false;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    EXPECT_FALSE(runs[0][seed].events.empty());
    EXPECT_EQ(runs[0][seed].events, runs[1][seed].events) << "seed " << seed;
    differ = differ || runs[0][seed].events != runs[0][1].events;
  }
  EXPECT_TRUE(differ);
  EXPECT_EQ(names->numbering().threads.size(), 9U);

  // A schedule that one has made, the other follows; and what is known need not be sent.
  const std::vector<Event>& events = runs[0][3].events;
  Schedule schedule;
  for (const Event& e : events) schedule.push_back(e.move);
  sessions[1].submit({schedule, Request::Then::proceed, 0, 0, std::span(events).first(5)},
                     abi::Then::proceed);
  const Session::Answer answer = sessions[1].next();
  EXPECT_EQ(answer.known.size(), 5U);
  DecodedRun decoded;
  decoder.decode(answer.reply, answer.known, decoded);
  EXPECT_EQ(decoded.events, events);
}

// If one worker's program writes over the names, the other is not listened to any more until it has
// been started over with the new ones.
TEST_F(TwoWorkers, AreStartedOverWhenTheirNamesAreOverwritten) {
  const std::string program = built();
  const auto names = std::make_shared<SharedNames>();
  const auto settings = std::make_unique<abi::Settings>();
  settings->step_limit = 1000;
  settings->waiting_rounds = 1;
  Knowledge knowledge;
  knowledge.threads = 16;
  Decoder decoder(*names, knowledge, abi::Races::report);
  Worker first({program}, Output::nowhere, names), second({program}, Output::nowhere, names);
  for (Worker* worker : {&first, &second}) worker->configure(*settings);
  Session a(first, decoder, 1000), b(second, decoder, 1000);
  const auto run = [&](Session& session) {
    session.submit({{}, Request::Then::proceed, 0, 0}, abi::Then::proceed);
    const Session::Answer answer = session.next();
    DecodedRun decoded;
    decoder.decode(answer.reply, answer.known, decoded);
    return decoded.events;
  };
  const std::vector<Event> events = run(a);
  EXPECT_EQ(run(b), events);
  a.drain();
  b.drain();
  for (std::uint64_t& word : names->shared().steps.words | std::views::take(4000)) word = 0x55;
  first.start_over();
  EXPECT_EQ(names->generation(), 2U);
  EXPECT_EQ(run(a), events);
  EXPECT_EQ(run(b), events);
}

}  // namespace
}  // namespace heddle::native
