// The tokens of model programs as text, and a reader of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interp/program.hpp"

namespace heddle::interp {

[[noreturn]] void fail_line(int line, const std::string& what, const std::string& expected);

struct Token {
  // A `value` is one token because blanks decide: `cas x $0 -1` has two values, `$0-1` is one.
  enum class Kind : std::uint8_t { word, value, symbol, newline, end };

  Kind kind = Kind::end;
  int line = 1;
  std::string_view text;
  Value value = {};

  bool is_register() const { return kind == Kind::value && value.reg >= 0; }
};

// A text's tokens, one at a time. The text must outlive it.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  const Token& peek() const { return tokens_[at_]; }
  bool at(std::string_view text) const { return peek().text == text; }
  bool at_end() const { return peek().kind == Token::Kind::end; }
  bool at_line_start() const { return at_ == 0 || tokens_[at_ - 1].kind == Token::Kind::newline; }
  // A thread begins here.
  bool at_header() const { return at_line_start() && (at("thread") || at("created")); }
  bool at_label() const { return peek().kind == Token::Kind::word && tokens_[at_ + 1].text == ":"; }
  bool at_instruction_end() const {
    return at(";") || at("}") || peek().kind >= Token::Kind::newline;
  }

  // Stays at the end, which is a token too.
  const Token& next() { return at_end() ? peek() : tokens_[at_++]; }
  bool accept(std::string_view text);
  void expect(std::string_view text, const std::string& expected);
  // Reports that the next token is not what was expected.
  [[noreturn]] void unexpected(const std::string& expected) const;

  // Return the next token, which must be of that type.
  std::int64_t integer(const std::string& expected);
  std::int64_t integer(std::int64_t low, std::int64_t high, const std::string& expected);
  std::int8_t reg();
  Value value();
  Compare compare();

  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }

 private:
  std::vector<Token> tokens_;  // never empty: the last is the end
  std::size_t at_ = 0;
};

}  // namespace heddle::interp
