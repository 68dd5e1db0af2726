// What is shown of an exploration while it goes on.
#pragma once

#include <string>

#include "native/progress.hpp"

namespace heddle::cli {

// "12,000 runs of about 40,000 (30,000 to 50,000), 3,000/s, 4 s, 9 s left"
std::string progress_text(const native::Progress& progress);

// On a terminal, one line that changes; in a file, a line now and then. On stderr.
class Live {
 public:
  Live();
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  void show(const native::Progress& progress);

 private:
  bool terminal_;
  bool shown_ = false;
  double next_line_ = 10;  // seconds
};

// While there is one, the first Ctrl-C is noted, and so is that the terminal is gone; the next ends
// the process.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  static const volatile std::sig_atomic_t* flag();
};

}  // namespace heddle::cli
