#include "interp/text_lex.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.hpp"
#include "interp/text_words.hpp"

namespace heddle::interp {
namespace {

// Longer ones first: `<=` is not `<`.
constexpr std::array<std::string_view, 21> symbols = {
    ":=", "+=", "*=", "%=", "==", "!=", "<=", ">=", "<", ">", "=",
    ":",  ";",  "{",  "}",  "[",  "]",  "(",  ")",  ",", "*"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    for (; at_ < text_.size(); at_ += current_.text.size()) {
      if (skip_blank()) continue;
      current_ = {Token::Kind::symbol, line_, {}, {}};
      if (text_[at_] == '\n') {
        current_.kind = Token::Kind::newline;
        current_.text = text_.substr(at_, 1);
        ++line_;
      } else if (is_digit(text_[at_]) || text_[at_] == '-' || text_[at_] == '$') {
        value();
      } else if (is_name(text_[at_])) {
        current_.kind = Token::Kind::word;
        current_.text = text_.substr(at_, run_of(at_, is_name));
      } else {
        symbol();
      }
      out_.push_back(current_);
    }
    out_.push_back({Token::Kind::end, line_, {}, {}});
    return out_;
  }

 private:
  // Leaves the blanks to run(), which skips them.
  bool skip_blank() {
    if (text_[at_] == '#')
      current_.text = text_.substr(at_, text_.find('\n', at_) - at_);
    else
      current_.text =
          text_.substr(at_, run_of(at_, [](char c) { return c == ' ' || c == '\t' || c == '\r'; }));
    return !current_.text.empty();
  }

  template <typename Test>
  std::size_t run_of(std::size_t at, Test test) const {
    std::size_t n = 0;
    while (at + n < text_.size() && test(text_[at + n])) ++n;
    return n;
  }

  void symbol() {
    for (std::string_view s : symbols)
      if (text_.substr(at_).starts_with(s)) {
        current_.text = text_.substr(at_, s.size());
        return;
      }
    const char c = text_[at_];
    const std::string what =
        c > ' ' && c < 0x7f ? std::string("unexpected '") + c + "'"
                            : "unexpected byte " + std::to_string(static_cast<unsigned char>(c));
    fail_line(line_, what, "names, numbers, registers and the signs of the language");
  }

  void value() {
    current_.kind = Token::Kind::value;
    std::size_t at = at_;
    if (text_[at_] == '$') {
      const std::size_t digits = run_of(at + 1, is_digit);
      const std::int64_t reg = integer(at_ + 1, digits);
      if (reg >= static_cast<std::int64_t>(register_count))
        fail_line(line_, "unknown register $" + std::to_string(reg), "$0 .. $63");
      current_.value.reg = static_cast<std::int8_t>(reg);
      at += 1 + digits;
    }
    if (const std::size_t sign = sign_at(at); sign != 0 || current_.value.reg < 0) {
      const std::size_t digits = run_of(at + sign, is_digit);
      // The number includes its sign, for the lowest one of all; but there is no plus for
      // from_chars.
      const bool plus = text_[at] == '+';
      current_.value.constant = integer(plus ? at + 1 : at, plus ? digits : sign + digits);
      at += sign + digits;
    }
    current_.text = text_.substr(at_, at - at_ + run_of(at, is_name));
    if (current_.text.size() > at - at_)
      fail_line(line_, "unexpected '" + std::string(current_.text) + "'", "a number or a name");
  }

  // 1 if a sign and a digit are there: `$0+=1` has none.
  std::size_t sign_at(std::size_t at) const {
    return at + 1 < text_.size() && (text_[at] == '-' || text_[at] == '+') &&
                   is_digit(text_[at + 1])
               ? 1
               : 0;
  }

  std::int64_t integer(std::size_t at, std::size_t size) const {
    const std::string_view digits = text_.substr(at, size);
    std::int64_t result = 0;
    const auto error = std::from_chars(digits.data(), digits.data() + digits.size(), result).ec;
    if (error == std::errc::result_out_of_range)
      fail_line(line_, "the number " + std::string(digits) + " is too large", "one of 64 bits");
    if (error != std::errc())
      fail_line(line_, std::string("unexpected '") + text_[at_] + "' without a number",
                "one after it");
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  Token current_;
  std::vector<Token> out_;
};

}  // namespace

void fail_line(int line, const std::string& what, const std::string& expected) {
  throw Misuse("line " + std::to_string(line) + ": " + what + ", expected " + expected);
}

Tokens::Tokens(std::string_view text) : tokens_(Lexer(text).run()) {}

bool Tokens::accept(std::string_view text) {
  if (!at(text)) return false;
  next();
  return true;
}

void Tokens::expect(std::string_view text, const std::string& expected) {
  if (!accept(text)) unexpected(expected);
}

void Tokens::unexpected(const std::string& expected) const {
  const Token& t = peek();
  if (t.kind == Token::Kind::newline) fail_line(t.line, "unexpected end of line", expected);
  if (t.kind == Token::Kind::end) fail_line(t.line, "unexpected end of file", expected);
  fail_line(t.line, "unexpected '" + std::string(t.text) + "'", expected);
}

std::int64_t Tokens::integer(const std::string& expected) {
  if (peek().kind != Token::Kind::value || peek().is_register()) unexpected(expected);
  return next().value.constant;
}

std::int64_t Tokens::integer(std::int64_t low, std::int64_t high, const std::string& expected) {
  const std::size_t before = at_;
  const std::string range =
      expected + " (" + std::to_string(low) + " .. " + std::to_string(high) + ")";
  const std::int64_t result = integer(range);
  if (result >= low && result <= high) return result;
  at_ = before;
  unexpected(range);
}

std::int8_t Tokens::reg() {
  if (!peek().is_register() || peek().value.constant != 0) unexpected("a register");
  return next().value.reg;
}

Value Tokens::value() {
  if (peek().kind != Token::Kind::value) unexpected("a value (an integer, $0, $0+1 or $0-1)");
  return next().value;
}

Compare Tokens::compare() {
  const auto found = std::ranges::find(comparisons, peek().text);
  if (found == comparisons.end()) unexpected("==, !=, <, <=, > or >=");
  next();
  return static_cast<Compare>(found - comparisons.begin());
}

}  // namespace heddle::interp
