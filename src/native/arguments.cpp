#include "native/arguments.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/check.hpp"

namespace heddle::native {
namespace {

constexpr int max_nesting = 20;  // of response files

bool is_one_of(std::string_view a, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, a) != all.end();
}

bool is_header(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  return dot != std::string::npos &&
         is_one_of(file.substr(dot), {".h", ".H", ".hh", ".hpp", ".hxx", ".hp", ".h++"});
}

// Splits as a shell would, without expanding anything.
std::vector<std::string> split(std::istream& in) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (char c; in.get(c);) {
    if (c == '\\' && quote != '\'') {
      if (in.get(c)) word += c;
      inside = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (inside) out.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) out.push_back(word);
  return out;
}

void expand(const std::vector<std::string>& arguments, int nesting, std::vector<std::string>& out) {
  for (const std::string& a : arguments) {
    std::ifstream file;
    if (a.starts_with("@")) file.open(a.substr(1));
    if (!file.is_open()) {
      out.push_back(a);
      continue;
    }
    if (nesting == max_nesting) throw Misuse(a + ": response files are nested too deeply");
    expand(split(file), nesting + 1, out);
  }
}

void refuse_sanitizers(std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    if (is_one_of(name, {"address", "kernel-address", "hwaddress", "kernel-hwaddress", "memory",
                         "kernel-memory", "thread", "leak", "dataflow", "fuzzer", "fuzzer-no-link",
                         "safe-stack", "realtime", "type", "all"}))
      throw Misuse("-fsanitize=" + std::string(name) +
                   ": its runtime and heddle's cannot be in one program; heddle itself checks for "
                   "data races and errors of memory");
  }
}

}  // namespace

bool takes_value(std::string_view a) {
  return is_one_of(a, {"-o",
                       "-x",
                       "-I",
                       "-D",
                       "-U",
                       "-L",
                       "-T",
                       "-F",
                       "-l",
                       "-u",
                       "-z",
                       "-e",
                       "-b",
                       "-A",
                       "-G",
                       "-MF",
                       "-MT",
                       "-MQ",
                       "-MJ",
                       "-include",
                       "-imacros",
                       "-include-pch",
                       "-isystem",
                       "-iquote",
                       "-idirafter",
                       "-isysroot",
                       "-iprefix",
                       "-iwithprefix",
                       "-iwithprefixbefore",
                       "-isystem-after",
                       "-cxx-isystem",
                       "-Xlinker",
                       "-Xclang",
                       "-Xpreprocessor",
                       "-Xassembler",
                       "-Xanalyzer",
                       "-mllvm",
                       "-target",
                       "-arch",
                       "-rpath",
                       "-framework",
                       "-wrapper",
                       "-dumpbase",
                       "-working-directory",
                       "-serialize-diagnostics",
                       "--param",
                       "--sysroot",
                       "--output",
                       "--include",
                       "--language",
                       "--config"});
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  expand(arguments, 0, out);
  return out;
}

CommandLine::CommandLine(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  bool is_value = false;
  for (auto a = arguments.begin(); a != end; ++a) {
    options.push_back({*a, is_value});
    is_value = !is_value && takes_value(*a);
  }
  if (end != arguments.end()) inputs.assign(std::next(end), arguments.end());
}

bool CommandLine::has(const char* option) const {
  return std::ranges::any_of(options,
                             [&](const Option& o) { return !o.is_value && o.text == option; });
}

bool CommandLine::has_prefix(const char* prefix) const {
  return std::ranges::any_of(
      options, [&](const Option& o) { return !o.is_value && o.text.starts_with(prefix); });
}

std::vector<std::string> CommandLine::all_inputs() const {
  std::vector<std::string> out;
  for (const Option& o : options)
    if (!o.is_value && (o.text == "-" || !o.text.starts_with("-") || o.text.starts_with("-l")))
      out.push_back(o.text);
  out.insert(out.end(), inputs.begin(), inputs.end());
  return out;
}

bool links(const CommandLine& line) {
  for (const char* option :
       {"-c", "--compile", "-S", "--assemble", "-E", "--preprocess", "-M", "--dependencies", "-MM",
        "--user-dependencies", "-fsyntax-only", "-emit-ast", "--analyze", "--precompile", "-r"})
    if (line.has(option)) return false;
  const std::vector<std::string> inputs = line.all_inputs();
  // Without an input, the compiler only prints its version or the like; with a header, it compiles
  // that.
  return !inputs.empty() && std::ranges::none_of(inputs, is_header) &&
         std::ranges::none_of(line.options, [](const Option& o) {
           return o.text.starts_with("-xc") ? o.text.ends_with("-header")
                                            : o.is_value && o.text.ends_with("-header");
         });
}

void refuse_unsupported(const CommandLine& line) {
  for (const Option& o : line.options) {
    const std::string_view a = o.text;
    if (is_one_of(a, {"-disable-llvm-passes", "-disable-llvm-optzns"}))
      throw Misuse(o.text + ": heddle's own pass would not run either");
    if (o.is_value) continue;
    if (is_one_of(a, {"-static", "--static", "-static-pie"}))
      throw Misuse(o.text + ": heddle's runtime is a shared library; link dynamically");
    if (is_one_of(a, {"-m32", "-mx32", "-m16"}))
      throw Misuse(o.text + ": heddle runs 64-bit programs for x86-64 only");
    if (a.starts_with("-fsanitize=")) refuse_sanitizers(a.substr(a.find('=') + 1));
  }
}

}  // namespace heddle::native
