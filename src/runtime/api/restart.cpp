#include "runtime/api/restart.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/api/system_state.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

constexpr char variable[] = "HEDDLE_START";  // a line for each way
constexpr char separator = '\n';

struct Start {
  // When the process began.
  char** arguments;
  char** environment;
  bool single_run;  // since then
};
constinit Start start{};

bool is_named(const char* entry, const char* name) {
  const std::size_t length = std::strlen(name);
  return std::strncmp(entry, name, length) == 0 && entry[length] == '=';
}

const char* ways() {
  for (char** entry = start.environment; *entry != nullptr; ++entry)
    if (is_named(*entry, variable)) return *entry + sizeof variable;
  return nullptr;
}

// The same, with one more way, and the current descriptors of the channel and the names.
char** environment_with(const char* way) {
  std::size_t count = 0;
  while (start.environment[count] != nullptr) ++count;
  const char* before = ways();
  const std::size_t size =
      sizeof variable + std::strlen(way) + (before == nullptr ? 0 : std::strlen(before)) + 2;
  auto** out = static_cast<char**>(std::malloc((count + 2) * sizeof(char*)));
  auto* told = static_cast<char*>(std::malloc(size));
  std::snprintf(told, size, "%s=%s%s%s", variable, before == nullptr ? "" : before,
                before == nullptr ? "" : "\n", way);
  static char channel_entry[64];
  std::size_t used = 0;
  out[used++] = told;
  for (std::size_t k = 0; k < count; ++k) {
    if (is_named(start.environment[k], variable)) continue;
    out[used++] = start.environment[k];
    if (!is_named(start.environment[k], abi::channel_variable) || channel_file() < 0) continue;
    std::snprintf(channel_entry, sizeof channel_entry, "%s=%d,%d", abi::channel_variable,
                  channel_file(), names_file());
    out[used - 1] = channel_entry;
  }
  out[used] = nullptr;
  return out;
}

}  // namespace

void remember_start(int count, char** given) {
  start.arguments = given;
  start.environment = given + count + 1;
}

void for_ways_to_start(VisitWay visit, void* argument) {
  for (const char* line = ways(); line != nullptr;) {
    const char* end = strchrnul(line, separator);
    const auto size = static_cast<std::size_t>(end - line);
    char way[longest_way];
    if (size < sizeof way) {
      std::memcpy(way, line, size);
      way[size] = '\0';
      visit(way, argument);
    }
    line = *end == '\0' ? nullptr : end + 1;
  }
}

// A run may have changed what the process passes on to a program that it executes.
void start_over(const char* way) {
  for_ways_to_start(
      [](const char* known, void* wanted) {
        if (std::strcmp(known, static_cast<const char*>(wanted)) == 0)
          give_up("the process starts over twice in the same way");
      },
      const_cast<char*>(way));
  if (start.single_run) {
    std::snprintf(channel().last_word.text, sizeof channel().last_word.text, "%s", way);
    system_call(SYS_exit_group, restart_status);
  }
  restore_system();
  char** const changed = environment_with(way);
  for (const int file : {channel_file(), names_file()})
    if (file >= 0) system_call(SYS_fcntl, file, F_SETFD, 0);
  execute(start.arguments, changed);
}

void begin_single_run() { start.single_run = true; }

void start_over_for_child() {
  char way[longest_way];
  std::snprintf(way, sizeof way, "%s", channel().last_word.text);
  channel().last_word.text[0] = '\0';
  start_over(way);
}

}  // namespace heddle::runtime
