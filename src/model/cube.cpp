#include "model/cube.hpp"

namespace heddle {

std::string to_text(const Cube& cube) {
  const auto name = [](StepName s) {
    return std::to_string(s.thread) + "." + std::to_string(s.index);
  };
  std::string out;
  for (const Wait& w : cube.waits)
    out += (out.empty() ? "" : " ") + name(w.first) + "<" + name(w.second) + (w.ordered ? "!" : "");
  return out;
}

}  // namespace heddle
