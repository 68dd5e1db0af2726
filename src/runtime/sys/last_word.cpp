#include "runtime/sys/last_word.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "runtime/sys/system_call.hpp"

namespace heddle::runtime {
namespace {

struct Place {
  abi::LastWord* word;  // null: not known yet
};
constinit Place place{};

// The word in the channel that the environment names; null if there is none.
abi::LastWord* find_early() {
  const char* number = std::getenv(abi::channel_variable);
  if (number == nullptr) return nullptr;
  const long p = system_call(SYS_mmap, 0, sizeof(abi::Channel), PROT_READ | PROT_WRITE, MAP_SHARED,
                             std::atoi(number), 0);
  return p < 0 ? nullptr : &reinterpret_cast<abi::Channel*>(p)->last_word;
}

}  // namespace

void set_last_word(abi::LastWord& word) { place.word = &word; }

void leave_word(abi::Word kind, const char* text) {
  if (place.word == nullptr) place.word = find_early();
  if (place.word == nullptr) return;
  std::strncpy(place.word->text, text, sizeof place.word->text - 1);
  std::atomic_ref(place.word->kind).store(kind);
}

}  // namespace heddle::runtime
