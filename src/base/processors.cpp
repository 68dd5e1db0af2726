#include "base/processors.hpp"

#include <algorithm>

namespace heddle {

namespace {

cpu_set_t processors_now() {
  cpu_set_t out;
  CPU_ZERO(&out);
  if (sched_getaffinity(0, sizeof out, &out) != 0) CPU_ZERO(&out);
  return out;
}

}  // namespace

const cpu_set_t& processors_at_start() {
  static const cpu_set_t set = processors_now();
  return set;
}

unsigned processors() {
  return static_cast<unsigned>(std::max(CPU_COUNT(&processors_at_start()), 1));
}

bool has_one_processor() {
  const cpu_set_t now = processors_now();
  return CPU_COUNT(&now) == 1;
}

void take_processor(unsigned k, unsigned count) {
  if (count < processors()) return;
  const cpu_set_t& all = processors_at_start();
  unsigned left = k % processors();
  for (std::size_t number = 0; number < CPU_SETSIZE; ++number) {
    if (!CPU_ISSET(number, &all) || left-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);  // if that is refused, it is only slower
    return;
  }
}

}  // namespace heddle
