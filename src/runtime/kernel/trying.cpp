#include "runtime/kernel/trying.hpp"

#include "runtime/kernel/current.hpp"
#include "runtime/kernel/visits.hpp"
#include "runtime/sys/check.hpp"

namespace heddle::runtime {
namespace {

struct Outcome {
  Trial seen;
};
constinit Outcome trial{};  // of the last trial

}  // namespace

Trial try_thread(Fiber& f) {
  HEDDLE_RUNTIME_CHECK(!is_trying() && !is_gluing());
  detail::now.trying = true;
  detail::now.fiber = &f;
  switch_fibers(base_fiber(), f);
  detail::now.trying = false;
  return trial.seen;
}

void stop_trying(Trial seen) {
  HEDDLE_RUNTIME_CHECK(is_trying());
  trial.seen = seen;
  Fiber& tried = current();
  detail::now.fiber = &base_fiber();
  switch_fibers(tried, base_fiber());
  be_visited();
}

void try_effect() { stop_trying(Trial::goes_on); }

}  // namespace heddle::runtime
