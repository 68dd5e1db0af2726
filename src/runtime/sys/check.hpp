// Checks of what the runtime promises itself, on in every build.
//
// HEDDLE_CHECK (base/check.hpp) throws, which no code of a worker may: the frames above belong to
// the program. A check that fails here ends the process instead, with its text as the last word
// (abi::Word::bug), so that the engine reports a bug of Heddle and never a finding. It may be used
// anywhere in a worker: in a run, in the handler of a fault, and before the channel is open. It
// costs a comparison: not on the path of a plain access.
#pragma once

namespace heddle::runtime {

[[noreturn, gnu::cold]] void fail_check(const char* condition, const char* file, int line);

}  // namespace heddle::runtime

#define HEDDLE_RUNTIME_CHECK(condition)              \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::heddle::runtime::fail_check(#condition, __FILE__, __LINE__))
