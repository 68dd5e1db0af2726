// Epoch-based reclamation: readers say in which epoch they began; the epoch advances when all have
// begun in it, and what was retired two epochs ago can be deleted.
// expect: verified
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

template <typename T, std::size_t Threads>
class Epochs {
 public:
  ~Epochs() {
    for (const Retired& r : retired_) delete r.object;
  }
  class Guard {
   public:
    Guard(Epochs& epochs, std::size_t thread) : slot_(epochs.slots_[thread].epoch) {
      slot_.store(epochs.now_.load(std::memory_order_relaxed), std::memory_order_seq_cst);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() { slot_.store(idle, std::memory_order_release); }

   private:
    std::atomic<unsigned>& slot_;
  };
  // Of the one thread that changes things.
  void retire(T* object) { retired_.push_back({object, now_.load(std::memory_order_relaxed)}); }
  void collect() {
    const unsigned now = advance();
    std::vector<Retired> kept;
    for (const Retired& r : retired_) {
      if (now - r.epoch < distance)
        kept.push_back(r);
      else
        delete r.object;
    }
    retired_.swap(kept);
  }

 private:
#ifdef BROKEN
  static constexpr unsigned distance = 1;
#else
  static constexpr unsigned distance = 2;
#endif
  static constexpr unsigned idle = ~0u;
  struct Retired {
    T* object;
    unsigned epoch;
  };
  struct alignas(64) Slot {
    std::atomic<unsigned> epoch{idle};
  };
  unsigned advance() {
    const unsigned now = now_.load(std::memory_order_relaxed);
    for (const Slot& slot : slots_) {
      const unsigned epoch = slot.epoch.load(std::memory_order_seq_cst);
      if (epoch != idle && epoch != now) return now;
    }
    now_.store(now + 1, std::memory_order_release);
    return now + 1;
  }
  std::array<Slot, Threads> slots_;
  alignas(64) std::atomic<unsigned> now_{0};
  std::vector<Retired> retired_;
};

struct Settings {
  int low, high;
};
Epochs<Settings, 1> epochs;
std::atomic<Settings*> current{new Settings{1, 2}};

int main() {
  std::thread reader([] {
    for (int i = 0; i < 2; ++i) {
      Epochs<Settings, 1>::Guard guard(epochs, 0);
      const Settings* s = current.load(std::memory_order_acquire);
      assert(s->low < s->high);
    }
  });
  for (int i = 2; i <= 3; ++i) {
    epochs.retire(current.exchange(new Settings{i, 2 * i}, std::memory_order_acq_rel));
    epochs.collect();
  }
  epochs.collect();
  reader.join();
  delete current.load();
}
