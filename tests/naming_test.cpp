// Names that several processes give at the same time (runtime/abi/naming.h): they must agree.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "fake_worker.hpp"

namespace heddle::native {
namespace {

// Step number k, of one access or of several.
std::uint32_t name_of(abi::Dictionary& d, std::uint64_t k, bool valued = false) {
  std::uint64_t words[8] = {};
  const std::uint32_t accesses = valued ? 1 : k % 4;
  const abi::WireStep head{k + 1, accesses, 1, 0, valued ? std::uint8_t{1} : std::uint8_t{0}};
  std::memcpy(words, &head, sizeof head);
  for (std::uint32_t a = 0; a < accesses; ++a) words[2 + 2 * a] = k * 31 + a;
  return abi::name_step(d, words, abi::step_words + std::min(accesses, 3U) * abi::access_words,
                        valued);
}

constexpr std::uint32_t steps = 3000;
constexpr unsigned threads = 4;

// What one of the threads that name things at the same time was given.
struct Given {
  std::uint32_t step[steps];
  std::uint32_t thread[abi::max_threads];
  std::uint32_t module[50];
};

// Each in an order of its own.
void name_all(abi::Names& names, unsigned who, Given& out) {
  const auto in_order = [&](unsigned count, unsigned k) {
    return who % 2 == 0 ? (k + who * 7) % count : count - 1 - (k + who * 7) % count;
  };
  for (unsigned k = 0; k < steps; ++k) {
    const unsigned s = in_order(steps, k);
    out.step[s] = name_of(names.steps, s);
  }
  for (unsigned k = 0; k < abi::max_threads - 1; ++k) {
    const unsigned t = in_order(abi::max_threads - 1, k);
    out.thread[t] = abi::name_thread(names.threads, t % 3, t / 3);
  }
  for (unsigned k = 0; k < 50; ++k) {
    const unsigned m = in_order(50, k);
    out.module[m] = abi::name_module(names.calls, m + 1, 10 + m);
  }
}

void expect_agreement(const Given& a, const Given& b) {
  EXPECT_TRUE(std::ranges::equal(a.step, b.step));
  EXPECT_TRUE(std::ranges::equal(a.thread, b.thread));
  EXPECT_TRUE(std::ranges::equal(a.module, b.module));
}

// Different things have different names, threads without a gap, and the engine finds all of them.
void expect_sound(SharedNames& names, const Given& given) {
  EXPECT_EQ(std::set(std::begin(given.step), std::end(given.step)).size(), steps);
  for (const std::uint32_t name : given.step) EXPECT_TRUE(names.has_step(name));
  const std::set<std::uint32_t> numbers(given.thread, given.thread + abi::max_threads - 1);
  EXPECT_EQ(numbers.size(), abi::max_threads - 1);
  EXPECT_EQ(*numbers.begin(), 1U);
  EXPECT_EQ(*numbers.rbegin(), abi::max_threads - 1);
  EXPECT_EQ(names.shared().steps.steps, steps);
  std::set<std::uint32_t> notes;
  for (unsigned m = 0; m < 50; ++m)
    for (unsigned k = 0; k < 10 + m; ++k) EXPECT_TRUE(notes.insert(given.module[m] + k).second);
}

TEST(Naming, ThreadsAgree) {
  SharedNames names;
  std::vector<std::unique_ptr<Given>> given;
  for (unsigned t = 0; t < threads; ++t) given.push_back(std::make_unique<Given>());
  std::atomic<unsigned> ready = 0;
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (++ready; ready < threads;) std::this_thread::yield();
      name_all(names.shared(), t, *given[t]);
    });
  for (std::thread& t : all) t.join();
  for (unsigned t = 1; t < threads; ++t) expect_agreement(*given[0], *given[t]);
  expect_sound(names, *given[0]);
}

TEST(Naming, ProcessesAgree) {
  SharedNames names;
  struct Shared {
    std::atomic<unsigned> ready;
    Given given[2];
  };
  void* memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto& shared = *static_cast<Shared*>(memory);
  const auto work = [&](unsigned who, abi::Names& with) {
    for (++shared.ready; shared.ready < 2;) sched_yield();
    name_all(with, who, shared.given[who]);
  };
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {  // at another address, as a worker has it
    void* own =
        mmap(nullptr, sizeof(abi::Names), PROT_READ | PROT_WRITE, MAP_SHARED, names.file(), 0);
    if (own == MAP_FAILED) _exit(1);
    work(1, *static_cast<abi::Names*>(own));
    _exit(0);
  }
  work(0, names.shared());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  expect_agreement(shared.given[0], shared.given[1]);
  expect_sound(names, shared.given[0]);
  munmap(memory, sizeof(Shared));
}

