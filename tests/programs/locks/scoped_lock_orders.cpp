// Two threads take two locks at once, in opposite orders: each backs off and tries again, which
// changes nothing but a variable that says which lock comes first, and changes that back.
// expect: verified
#include <mutex>
#include <thread>

std::mutex first, second;
int balance;

int main() {
  std::thread a([] {
    std::scoped_lock both(first, second);
    ++balance;
  });
  std::thread b([] {
    std::scoped_lock both(second, first);
    ++balance;
  });
  a.join();
  b.join();
  return balance == 2 ? 0 : 1;
}
