#include "native/debug.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "findings/phrases.hpp"
#include "native/compiler.hpp"

namespace heddle::native {

using findings::Row;

namespace {

// A file that gdb and the program inherit, and that disappears with them. Returns its name in those
// processes.
std::string inherited_file(const char* name, const std::string& text) {
  const int fd = memfd_create(name, 0);
  std::size_t done = 0;
  while (fd >= 0 && done < text.size()) {
    const ssize_t n = write(fd, text.data() + done, text.size() - done);
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  if (fd < 0 || done < text.size())
    throw Misuse(fmt::format("cannot make a file for gdb: {}", std::strerror(errno)));
  return fmt::format("/proc/self/fd/{}", fd);
}

// The first step of the stretch in which the finding's thread runs up to the finding. The start of
// a thread does not count: it has no place in the source yet.
std::size_t failing_stretch(const Finding& found) {
  const Trace& trace = found.trace;
  std::size_t first = 0;
  bool begun = false;
  for (std::size_t k = trace.end; k-- > 0;) {
    const Row& row = trace.rows[k];
    if (row.kind != Row::Kind::step) continue;
    if (row.thread == found.thread) {
      if (!row.routine || !begun) first = row.number;
      begun = true;
    } else if (begun) {
      break;
    }
  }
  return first;
}

std::string events_of(const Finding& found) {
  nlohmann::ordered_json out;
  out["first"] = failing_stretch(found);
  out["finding"] = fmt::format("{} [{}]", found.message, found.kind_name());
  out["events"] = nlohmann::ordered_json::array();
  for (const Row& row : found.trace.rows)
    out["events"].push_back({{"number", row.number},
                             {"thread", row.thread},
                             {"what", findings::what(row)},
                             {"with", findings::origin_text(row)},
                             {"place", findings::text_of(row.place)}});
  return out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

void debug(const std::vector<std::string>& program, const Replay& replayed) {
  const std::string script = part(own_directory(), "heddle_gdb.py");
  const std::string run = inherited_file("heddle-run", replayed.run_file);
  const std::string events = inherited_file("heddle-events", events_of(replayed.findings[0]));
  setenv(abi::run_variable, run.c_str(), 1);
  setenv("HEDDLE_EVENTS", events.c_str(), 1);
  std::vector<std::string> command = {"gdb", "-q", "-x", script, "-ex", "heddle start", "--args"};
  command.insert(command.end(), program.begin(), program.end());
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  execvp(words[0], words.data());
  throw Misuse(errno == ENOENT ? "gdb is not installed (Debian: apt-get install gdb)"
                               : fmt::format("cannot run gdb: {}", std::strerror(errno)));
}

}  // namespace heddle::native
