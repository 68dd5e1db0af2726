// The same for letters.
// expect: finding data-race line 9 or 11
#include <stdexcept>
#include <thread>

char text[] = "letters";

int main() {
  std::thread other([] { text[3] = 'x'; });
  try {
    throw std::out_of_range(text);
  } catch (const std::exception&) {
  }
  other.join();
}
