// What threads hold of a lock or a semaphore, told from what they did to it.
#pragma once

#include "model/access.hpp"

namespace heddle {

struct Holders {
  long readers = 0, writers = 0, tokens = 0;

  void apply(const Access& a) {
    switch (a.mode) {
      case Mode::lock:
      case Mode::try_lock:
      case Mode::write_lock:
      case Mode::try_write_lock:
        ++writers;
        break;
      case Mode::unlock:
      case Mode::write_unlock:
        --writers;
        break;
      case Mode::read_lock:
      case Mode::try_read_lock:
        ++readers;
        break;
      case Mode::read_unlock:
        --readers;
        break;
      case Mode::sem_wait:
      case Mode::sem_try_wait:
        --tokens;
        break;
      case Mode::sem_post:
        ++tokens;
        break;
      default:
        break;
    }
  }

  // Whether a step that waits in this way can be taken. REQUIRES: for a lock or a semaphore.
  bool let(Mode waiting) const {
    switch (waiting) {
      case Mode::lock:
      case Mode::read_lock:
        return writers == 0;
      case Mode::write_lock:
        return writers == 0 && readers == 0;
      case Mode::sem_wait:
        return tokens > 0;
      default:
        return true;
    }
  }
};

}  // namespace heddle