// When there are too many steps, those with values have no names any more, and it is the same ones
// for all.
TEST(Naming, ThreadsAgreeWhichStepsHaveValues) {
  constexpr unsigned count = 500;
  for (unsigned round = 0; round < 20; ++round) {
    SharedNames names;
    abi::Dictionary& d = names.shared().steps;
    d.steps = abi::most_with_values - count / 2;
    std::vector<std::vector<std::uint32_t>> given(2, std::vector<std::uint32_t>(count));
    std::atomic<unsigned> ready = 0;
    const auto work = [&](unsigned who) {
      for (++ready; ready < 2;) std::this_thread::yield();
      for (unsigned k = 0; k < count; ++k) {
        const unsigned s = who == 0 ? k : count - 1 - k;
        given[who][s] = name_of(d, s, true);
      }
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    EXPECT_EQ(given[0], given[1]);
    EXPECT_GE(std::ranges::count(given[0], abi::without_value), count / 2 - 2);
    for (unsigned k = 0; k < count; ++k) EXPECT_EQ(name_of(d, k, true), given[0][k]);
  }
}

TEST(Naming, AProcessThatDiesInBetweenStopsNobody) {
  SharedNames names;
  abi::Dictionary& d = names.shared().steps;
  const std::uint64_t words[4] = {7, std::uint64_t{1} << 56 | std::uint64_t{1} << 32 | 1, 8, 9};
  // It has written the words, and put them into a slot, but not decided.
  const std::uint32_t name = abi::append_step(d, words, 4);
  d.slots[abi::step_hash(words, 4) % abi::dictionary_slots] = name | abi::tentative_bit;
  EXPECT_EQ(abi::find_step(d, words, 4), 0U);
  EXPECT_EQ(abi::name_step(d, words, 4, true), name);
  EXPECT_EQ(abi::find_step(d, words, 4), name);
  EXPECT_EQ(d.steps, 1U);
}

TEST(Naming, SaysWhenThereIsNoRoom) {
  SharedNames names;
  abi::Dictionary& d = names.shared().steps;
  d.steps = abi::most_steps;
  EXPECT_EQ(name_of(d, 1), abi::no_room);
  d.steps = 0;
  d.used = abi::dictionary_words - 3;
  EXPECT_EQ(name_of(d, 1), abi::no_room);
  for (unsigned k = 1; k < abi::max_threads; ++k)
    EXPECT_EQ(abi::name_thread(names.shared().threads, 0, k), k);
  EXPECT_EQ(abi::name_thread(names.shared().threads, 1, 0), 0U);
  EXPECT_EQ(abi::name_thread(names.shared().threads, 0, 5), 5U);
  EXPECT_EQ(abi::name_module(names.shared().calls, 1, abi::max_called), 0U);
  EXPECT_EQ(abi::name_module(names.shared().calls, 2, 1), abi::not_noted);
}

class SharedNamesTest : public testing::Test {
 protected:
  SharedNames names;
  const abi::WireAccess write = memory_access(Mode::write, 0x1000);
  const std::uint32_t step = named_step(names, 0x100, {&write, 1});
  abi::Dictionary& d = names.shared().steps;
};

TEST_F(SharedNamesTest, KnowsWhatWorkersHaveNamed) {
  EXPECT_TRUE(names.has_step(step));
  EXPECT_EQ(names.step(step).head.site, 0x100U);
  EXPECT_FALSE(names.has_step(0));
  EXPECT_FALSE(names.has_step(step + 1));
  EXPECT_FALSE(names.has_step(abi::dictionary_words - 1));
  EXPECT_FALSE(names.has_step(~0U));
}

// A step that is not one any more is not taken over; one that was stays.
TEST_F(SharedNamesTest, DoesNotBelieveWhatIsOverwritten) {
  const abi::WireStep head = names.has_step(step) ? names.step(step).head : abi::WireStep{};
  const std::uint32_t other = named_step(names, 0x200, {&write, 1});
  auto& shared = *reinterpret_cast<abi::WireStep*>(d.words + other);
  const abi::WireStep right = shared;
  const auto expect_refused = [&](const char* what) {
    EXPECT_FALSE(names.has_step(other)) << what;
    shared = right;
  };
  shared.access_count = abi::max_accesses + 1;
  expect_refused("access_count");
  shared.varies = 200;
  expect_refused("varies");
  shared.valued = 2;
  expect_refused("valued");
  shared.site = 0x201;  // it is not where its hash says
  expect_refused("site");
  auto& access = *reinterpret_cast<abi::WireAccess*>(d.words + other + abi::step_words);
  const abi::WireAccess right_access = access;
  access.object = abi::with_mode(access.object, mode_count);
  EXPECT_FALSE(names.has_step(other));
  access = {abi::with_mode(1, static_cast<std::uint8_t>(Mode::joined)), abi::max_threads, 0};
  EXPECT_FALSE(names.has_step(other));
  access = right_access;
  EXPECT_TRUE(names.has_step(other));
  std::memset(d.words + step, 0xff, 32);
  EXPECT_EQ(names.step(step).head.site, head.site);
}

TEST_F(SharedNamesTest, RepairsWhatIsOverwritten) {
  ASSERT_TRUE(names.has_step(step));
  abi::name_thread(names.shared().threads, 0, 0);
  abi::name_thread(names.shared().threads, 1, 4);
  const Numbering numbering = names.numbering();
  EXPECT_EQ(numbering, (Numbering{{{0, 0}, {1, 4}}}));
  const std::uint32_t generation = names.generation();
  names.repair();
  EXPECT_EQ(names.generation(), generation);

  std::memset(d.words + step, 0xff, 32);
  names.repair();
  EXPECT_EQ(names.generation(), generation + 1);
  EXPECT_EQ(named_step(names, 0x100, {&write, 1}), step);
  EXPECT_EQ(names.numbering(), numbering);
  EXPECT_EQ(abi::name_thread(names.shared().threads, 1, 4), 2U);

  names.shared().threads.creator[1] = abi::child_key(5, 5);
  EXPECT_EQ(names.numbering(), numbering);
  names.repair();
  EXPECT_EQ(names.generation(), generation + 2);
  EXPECT_EQ(abi::name_thread(names.shared().threads, 0, 0), 1U);
  names.shared().threads.creator[3] = 0xffff;
  EXPECT_EQ(names.numbering(), numbering);

  names.shared().steps.slots[0] = 5;  // which no step has, and does not matter
  for (auto& slot : names.shared().steps.slots) slot = 0;
  names.repair();
  EXPECT_EQ(names.generation(), generation + 3);
}

TEST_F(SharedNamesTest, FindsTheStepWithAnotherUse) {
  const abi::WireAccess take{abi::with_mode(0x2000, static_cast<std::uint8_t>(Mode::try_lock)), 0,
                             0};
  abi::WireAccess fail = take;
  fail.object = abi::with_mode(fail.object, static_cast<std::uint8_t>(Mode::try_lock_fail));
  const std::uint32_t taken = named_step(names, 0x300, {&take, 1}, 1, Varies::mode);
  ASSERT_TRUE(names.has_step(taken));
  const Access use{0, Mode::try_lock_fail};
  EXPECT_EQ(names.step_with_use(taken, use), 0U);
  const std::uint32_t failed = named_step(names, 0x300, {&fail, 1}, 1, Varies::mode);
  EXPECT_EQ(names.step_with_use(taken, use), failed);
  ASSERT_TRUE(names.has_step(step));
  EXPECT_EQ(names.step_with_use(step, use), 0U);  // its mode does not vary
}

TEST(Numbering, IsSoundOrNot) {
  EXPECT_TRUE((Numbering{{{0, 0}, {1, 0}, {0, 1}}}).is_sound());
  EXPECT_FALSE((Numbering{{{1, 0}}}).is_sound());                 // its own child
  EXPECT_FALSE((Numbering{{{0, 0}, {0, 0}}}).is_sound());         // twice
  EXPECT_FALSE((Numbering{{{0, abi::max_threads}}}).is_sound());  // out of range
  EXPECT_FALSE((Numbering{std::vector<Numbering::Child>(abi::max_threads)}).is_sound());
}

}  // namespace
}  // namespace heddle::native
