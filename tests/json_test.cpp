// What JSON tells of an exploration that was stopped. (The schema is checked by formats_test.py.)
#include "report/json.hpp"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

native::Report stopped_after(std::uint64_t executions, std::uint64_t blocked) {
  native::Report report;
  report.counts.executions = executions;
  report.counts.blocked = blocked;
  report.stopped = "the time limit of 1 s was reached";
  return report;
}

Json json_of_report(const native::Report& report, const std::optional<Forecast::Range>& total) {
  return to_json({"run", "program", {}, "optimal", ""}, report, {}, "", total);
}

TEST(Json, TellsHowManyRunsThereAreIfItWasStopped) {
  const Json out = json_of_report(stopped_after(70, 30), Forecast::Range{150.5, 300.5});
  EXPECT_EQ(out["expected_runs"], (Json{{"least", 150}, {"most", 300}}));
}

TEST(Json, TellsNoFewerRunsThanWereDone) {
  const Json out = json_of_report(stopped_after(170, 330), Forecast::Range{150, 300});
  EXPECT_EQ(out["expected_runs"], (Json{{"least", 500}, {"most", 500}}));
}

TEST(Json, TellsNoRangeIfThereIsNoneOrAllWasDone) {
  EXPECT_FALSE(json_of_report(stopped_after(70, 30), {}).contains("expected_runs"));
  native::Report done = stopped_after(70, 30);
  done.stopped.clear();
  EXPECT_FALSE(json_of_report(done, Forecast::Range{100, 200}).contains("expected_runs"));
}

}  // namespace
}  // namespace heddle::report
