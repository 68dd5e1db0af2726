#include "runtime/kernel/before_main.hpp"

#include <sys/syscall.h>

#include <cstdio>
#include <cstring>

#include "runtime/kernel/connection.hpp"
#include "runtime/sys/process.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

struct Progress {
  bool begun;  // there are runs now
};
constinit Progress progress{};

void answer(abi::Finding kind, const char* text) {
  begin_reply();
  reply().finding = kind;
  const std::size_t length = std::strlen(text) / 8 * 8 + 8;
  void* out = kind == abi::Finding::none ? nullptr : add_to_reply(length);
  if (out == nullptr) return;
  std::memset(out, 0, length);
  std::memcpy(out, text, std::strlen(text));
  reply().text_bytes = static_cast<std::uint32_t>(length);
}

}  // namespace

void begin_runs() { progress.begun = true; }
bool has_begun() { return progress.begun; }

void refuse_before_main(const char* what) {
  char text[160];
  std::snprintf(text, sizeof text,
                "the program uses what heddle does not support, before main begins: %s", what);
  refuse(text);
}

void end_before_main(abi::Finding kind, const char* what) {
  char text[640];
  std::snprintf(text, sizeof text, "before main begins: %s", what);
  if (!connect()) {
    if (kind != abi::Finding::none) say(text);
    system_call(SYS_exit_group, kind == abi::Finding::none ? 0 : 1);
  }
  for (;;) {
    await_request();
    answer(kind, text);
    finish_request();
    publish_reply();
  }
}

}  // namespace heddle::runtime
