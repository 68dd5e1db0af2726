// A list that is read without locks: who changes it publishes nodes when they are complete, and
// deletes what it took out when all readers that were there have left.
// expect: verified
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <mutex>
#include <thread>

// Readers are counted by the phase in which they came; a grace period lets both phases run dry.
class GracePeriods {
 public:
  class Reader {
   public:
    explicit Reader(GracePeriods& of)
        : count_(of.counts_[of.phase_.load(std::memory_order_relaxed) & 1].readers) {
      count_.fetch_add(1, std::memory_order_seq_cst);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { count_.fetch_sub(1, std::memory_order_release); }

   private:
    std::atomic<int>& count_;
  };
  void synchronize() {
    std::lock_guard guard(mutex_);
    for (int i = 0; i < 2; ++i) {
      const unsigned phase = phase_.fetch_add(1, std::memory_order_seq_cst);
      while (counts_[phase & 1].readers.load(std::memory_order_seq_cst) != 0)
        std::this_thread::yield();
    }
  }

 private:
  struct alignas(64) Count {
    std::atomic<int> readers{0};
  };
  std::array<Count, 2> counts_;
  std::atomic<unsigned> phase_{0};
  std::mutex mutex_;
};

class List {
 public:
  ~List() {
    for (Node* node = head_.load(std::memory_order_relaxed); node != nullptr;) {
      Node* next = node->next.load(std::memory_order_relaxed);
      delete node;
      node = next;
    }
  }
  void add(int key) {
    Node* node = new Node{key};
    node->next.store(head_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    head_.store(node, std::memory_order_release);
  }
  bool remove(int key) {
    std::atomic<Node*>* link = &head_;
    Node* node = link->load(std::memory_order_relaxed);
    for (; node != nullptr; node = link->load(std::memory_order_relaxed)) {
      if (node->key == key) break;
      link = &node->next;
    }
    if (node == nullptr) return false;
#ifdef BROKEN
    periods_.synchronize();
    link->store(node->next.load(std::memory_order_relaxed), std::memory_order_release);
#else
    link->store(node->next.load(std::memory_order_relaxed), std::memory_order_release);
    periods_.synchronize();
#endif
    delete node;
    return true;
  }
  int sum() {
    const GracePeriods::Reader reader(periods_);
    int out = 0;
    for (Node* node = head_.load(std::memory_order_acquire); node != nullptr;
         node = node->next.load(std::memory_order_acquire))
      out += node->key;
    return out;
  }

 private:
  struct Node {
    int key;
    std::atomic<Node*> next{nullptr};
  };
  std::atomic<Node*> head_{nullptr};
  GracePeriods periods_;
};

int main() {
  List list;
  list.add(1);
  list.add(2);
  int seen = 0;
  std::thread reader([&] { seen = list.sum(); });
  assert(list.remove(1));
  list.add(4);
  reader.join();
  assert(seen == 3 || seen == 2 || seen == 6);
  assert(list.sum() == 6);
}
