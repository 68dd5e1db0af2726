#include "model/schedule.hpp"

#include <charconv>

#include "base/check.hpp"

namespace heddle {
namespace {

constexpr std::string_view header = "heddle-schedule ";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool skip(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }
  bool at_end() const { return at_ == text_.size(); }

  std::uint16_t number(const char* what) {
    std::uint16_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail(std::string(what) + " is too large");
    if (error != std::errc()) fail(std::string("expected ") + what);
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw Misuse("not a schedule: at character " + std::to_string(at_ + 1) + ": " + why);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_text(const Schedule& schedule) {
  std::string out = std::string(header) + "1:";
  for (const Move& m : schedule) {
    out += " " + std::to_string(m.thread);
    if (m.alternative != 0) out += "." + std::to_string(m.alternative);
  }
  return out;
}

Schedule parse_schedule(std::string_view text) {
  Reader in(text);
  in.skip_space();
  if (!in.skip(header)) in.fail("expected 'heddle-schedule'");
  if (in.number("a version") != 1) in.fail("this version of heddle reads version 1 only");
  if (!in.skip(":")) in.fail("expected ':'");
  Schedule out;
  for (in.skip_space(); !in.at_end(); in.skip_space()) {
    Move m{in.number("a thread's number"), 0};
    if (in.skip(".")) m.alternative = in.number("an alternative");
    out.push_back(m);
  }
  return out;
}

}  // namespace heddle
