// An exception copies the string that it is made of.
// expect: finding data-race line 10 or 12
#include <stdexcept>
#include <string>
#include <thread>

std::string text = "a string that is too long for the object";

int main() {
  std::thread other([] { text[3] = 'x'; });
  try {
    throw std::runtime_error(text);
  } catch (const std::exception&) {
  }
  other.join();
}
