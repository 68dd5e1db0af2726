// Hazard pointers and a stack: who pops says which node it looks at, and looks again; nodes that
// were popped are deleted when no thread says that it looks at them.
// expect: verified
#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

// The records are never freed, only used again by others.
template <typename T>
class Domain {
 public:
  struct Record {
    std::atomic<T*> pointer{nullptr};
    std::atomic<bool> used{true};
    Record* next = nullptr;
  };
  ~Domain() {
    for (Record* r = records_.load(std::memory_order_acquire); r != nullptr;)
      delete std::exchange(r, r->next);
    for (T* p : left_) delete p;
  }
  Record* acquire() {
    for (Record* r = records_.load(std::memory_order_acquire); r != nullptr; r = r->next)
      if (!r->used.load(std::memory_order_relaxed) &&
          !r->used.exchange(true, std::memory_order_acquire))
        return r;
    auto* r = new Record;
    r->next = records_.load(std::memory_order_relaxed);
    while (!records_.compare_exchange_weak(r->next, r, std::memory_order_release,
                                           std::memory_order_relaxed)) {
    }
    return r;
  }
  bool is_protected(const T* p) const {
    for (Record* r = records_.load(std::memory_order_acquire); r != nullptr; r = r->next)
      if (r->pointer.load(std::memory_order_seq_cst) == p) return true;
    return false;
  }
  // What a thread that ends has retired, and others still look at.
  void leave(const std::vector<T*>& retired) {
    std::lock_guard guard(mutex_);
    left_.insert(left_.end(), retired.begin(), retired.end());
  }

 private:
  std::atomic<Record*> records_{nullptr};
  std::mutex mutex_;
  std::vector<T*> left_;
};

// One thread's use of a domain: a record, and what it has retired.
template <typename T>
class Hazard {
 public:
  explicit Hazard(Domain<T>& domain) : domain_(domain), record_(domain.acquire()) {}
  ~Hazard() {
    reset();
    scan();
    if (!retired_.empty()) domain_.leave(retired_);
    record_->used.store(false, std::memory_order_release);
  }
  T* protect(const std::atomic<T*>& source) {
    T* p = source.load(std::memory_order_relaxed);
#ifdef BROKEN
    record_->pointer.store(p, std::memory_order_seq_cst);
    return p;
#else
    for (;;) {
      record_->pointer.store(p, std::memory_order_seq_cst);
      T* again = source.load(std::memory_order_seq_cst);
      if (again == p) return p;
      p = again;
    }
#endif
  }
  void reset() { record_->pointer.store(nullptr, std::memory_order_release); }
  void retire(T* p) {
    retired_.push_back(p);
    if (retired_.size() >= 2) scan();
  }

 private:
  void scan() {
    const auto kept = std::partition(retired_.begin(), retired_.end(),
                                     [this](const T* p) { return domain_.is_protected(p); });
    std::for_each(kept, retired_.end(), [](T* p) { delete p; });
    retired_.erase(kept, retired_.end());
  }
  Domain<T>& domain_;
  typename Domain<T>::Record* record_;
  std::vector<T*> retired_;
};

struct Node {
  int value;
  Node* next = nullptr;
};

class Stack {
 public:
  void push(int value) {
    Node* node = new Node{value, head_.load(std::memory_order_relaxed)};
    while (!head_.compare_exchange_weak(node->next, node, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
  }
  int pop(Hazard<Node>& hazard) {
    Node* node;
    for (;;) {
      node = hazard.protect(head_);
      if (node == nullptr) return 0;
      Node* expected = node;
      if (head_.compare_exchange_strong(expected, node->next, std::memory_order_acq_rel,
                                        std::memory_order_relaxed))
        break;
    }
    hazard.reset();
    const int value = node->value;
    hazard.retire(node);
    return value;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

Domain<Node> domain;
Stack stack;

int main() {
  stack.push(1);
  stack.push(2);
  int a = 0;
  std::thread other([&] {
    Hazard<Node> hazard(domain);
    a = stack.pop(hazard);
  });
  int b = 0;
  {
    Hazard<Node> hazard(domain);
    b = stack.pop(hazard);
  }
  other.join();
  assert(a + b == 3);
}
