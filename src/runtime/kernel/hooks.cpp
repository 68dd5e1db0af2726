#include "runtime/kernel/hooks.hpp"

namespace heddle::runtime {
namespace {

constinit Hooks all_hooks{};

}  // namespace

const Hooks& hooks() { return all_hooks; }
void set_hooks(const Hooks& all) { all_hooks = all; }

}  // namespace heddle::runtime
