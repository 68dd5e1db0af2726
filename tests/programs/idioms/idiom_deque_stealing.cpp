// The deque of Chase and Lev as Lê and others wrote it for C11, with an array that grows; thieves
// continue until all tasks are done.
// expect: verified
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

struct Task {
  int number;
  int done = 0;
};

class Deque {
 public:
  ~Deque() {
    for (Array* a : old_) delete a;
    delete array_.load();
  }
  void push(Task* task) {
    const long b = bottom_.load(std::memory_order_relaxed);
    const long t = top_.load(std::memory_order_acquire);
    Array* a = array_.load(std::memory_order_relaxed);
    if (b - t > (long)a->size - 1) {
      Array* larger = new Array(2 * a->size);
      for (long i = t; i != b; ++i) larger->put(i, a->get(i));
      old_.push_back(a);
      array_.store(larger, std::memory_order_release);
      a = larger;
    }
    a->put(b, task);
#ifndef BROKEN
    std::atomic_thread_fence(std::memory_order_release);
#endif
    bottom_.store(b + 1, std::memory_order_relaxed);
  }
  Task* take() {
    const long b = bottom_.load(std::memory_order_relaxed) - 1;
    Array* a = array_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    long t = top_.load(std::memory_order_relaxed);
    Task* task = nullptr;
    if (t <= b) {
      task = a->get(b);
      if (t == b) {
        if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                          std::memory_order_relaxed))
          task = nullptr;
        bottom_.store(b + 1, std::memory_order_relaxed);
      }
    } else {
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return task;
  }
  Task* steal() {
    long t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const long b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return nullptr;
    Array* a = array_.load(std::memory_order_acquire);
    Task* task = a->get(t);
    return top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed)
               ? task
               : nullptr;
  }

 private:
  struct Array {
    explicit Array(std::size_t n) : size(n), slots(new std::atomic<Task*>[n]) {}
    ~Array() { delete[] slots; }
    Task* get(long i) { return slots[i % size].load(std::memory_order_relaxed); }
    void put(long i, Task* task) { slots[i % size].store(task, std::memory_order_relaxed); }
    std::size_t size;
    std::atomic<Task*>* slots;
  };
  std::atomic<long> top_{0}, bottom_{0};
  std::atomic<Array*> array_{new Array(1)};
  std::vector<Array*> old_;
};

int main() {
  Deque deque;
  Task tasks[2] = {{1}, {2}};
  std::atomic<int> left{2};
  const auto run = [&](Task* task) {
    if (task == nullptr) return false;
    task->done += task->number;
    left.fetch_sub(1, std::memory_order_acq_rel);
    return true;
  };
  std::thread thief([&] {
    while (left.load(std::memory_order_acquire) > 0)
      if (!run(deque.steal())) std::this_thread::yield();
  });
  for (Task& task : tasks) {
    task.number *= 10;
    deque.push(&task);
  }
  while (run(deque.take())) {
  }
  thief.join();
  assert(tasks[0].done == 10 && tasks[1].done == 20 && left == 0);
}
