#include "runtime/kernel/debugger.hpp"

#include <cstddef>

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/fiber.hpp"
#include "runtime/kernel/op.hpp"
#include "runtime/sys/export.hpp"
#include "runtime/wire/channel.hpp"

namespace heddle::runtime {
namespace {

// By kind; {} is the object, or the number of a thread.
constexpr const char* op_words[] = {
#define OPERATION(kind, ...) abi::row_of(OpKind::kind).step,
#include "runtime/abi/operations.def"
#undef OPERATION
};

constexpr const char* status_names[] = {"absent",           "live",           "ended", "failed",
                                        "stopped assuming", "waits in a loop"};
static_assert(std::size(status_names) == static_cast<std::size_t>(Fiber::Status::spinning) + 1);

}  // namespace
}  // namespace heddle::runtime

using namespace heddle;
using runtime::Fiber;

// Where things are, for the script.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
struct HeddleLayout {
  std::uint64_t version, threads;
  const void *fibers, *current, *op_words, *status_names;
  std::uint64_t fiber_size, stack_pointer, fs_base, status, op_kind, op_object, op_value, site;
  std::uint64_t site_line, site_function;
};
extern "C" __attribute__((visibility("default"))) const HeddleLayout __heddle_layout;
const HeddleLayout __heddle_layout = {
    2,
    abi::max_threads,
    runtime::detail::fibers.all,
    &runtime::detail::now.fiber,
    runtime::op_words,
    runtime::status_names,
    sizeof(Fiber),
    offsetof(Fiber, stack_pointer),
    offsetof(Fiber, fs_base),
    offsetof(Fiber, status),
    offsetof(Fiber, pending) + offsetof(runtime::Op, kind),
    offsetof(Fiber, pending) + offsetof(runtime::Op, object),
    offsetof(Fiber, pending) + offsetof(runtime::Op, value),
    offsetof(Fiber, site),
    offsetof(abi::Site, line),
    offsetof(abi::Site, function),
};
#pragma GCC diagnostic pop

// A debugger stops here; the arguments are in the registers of a call.
HEDDLE_EXPORT __attribute__((noinline)) void __heddle_event(std::uint64_t number,
                                                            std::uint64_t thread) {
  asm volatile("" ::"r"(number), "r"(thread) : "memory");
}
HEDDLE_EXPORT __attribute__((noinline)) void __heddle_finding(const char* kind, const char* text) {
  asm volatile("" ::"r"(kind), "r"(text) : "memory");
}

namespace heddle::runtime {

// (The first thread begins without an event.)
void show_event() {
  if (reply().event_count != 0) __heddle_event(reply().event_count, current().id);
}

void show_finding(abi::Finding kind, const char* text) {
  __heddle_finding(abi::finding_names[static_cast<unsigned>(kind)], text);
}

}  // namespace heddle::runtime
