// What is said to a broker and what it answers: the protocol RESP, version 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "broker/error.hpp"

namespace heddle::broker {

using Command = std::vector<std::string>;

// As it is sent.
std::string encode(std::span<const Command> commands);

// An answer. The accessors throw Malformed if it is of another kind.
class Value {
 public:
  struct Failure {
    std::string text;  // "NOPERM this user has no permissions ..."
  };
  using List = std::vector<Value>;

  Value() = default;  // nothing: what a broker says of a key that does not exist
  explicit Value(std::int64_t number) : value_(number) {}
  explicit Value(std::string text) : value_(std::move(text)) {}
  explicit Value(Failure failure) : value_(std::move(failure)) {}
  explicit Value(List list) : value_(std::move(list)) {}

  bool is_nothing() const { return std::holds_alternative<std::monostate>(value_); }
  const Failure* failure() const { return std::get_if<Failure>(&value_); }
  std::int64_t number() const { return as<std::int64_t>("a number"); }
  const std::string& text() const { return as<std::string>("a text"); }
  const List& list() const { return as<List>("a list"); }
  // The list, if it has that many entries.
  const List& list(std::size_t size) const;

 private:
  template <typename T>
  const T& as(const char* name) const {
    if (const T* value = std::get_if<T>(&value_)) return *value;
    throw Malformed(std::string("the broker's answer is not ") + name);
  }

  std::variant<std::monostate, std::int64_t, std::string, Failure, List> value_;
};

// Reads answers from a stream of bytes. Whatever the bytes are, it reads one answer or throws
// Malformed, and has no more memory than the bytes that were received are worth: lengths and counts
// are checked when they are read, and nothing is allocated because of them.
class Reader {
 public:
  struct Limits {
    std::size_t line = 64 << 10;
    std::size_t text = 16 << 20;
    std::size_t entries = 1 << 20;  // of all lists of an answer
    std::size_t bytes = 64 << 20;   // of an answer
    int depth = 8;
  };
  // Fills in at least one byte and returns how many, or throws.
  using Source = std::function<std::size_t(std::span<char>)>;

  Reader(Source source, Limits limits);
  explicit Reader(Source source) : Reader(std::move(source), Limits()) {}

  Value read();

 private:
  void fill();
  char take();
  std::string take_line();
  std::int64_t take_number();
  Value take_text();
  Value take_list(int depth);
  Value take_value(int depth);

  Source source_;
  Limits limits_;
  std::vector<char> buffer_;
  std::size_t at_ = 0, end_ = 0;
  std::size_t bytes_ = 0, entries_ = 0;  // of this answer
};

}  // namespace heddle::broker
