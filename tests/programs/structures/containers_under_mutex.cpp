// Containers that a mutex guards, used by two threads.
// expect: verified optimal=2 observers=2
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

std::mutex m;
std::vector<int> vector;
std::deque<int> deque;
std::list<int> list;
std::map<int, std::string> map;
std::set<int> set;
std::unordered_map<std::string, int> table;
std::string text;

void add(int from) {
  std::lock_guard lock(m);
  for (int i = from; i < from + 20; ++i) {
    vector.push_back(i);
    deque.push_front(i);
    list.push_back(i);
    map[i] = std::to_string(i);
    set.insert(-i);
    table[std::to_string(i)] += i;
    text += "a longer piece of text";
  }
}

int main() {
  std::thread a(add, 0), b(add, 100);
  a.join();
  b.join();
  assert(vector.size() == 40 && deque.size() == 40 && list.size() == 40 && map[119] == "119");
  assert(set.contains(-5) && table["7"] == 7 && text.size() == 40 * 22);
}
