#include "cli/live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/style.hpp"

namespace heddle::cli {
namespace {

constexpr double longest_pause = 600;  // between lines in a file, in seconds
volatile std::sig_atomic_t interrupted = 0;
using Handler = void (*)(int);
Handler old_interrupt, old_terminate, old_hangup;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

std::string grouped(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (std::size_t k = digits.size(); k > 3; k -= 3) digits.insert(k - 3, 1, ',');
  return digits;
}

// To two digits: more would promise too much.
std::string roughly(double number) {
  if (number < 100) return grouped(std::round(number));
  const double unit = std::pow(10, std::floor(std::log10(number)) - 1);
  return grouped(std::round(number / unit) * unit);
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 100 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{} days", grouped(seconds / 86400));
}

double done_of(const native::Progress& p) { return static_cast<double>(p.counts.runs()); }

// While the exploration runs, some is left.
std::string time_left(double low, double high) {
  const std::string most = duration(std::max(high, 1.0));
  return low < 1 ? ", up to " + most + " left" : ", " + duration(low) + " to " + most + " left";
}

}  // namespace

std::string progress_text(const native::Progress& p, const std::optional<Forecast::Range>& total) {
  const double done = done_of(p);
  const double rate = p.seconds > 0 ? done / p.seconds : 0;
  std::string out = fmt::format("{} runs", grouped(done));
  if (total) out += fmt::format(" of {} to {}", roughly(total->low), roughly(total->high));
  if (p.counts.states != 0)
    out += fmt::format(
        ", {} states with {} edges, {} open", grouped(static_cast<double>(p.counts.states)),
        grouped(static_cast<double>(p.counts.edges)), grouped(static_cast<double>(p.open)));
  if (p.findings != 0) out += fmt::format(", {} finding{}", p.findings, p.findings == 1 ? "" : "s");
  out += fmt::format(", {}/s, {}", roughly(rate), duration(p.seconds));
  if (total && rate > 0) out += time_left((total->low - done) / rate, (total->high - done) / rate);
  return out;
}

std::string share_text(double done, const std::optional<Forecast::Range>& total) {
  if (!total || total->high <= done) return "how much is left is not known";
  const double least = std::floor(100 * done / total->high);
  const double most = std::min(99.0, std::ceil(100 * done / std::max(total->low, done)));
  return fmt::format("an estimated {:.0f} % to {:.0f} % of all schedules were explored",
                     std::min(least, most), most);
}

Live::Live() : terminal_(isatty(STDERR_FILENO) != 0) {}

Live::~Live() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Live::show(const native::Progress& progress) {
  if (progress.outlook > 0) forecast_.note(done_of(progress), progress.outlook);
  if (terminal_) {
    const std::size_t width = report::style_for(stderr).width;
    const std::string line =
        report::cut(progress_text(progress, total()), width > 1 ? width - 1 : 1);
    std::fputs(("\r\033[K" + line).c_str(), stderr);
    std::fflush(stderr);
    shown_ = true;
  } else if (progress.seconds >= next_line_) {
    std::fputs(("heddle: " + progress_text(progress, total()) + "\n").c_str(), stderr);
    next_line_ = progress.seconds + std::min(next_line_, longest_pause);
  }
}

Interrupts::Interrupts() {
  interrupted = 0;
  old_interrupt = std::signal(SIGINT, on_interrupt);
  old_terminate = std::signal(SIGTERM, on_interrupt);
  old_hangup = std::signal(SIGHUP, on_interrupt);
  if (old_hangup == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup wants it
}

Interrupts::~Interrupts() {
  std::signal(SIGINT, old_interrupt);
  std::signal(SIGTERM, old_terminate);
  std::signal(SIGHUP, old_hangup);
}

const volatile std::sig_atomic_t* Interrupts::flag() { return &interrupted; }

}  // namespace heddle::cli
