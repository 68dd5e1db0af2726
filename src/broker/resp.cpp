#include "broker/resp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/option.hpp"

namespace heddle::broker {
namespace {

Malformed malformed(std::string_view why) {
  return Malformed(fmt::format("this does not answer as a broker does: {}", why));
}

}  // namespace

std::string encode(std::span<const Command> commands) {
  std::string out;
  for (const Command& command : commands) {
    out += fmt::format("*{}\r\n", command.size());
    for (const std::string& word : command) {
      out += fmt::format("${}\r\n", word.size());
      out += word;
      out += "\r\n";
    }
  }
  return out;
}

const Value::List& Value::list(std::size_t size) const {
  const List& out = list();
  if (out.size() != size)
    throw Malformed(
        fmt::format("the broker's answer has {} entries instead of {}", out.size(), size));
  return out;
}

Reader::Reader(Source source, Limits limits)
    : source_(std::move(source)), limits_(limits), buffer_(16 << 10) {}

Value Reader::read() {
  bytes_ = entries_ = 0;
  return take_value(0);
}

void Reader::fill() {
  end_ = source_(buffer_);
  at_ = 0;
}

char Reader::take() {
  if (at_ == end_) fill();
  if (++bytes_ > limits_.bytes) throw malformed("an answer that is too large");
  return buffer_[at_++];
}

std::string Reader::take_line() {
  std::string out;
  for (char c = take(); c != '\r'; c = take()) {
    if (c == '\n') throw malformed("a line that does not end in CR LF");
    if (out.size() == limits_.line) throw malformed("a line that is too long");
    out += c;
  }
  if (take() != '\n') throw malformed("a line that does not end in CR LF");
  return out;
}

std::int64_t Reader::take_number() {
  const std::string line = take_line();
  std::int64_t out = 0;
  if (!read_number(line, out)) throw malformed("something else where a number belongs");
  return out;
}

Value Reader::take_text() {
  const std::int64_t size = take_number();
  if (size == -1) return {};
  if (size < 0 || std::cmp_greater(size, limits_.text))
    throw malformed(fmt::format("a text of {} bytes", size));
  std::size_t left = static_cast<std::size_t>(size);
  if (left > limits_.bytes - bytes_) throw malformed("an answer that is too large");
  bytes_ += left;
  std::string out;
  while (left > 0) {
    if (at_ == end_) fill();
    const std::size_t n = std::min(left, end_ - at_);
    out.append(buffer_.data() + at_, n);
    at_ += n;
    left -= n;
  }
  if (take() != '\r' || take() != '\n') throw malformed("a text that does not end in CR LF");
  return Value(std::move(out));
}

Value Reader::take_list(int depth) {
  const std::int64_t size = take_number();
  if (size == -1) return {};
  if (size < 0 || std::cmp_greater(size, limits_.entries - entries_))
    throw malformed(fmt::format("a list of {} entries", size));
  if (depth == limits_.depth) throw malformed("too many lists within lists");
  entries_ += static_cast<std::size_t>(size);
  Value::List out;
  for (std::int64_t k = 0; k < size; ++k) out.push_back(take_value(depth + 1));
  return Value(std::move(out));
}

Value Reader::take_value(int depth) {
  switch (const char kind = take()) {
    case '+':
      return Value(take_line());
    case '-':
      return Value(Value::Failure{take_line()});
    case ':':
      return Value(take_number());
    case '$':
      return take_text();
    case '*':
      return take_list(depth);
    default:
      throw malformed(
          fmt::format("an answer that begins with the byte {}", static_cast<unsigned char>(kind)));
  }
}

}  // namespace heddle::broker
