// A list that is read without locks while one thread removes from it: N readers are counted while
// they look, and who has unlinked a node waits until there are none before it gives the node back.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

#ifndef N
#define N 2
#endif

struct Node {
  int value;
  std::atomic<Node*> next;
};
std::atomic<Node*> head = nullptr;
std::atomic<int> readers = 0;

int sum() {
  readers.fetch_add(1);
  int out = 0;
  for (const Node* n = head; n != nullptr; n = n->next) out += n->value;
  readers.fetch_sub(1);
  return out;
}
void remove_first() {
  Node* first = head;
  head = first->next.load();
  while (readers != 0) {
  }
  delete first;
}

int main() {
  Node* last = new Node{2, nullptr};
  head = new Node{1, last};
  std::vector<std::thread> threads;
  for (int i = 0; i < N; ++i)
    threads.emplace_back([] {
      const int seen = sum();
      assert(seen == 3 || seen == 2);
    });
  remove_first();
  for (std::thread& t : threads) t.join();
  delete last;
}
