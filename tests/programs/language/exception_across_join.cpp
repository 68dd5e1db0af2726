// An exception is carried from thread to thread; it lives as long as a thread has it.
// expect: verified
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::exception_ptr from_a, from_b;
  const auto work = [](const char* name, std::exception_ptr& out) {
    try {
      throw std::runtime_error(std::string("thrown in ") + name);
    } catch (...) {
      out = std::current_exception();
    }
  };
  std::thread a([&] { work("a", from_a); }), b([&] { work("b", from_b); });
  a.join();
  b.join();
  for (const auto& [caught, last] : {std::pair(from_a, 'a'), std::pair(from_b, 'b')}) {
    try {
      std::rethrow_exception(caught);
    } catch (const std::runtime_error& error) {
      assert(std::string(error.what()).back() == last);
    }
  }
}
