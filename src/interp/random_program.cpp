#include "interp/random_program.hpp"

#include <vector>

#include "interp/random_maker.hpp"
#include "interp/random_plain.hpp"

namespace heddle::interp {
namespace {

struct Size {
  int threads, steps;
};

using M = Maker;
const std::vector<M::Step> single = {&M::write, &M::write, &M::read, &M::check};

// Now and then a larger one: most bugs need few steps, but not all.
Size one_of(Random& random, const std::vector<Size>& sizes) {
  static const std::vector<Size> larger = {{3, 4}, {4, 2}, {2, 5}, {5, 1}};
  return random.pick(random.chance(.03) ? larger : sizes);
}
Size small(Random& random) { return one_of(random, {{3, 2}, {2, 3}, {4, 1}, {3, 3}}); }
Size smaller(Random& random) { return one_of(random, {{3, 2}, {2, 3}, {2, 4}}); }

std::vector<M::Step> with(std::vector<M::Step> kinds, const std::vector<M::Step>& more) {
  kinds.insert(kinds.end(), more.begin(), more.end());
  return kinds;
}

Program memory_program(Random& random, Size size, const std::vector<M::Step>& kinds) {
  Maker maker(random, size.threads);
  maker.declare(2);
  return maker.fill(size.steps, kinds);
}

Program make_single(Random& random) { return memory_program(random, small(random), single); }

Program make_several(Random& random) {
  return memory_program(random, small(random),
                        with(single, {&M::fetch_add, &M::copy, &M::both, &M::two_writes}));
}

Program make_data_dependent(Random& random) {
  return memory_program(
      random, small(random),
      with(single, {&M::copy, &M::both, &M::branch, &M::branch, &M::cas, &M::cas}));
}

Program make_adds(Random& random) {
  return memory_program(
      random, small(random),
      {&M::add, &M::add, &M::read, &M::write, &M::fetch_add, &M::exchange, &M::cas, &M::both});
}

Program make_assumes(Random& random) {
  return memory_program(random, small(random), with(single, {&M::assume, &M::assume, &M::cas}));
}

Program make_choices(Random& random) {
  return memory_program(
      random, smaller(random),
      with(single, {&M::choose, &M::choose, &M::act_on_choice, &M::act_on_choice}));
}

Program make_locks(Random& random) {
  const Size size = one_of(random, {{2, 4}, {3, 2}, {3, 3}, {2, 3}});
  Maker maker(random, size.threads);
  maker.declare(2);
  maker.declare_mutexes();
  return maker.fill(size.steps,
                    {&M::lock, &M::lock, &M::release, &M::read, &M::write, &M::try_lock});
}

Program make_rwlocks(Random& random) {
  const Size size = one_of(random, {{3, 2}, {3, 3}, {4, 1}, {2, 4}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_rwlock();
  return maker.fill(size.steps, {&M::read_lock, &M::read_lock, &M::write_lock, &M::try_read_lock,
                                 &M::try_write_lock, &M::release, &M::read, &M::write});
}

Program make_conditions(Random& random) {
  const Size size = one_of(random, {{3, 1}, {3, 2}, {2, 3}, {4, 1}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_mutexes();
  maker.declare_condition();
  return maker.fill(size.steps, {&M::wait, &M::wait, &M::signal, &M::signal, &M::broadcast,
                                 &M::write, &M::read, &M::lock});
}

Program make_semaphores(Random& random) {
  const Size size = small(random);
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_semaphore();
  return maker.fill(size.steps, {&M::sem_wait, &M::sem_wait, &M::sem_post, &M::sem_post,
                                 &M::sem_try_wait, &M::read, &M::write});
}

Program make_barriers(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 3}, {4, 1}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_barrier();
  return maker.fill(size.steps, {&M::barrier, &M::read, &M::write});
}

Program make_heap(Random& random) {
  const Size size = small(random);
  Maker maker(random, size.threads);
  maker.declare(2, true);
  return maker.fill(size.steps, {&M::alloc, &M::alloc, &M::alloc, &M::alloc, &M::free, &M::free,
                                 &M::read, &M::write, &M::add, &M::exchange, &M::two_writes});
}

Program make_threads(Random& random) {
  const Size size = one_of(random, {{3, 1}, {2, 2}, {3, 2}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.put_back(maker.fill(size.steps, {&M::read, &M::write, &M::write}));
  maker.make_created();
  return maker.take();
}

Program make_messages(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 3}, {4, 1}, {3, 3}});
  Maker maker(random, size.threads);
  return maker.fill(size.steps, {&M::message});
}

Program make_time_outs(Random& random) {
  const Size size = one_of(random, {{3, 1}, {3, 2}, {2, 3}, {2, 4}});
  Maker maker(random, size.threads);
  maker.declare(1);
  maker.declare_mutexes();
  maker.declare_condition();
  maker.declare_semaphore();
  return maker.fill(size.steps,
                    {&M::timed_lock, &M::timed_lock, &M::timed_wait, &M::timed_wait,
                     &M::timed_sem_wait, &M::timed_sem_wait, &M::lock, &M::wait, &M::sem_wait,
                     &M::sem_post, &M::signal, &M::read, &M::write, &M::write});
}

// Everything at once: what the parts do to each other.
Program make_mixed(Random& random) {
  const Size size = one_of(random, {{3, 2}, {2, 4}, {2, 3}});
  Maker maker(random, size.threads);
  maker.declare(2);
  maker.declare_mutexes();
  maker.declare_rwlock();
  maker.declare_condition();
  maker.declare_semaphore();
  maker.declare_barrier();
  return maker.fill(
      size.steps,
      {&M::write,      &M::write,     &M::read,          &M::read,       &M::check,
       &M::assume,     &M::add,       &M::fetch_add,     &M::cas,        &M::branch,
       &M::two_writes, &M::choose,    &M::act_on_choice, &M::lock,       &M::try_lock,
       &M::release,    &M::read_lock, &M::write_lock,    &M::wait,       &M::signal,
       &M::broadcast,  &M::sem_wait,  &M::sem_post,      &M::barrier,    &M::message,
       &M::message,    &M::fence,     &M::timed_lock,    &M::timed_wait, &M::timed_sem_wait});
}

Program make_plain(Random& random) {
  static const std::vector<Program (*)(Random&)> few = {make_single, make_adds, make_locks,
                                                        make_rwlocks};
  return with_plain_accesses(random.pick(few)(random), random);
}

// Among all else.
Program make_more_plain(Random& random) {
  static const std::vector<Program (*)(Random&)> others = {
      make_several,    make_data_dependent, make_assumes,  make_choices,
      make_conditions, make_semaphores,     make_barriers, make_threads,
      make_messages,   make_time_outs,      make_mixed};
  return with_plain_accesses(random.pick(others)(random), random);
}

constexpr Shape table[] = {
    {"single accesses", make_single},
    {"several accesses", make_several},
    {"data-dependent accesses", make_data_dependent},
    {"adds", make_adds},
    {"assumes", make_assumes},
    {"choices", make_choices},
    {"locks", make_locks},
    {"rwlocks", make_rwlocks},
    {"condition variables", make_conditions},
    {"semaphores", make_semaphores},
    {"barriers", make_barriers},
    {"heap", make_heap},
    {"threads", make_threads},
    {"messages", make_messages},
    {"time-outs", make_time_outs},
    {"mixed", make_mixed},
    {"plain accesses", make_plain},
    {"plain accesses among others", make_more_plain},
};

}  // namespace

std::span<const Shape> shapes() { return table; }

}  // namespace heddle::interp
