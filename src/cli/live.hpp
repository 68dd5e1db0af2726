// What is shown of an exploration while it runs.
#pragma once

#include <optional>
#include <string>

#include "core/forecast.hpp"
#include "native/progress.hpp"

namespace heddle::cli {

// "12,000 runs of 20,000 to 50,000, 3,000/s, 4 s, 3 s to 13 s left"; or, if there is no estimate of
// the total, "12,000 runs, 3,000/s, 4 s". With a graph of states, "12,000 runs, 50,000 states with
// 60,000 edges, 300 open, 3,000/s, 4 s".
std::string progress_text(const native::Progress& progress,
                          const std::optional<Forecast::Range>& total);
// "an estimated 40 % to 60 % of all schedules were explored"
std::string share_text(double done, const std::optional<Forecast::Range>& total);

// Shows progress on stderr: on a terminal, one line that is rewritten; in a file, a line now and
// then.
class Live {
 public:
  Live();
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  void show(const native::Progress& progress);
  std::optional<Forecast::Range> total() const { return forecast_.range(); }

 private:
  Forecast forecast_;
  bool terminal_;
  bool shown_ = false;
  double next_line_ = 10;  // seconds
};

// While an object exists, the first Ctrl-C or hang-up of the terminal is recorded; the next ends
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
