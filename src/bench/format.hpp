// What was measured, for people and for tools.
#pragma once

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "report/json.hpp"

namespace heddle::bench {

// A table that is printed row by row, with notes below it that its rows refer to.
class Table {
 public:
  enum class Style : std::uint8_t { text, markdown };
  // The options say how wide it has to be.
  Table(Style style, const Options& options);

  std::string head() const;
  std::string line(const Row& row);
  // The notes, and how many rows there are of which kind.
  std::string foot(const std::vector<Row>& rows, double seconds) const;

 private:
  std::string laid_out(const std::vector<std::string>& cells) const;
  std::string published_cell(const Comparison& compared);

  Style style_;
  std::vector<std::size_t> widths_;
  std::vector<std::string> notes_;
};

report::Json to_json(const Row& row);

}  // namespace heddle::bench
