// Looking at the clock now and then, from code that runs millions of times a second.
#pragma once

#include <algorithm>

#include "base/resources.hpp"

namespace heddle::parallel {

class Pulse {
 public:
  explicit Pulse(double every) : every_(every) {}

  // True once in that time, about, if it is called often.
  bool beats() {
    if (--until_look_ > 0) return false;
    const double now = stopwatch_.seconds();
    // So that a beat is neither missed by much, nor the clock looked at for every run.
    stride_ = now - looked_at_ < every_ / 2 ? std::min(2 * stride_, longest_stride)
                                            : std::max(stride_ / 2, 1U);
    until_look_ = stride_;
    looked_at_ = now;
    if (now < next_) return false;
    next_ = now + every_;
    return true;
  }

 private:
  static constexpr unsigned longest_stride = 1024;

  const double every_;
  Stopwatch stopwatch_;
  unsigned until_look_ = 1, stride_ = 1;
  double looked_at_ = 0, next_ = 0;
};

}  // namespace heddle::parallel
