#include "cluster/program.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string_view>

#include "base/check.hpp"
#include "base/files.hpp"
#include "native/describe.hpp"
#include "native/engine.hpp"

namespace heddle::cluster {
namespace {

// SHA-256 of what was added, each with its length.
class Digest {
 public:
  Digest() { check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }

  void add(std::string_view text) {
    add_number(text.size());
    check(EVP_DigestUpdate(context_.get(), text.data(), text.size()));
  }
  void add_number(std::uint64_t number) {
    check(EVP_DigestUpdate(context_.get(), &number, sizeof number));
  }
  std::string text() {
    std::array<unsigned char, 32> bytes{};
    check(EVP_DigestFinal_ex(context_.get(), bytes.data(), nullptr));
    std::string out;
    for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
    return out;
  }

 private:
  static void check(int result) { HEDDLE_CHECK(result == 1); }

  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(),
                                                                   EVP_MD_CTX_free};
};

struct Module {
  std::string path;
  std::uint64_t begin = 0;
  bool is_code = false;
};

// The files that the process has code of, by address.
std::vector<Module> modules_of(pid_t process) {
  std::vector<Module> out;
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos || line.ends_with("(deleted)")) continue;
    const std::string path = line.substr(slash);
    auto known = std::ranges::find(out, path, &Module::path);
    if (known == out.end())
      known = out.insert(out.end(), {path, std::stoull(line, nullptr, 16), false});
    std::istringstream words(line);
    std::string range, rights;
    words >> range >> rights;
    if (rights.find('x') != std::string::npos) known->is_code = true;
  }
  std::erase_if(out, [](const Module& m) { return !m.is_code; });
  return out;
}

bool is_of_system(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename();
  return name.starts_with("libc.so") || name.starts_with("ld-linux");
}

const Algorithm& any_algorithm() { return *find_algorithm("observers"); }

}  // namespace

Program identify(const std::vector<std::string>& command) {
  native::Options options;
  options.command = command;
  native::NativeEngine engine(any_algorithm(), options);
  engine.whole();
  const std::vector<Module> modules = engine.worker().with_process(modules_of);
  Digest files, layout;
  for (const Module& module : modules) {
    const std::string name = std::filesystem::path(module.path).filename();
    const bool is_program = std::filesystem::equivalent(module.path, command[0]);
    layout.add(is_program ? "" : name);
    layout.add_number(module.begin);
    if (is_of_system(module.path)) continue;
    files.add(is_program ? "" : name);
    files.add(read_file(module.path));
  }
  return {.name = std::filesystem::path(command[0]).filename(),
          .hash = files.text(),
          .layout = layout.text(),
          .arguments = {command.begin() + 1, command.end()}};
}

std::string first_run(const Algorithm& algorithm, const native::Options& options) {
  native::NativeEngine engine(algorithm, options);
  try {
    for (;;) {
      native::NativeRunner& runner = engine.whole();
      runner.submit({});
      const Log& log = runner.next();
      if (log.learned) {
        engine.set(engine.known(), engine.numbering());
        continue;
      }
      Digest out;
      for (const Event& event : log.events) {
        out.add_number(event.move.thread);
        out.add_number(event.move.alternative);
        out.add_number(runner.site_of(event));
        for (const Access& access : runner.footprints().accesses(event.footprint))
          out.add_number(static_cast<std::uint64_t>(access.mode));
      }
      out.add_number(static_cast<std::uint64_t>(log.ending));
      out.add_number(static_cast<std::uint64_t>(log.outcome.finding));
      return out.text();
    }
  } catch (const native::Nondeterminism&) {
    throw Misuse("the program is not deterministic: explore it without a broker to see where");
  } catch (const native::Unsupported& u) {
    throw engine.worker().with_process(
        [&](pid_t process) { return native::unsupported(u.outcome, native::Symbols(process)); });
  }
}

}  // namespace heddle::cluster
