#include "report/failure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <sstream>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "native/option_table.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view header = "heddle-failure ";
constexpr unsigned version = 1;

// Escapes a text so that it is one line.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c == '\n')
      out += "\\n";
    else if (c == '\r')
      out += "\\r";
    else if (c == '\0')
      out += "\\0";
    else
      out += c;
  }
  return out;
}

std::string moves_text(const Schedule& schedule) {
  std::string out;
  for (std::size_t k = 0, next = 0; k < schedule.size(); k = next) {
    while (next < schedule.size() && schedule[next] == schedule[k]) ++next;
    out += fmt::format("{}{}", k == 0 ? "" : " ", schedule[k].thread);
    if (schedule[k].alternative != 0) out += fmt::format(".{}", schedule[k].alternative);
    if (next - k > 1) out += fmt::format("*{}", next - k);
  }
  return out;
}

// Reads the lines of a failure file; errors name the line.
class Parser {
 public:
  explicit Parser(const std::string& text) : in_(text) {}

  Failure parse() {
    read_header();
    std::string line;
    while (next(line)) {
      if (line == "end") {
        if (next(line)) fail("unexpected text after the end");
        check_complete();
        return std::move(out_);
      }
      const std::size_t space = line.find(' ');
      read(line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1));
    }
    ++line_;
    fail("unexpected end of file");
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Misuse(fmt::format("not a failure file: line {}: {}", line_, why));
  }

  bool next(std::string& line) {
    if (!std::getline(in_, line)) return false;
    ++line_;
    return true;
  }

  void read_header() {
    std::string line;
    if (!next(line) || !line.starts_with(header)) {
      line_ = 1;
      fail("expected 'heddle-failure'");
    }
    if (number<unsigned>(line.substr(header.size()), "a version") != version)
      fail(fmt::format("unsupported version (this heddle reads version {})", version));
  }

  void read(const std::string& key, const std::string& value) {
    if (key != "argument" && ++seen_[key] > 1) fail(fmt::format("duplicate '{}'", key));
    if (key == "program")
      out_.options.command.insert(out_.options.command.begin(), unescaped(value));
    else if (key == "argument")
      out_.options.command.push_back(unescaped(value));
    else if (key == "build")
      out_.build = number<std::uint64_t>(value, "a hash", 16);
    else if (key == "options")
      read_options(value);
    else if (key == "finding")
      read_kind(value);
    else if (key == "message")
      out_.message = unescaped(value);
    else if (key == "place")
      read_place(value);
    else if (key == "function")
      out_.place.function = unescaped(value);
    else if (key == "thread")
      out_.thread = number<unsigned>(value, "a thread number");
    else if (key == "schedule")
      read_schedule(value);
    else if (key == "visible")
      read_visible(value);
    else
      fail(fmt::format("unknown key '{}'", key));
  }

  void check_complete() const {
    for (const char* key : {"program", "build", "finding", "schedule"})
      if (!seen_.contains(key)) fail(fmt::format("missing '{}'", key));
  }

  template <typename Number>
  Number number(std::string_view text, const char* what, int base = 10) const {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
      fail(fmt::format("expected {}", what));
    return value;
  }

  std::string unescaped(const std::string& text) const {
    std::string out;
    for (std::size_t k = 0; k < text.size(); ++k) {
      if (text[k] != '\\') {
        out += text[k];
        continue;
      }
      const char c = ++k < text.size() ? text[k] : '?';
      if (c != '\\' && c != 'n' && c != 'r' && c != '0') fail("invalid escape sequence");
      out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == '0' ? '\0' : '\\';
    }
    if (out.find('\0') != std::string::npos) fail("unexpected null character");
    return out;
  }

  void read_options(const std::string& text) {
    std::istringstream words(text);
    try {
      for (std::string word; words >> word;) native::read_option(word, out_.options);
    } catch (const Misuse& misuse) {
      fail(misuse.what());
    }
  }

  void read_kind(const std::string& text) {
    const auto name =
        std::ranges::find(abi::finding_names, text, [](const char* s) { return std::string(s); });
    if (name == std::end(abi::finding_names) || text == abi::finding_names[0])
      fail("unknown kind of finding");
    out_.kind = static_cast<abi::Finding>(name - std::begin(abi::finding_names));
  }

  void read_place(const std::string& text) {
    const std::string place = unescaped(text);
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) fail("expected FILE:LINE");
    out_.place.file = place.substr(0, colon);
    out_.place.line = number<unsigned>(place.substr(colon + 1), "a line number");
  }

  void read_schedule(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const std::size_t star = word.find('*'), dot = word.find('.');
      const auto times =
          star == std::string::npos ? 1U : number<std::uint32_t>(word.substr(star + 1), "a count");
      Move move;
      move.thread = number<ThreadId>(word.substr(0, std::min(dot, star)), "a thread number");
      if (dot < star)
        move.alternative =
            number<std::uint16_t>(std::string_view(word).substr(
                                      dot + 1, star == std::string::npos ? star : star - dot - 1),
                                  "an alternative");
      if (times > abi::max_steps - out_.schedule.size()) fail("too many steps");
      out_.schedule.insert(out_.schedule.end(), times, move);
    }
  }

  void read_visible(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
      out_.visible.push_back(number<std::uint64_t>(word, "hexadecimal numbers", 16));
    if (out_.visible.size() > abi::max_visible) fail("too many visible locations");
  }

  std::istringstream in_;
  std::size_t line_ = 0;
  std::map<std::string, unsigned> seen_;
  Failure out_;
};

}  // namespace

Failure failure_of(const findings::Finding& f, const native::Options& options) {
  return {build_of(options.command[0]),
          options,
          f.kind,
          f.message,
          f.place,
          f.thread,
          f.schedule,
          f.visible};
}

std::uint64_t build_of(const std::string& program) {
  try {
    const std::string all = read_file(program);
    return hash_of(std::span<const char>(all));
  } catch (const Misuse&) {
    return 0;
  }
}

std::string to_text(const Failure& f) {
  std::string out = fmt::format("{}{}\n", header, version);
  const auto add = [&](const char* key, const std::string& value) {
    out += fmt::format("{} {}\n", key, value);
  };
  add("program", escaped(f.options.command[0]));
  add("build", fmt::format("{:016x}", f.build));
  for (std::size_t k = 1; k < f.options.command.size(); ++k)
    add("argument", escaped(f.options.command[k]));
  if (const auto words = native::option_words(f.options, native::Scope::runs); !words.empty())
    add("options", fmt::format("{}", fmt::join(words, " ")));
  add("finding", abi::finding_names[static_cast<std::size_t>(f.kind)]);
  add("message", escaped(f.message));
  if (f.place.line != 0) {
    add("place", escaped(fmt::format("{}:{}", f.place.file, f.place.line)));
    add("function", escaped(f.place.function));
  }
  add("thread", std::to_string(f.thread));
  add("schedule", moves_text(f.schedule));
  if (!f.visible.empty()) add("visible", fmt::format("{:x}", fmt::join(f.visible, " ")));
  return out + "end\n";
}

Failure parse_failure(const std::string& text) { return Parser(text).parse(); }

void write_failure(const std::string& path, const Failure& failure) {
  write_file(path, to_text(failure));
}

Failure read_failure(const std::string& path) {
  try {
    return parse_failure(read_file(path));
  } catch (const Misuse& misuse) {
    const std::string why = misuse.what();
    if (why.find(path) != std::string::npos) throw;
    throw Misuse(path + ": " + why);
  }
}

}  // namespace heddle::report
