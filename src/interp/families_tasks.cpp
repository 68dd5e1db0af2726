// The parallel algorithms of the context-sensitive papers: table 2 of Albert et al. 2017, and table
// 1 of 2023. The papers do not give the programs; these are made from their counts.
#include <string>

#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

using enum Compare;

// A tree of tasks. One of size two or more waits for the two it consists of, each of which has
// added its result to the task's: two orders. So there are 2^(number of such tasks) traces.
class TaskTree {
 public:
  // The sizes of the parts of a task; a task of size one has none.
  struct Parts {
    int left, right;
  };
  TaskTree(Builder& b, int least_with_parts, Parts (*parts)(int size))
      : b_(b), least_with_parts_(least_with_parts), parts_(parts) {}

  // Adds its result to `sum`; the root keeps it. A task without parts has its size as its result.
  ThreadBuilder task(int size, const Place* sum) {
    const std::string number = std::to_string(count_++);
    ThreadBuilder t = b_.thread("t" + number);
    const Reg result = t.reg();
    if (size < least_with_parts_) {
      t.set(result, size);
    } else {
      const Place of_parts = b_.memory("sum" + number);
      const Parts parts = parts_(size);
      const ThreadBuilder left = task(parts.left, &of_parts), right = task(parts.right, &of_parts);
      t.join(left).join(right).read(result, of_parts);
    }
    if (sum != nullptr) t.fetch_add(*sum, result);
    return t;
  }

 private:
  Builder& b_;
  int least_with_parts_;
  Parts (*parts_)(int size);
  int count_ = 0;
};

// 2, 4, 16, 128 traces for n = 2 .. 5.
Program fib(int n) {
  Builder b("fib", n);
  TaskTree(b, 2, [](int k) -> TaskTree::Parts { return {k - 1, k - 2}; }).task(n, nullptr);
  return b.build();
}

// The published counts, 2^(n + 3), say that there are n + 3 pivots, so there are as many elements.
// Where the pivots come to be does not matter: here it is the middle.
Program quicksort(int n) {
  Builder b("quicksort", n);
  TaskTree(b, 1, [](int k) -> TaskTree::Parts {
    return {k / 2, k - 1 - k / 2};
  }).task(n + 3, nullptr);
  return b.build();
}

// 2^(n - 1) traces.
Program mergesort(int n) {
  Builder b("mergesort", n);
  TaskTree(b, 2, [](int k) -> TaskTree::Parts { return {k / 2, k - k / 2}; }).task(n, nullptr);
  return b.build();
}

// A pipe of n stages, each of which keeps the least of the values that come and passes on the other
// values. n values are in flight at once, and come to each stage in any order: n! * (n - 1)! * ...
// * 2! traces.
Program pipesort(int n) {
  Builder b("pipesort", n);
  const Array came = b.array("came", n), least = b.array("least", n);
  for (int i = 0; i < n; ++i) {
    ThreadBuilder t = b.thread("v" + std::to_string(n - i));
    const Reg value = t.reg(), before = t.reg(), kept = t.reg();
    t.set(value, n - i);
    for (int k = 0; k < n; ++k) {
      const std::string number = std::to_string(k);
      t.atomic_begin().read(before, came[k]).write(came[k], before + 1).read(kept, least[k]);
      t.jump_if(before, eq, 0, "keep" + number).jump_if(kept, lt, value, "pass" + number);
      t.label("keep" + number).write(least[k], value).set(value, kept);
      t.label("pass" + number).atomic_end().jump_if(before, eq, 0, "end");
    }
    t.label("end").set(value, 0).set(before, 0).set(kept, 0);
  }
  return b.build();
}

// n clients register with a server, which counts them, and then note that they have; a friend of
// each notes the same. One outcome, as the last column of the table has it. n! * 2^n traces.
Program registration(int n) {
  Builder b("registration", n);
  const Place registered = b.memory("registered");
  const Array notes = b.array("notes", n);
  for (int i = 0; i < n; ++i) {
    b.thread("client" + std::to_string(i)).fetch_add(registered, 1).fetch_add(notes[i], 1);
    b.thread("friend" + std::to_string(i)).fetch_add(notes[i], 1);
  }
  return b.build();
}

constexpr Family rows[] = {
    {"fib", "a tree of tasks, as in the recursive computation of the n-th Fibonacci number", 4, 2,
     15, fib},
    {"quicksort", "a tree of tasks, as in quicksort of n + 3 elements", 2, 1, 100, quicksort},
    {"mergesort", "a tree of tasks, as in mergesort of n elements", 4, 2, 100, mergesort},
    {"pipesort", "n values that go through a pipe of n stages", 3, 1, 60, pipesort},
    {"registration", "n clients that register with a server, each of which has a friend", 3, 1, 60,
     registration},
};

}  // namespace

std::span<const Family> task_families() { return rows; }

}  // namespace heddle::interp
