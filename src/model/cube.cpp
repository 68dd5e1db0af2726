#include "model/cube.hpp"

#include <charconv>

#include "base/check.hpp"

namespace heddle {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::size_t threads) : text_(text), threads_(threads) {}

  bool at_end() const { return at_ == text_.size(); }
  bool skip(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!skip(c)) fail();
  }
  StepName step() {
    const std::uint32_t thread = number();
    expect('.');
    const std::uint32_t index = number();
    if (thread >= threads_) fail();
    return {static_cast<ThreadId>(thread), index};
  }
  [[noreturn]] void fail() const {
    throw Misuse("invalid cube '" + std::string(text_) + "' at character " +
                 std::to_string(at_ + 1));
  }

 private:
  std::uint32_t number() {
    std::uint32_t out = 0;
    const char* const from = text_.data() + at_;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), out);
    if (error != std::errc()) fail();
    at_ += static_cast<std::size_t>(end - from);
    return out;
  }

  std::string_view text_;
  std::size_t threads_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_text(const Cube& cube) {
  const auto name = [](StepName s) {
    return std::to_string(s.thread) + "." + std::to_string(s.index);
  };
  std::string out;
  for (const Wait& w : cube.waits)
    out += (out.empty() ? "" : " ") + name(w.first) + "<" + name(w.second) + (w.ordered ? "!" : "");
  return out;
}

Cube parse_cube(std::string_view text, std::size_t threads) {
  Reader reader(text, threads);
  Cube out;
  while (!reader.at_end()) {
    if (!out.empty()) reader.expect(' ');
    Wait wait;
    wait.first = reader.step();
    reader.expect('<');
    wait.second = reader.step();
    wait.ordered = reader.skip('!');
    if (wait.first.thread == wait.second.thread) reader.fail();
    out.waits.push_back(wait);
  }
  return out;
}

}  // namespace heddle
