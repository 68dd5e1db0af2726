// What papers say how many executions there are: bench/programs/published.tsv, and our reasons
// where another number comes out here, published_differences.tsv.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/suite.hpp"
#include "core/algorithm.hpp"

namespace heddle::bench {

struct Published {
  std::string source, benchmark, parameter, algorithm, executions, note;

  // A timeout is not a number, nor is a lower bound.
  bool is_number() const;
};

struct Difference {
  // Of the row; * stands for any value.
  std::string source, benchmark, parameter, algorithm;
  std::string ours;    // "-": we have no number
  std::string agrees;  // how the published number comes out all the same; "-": not at all
  std::string reason;

  bool is_of(const Published& row) const;
};

// The algorithm that a paper calls so; null if there is none here.
const Algorithm* algorithm_of_paper(std::string_view name);

enum class Agreement : std::uint8_t {
  nothing,  // to compare with: no paper has a number for it
  equal,
  explained,  // another number, and the reason is known
  differs,
};

struct Comparison {
  Agreement agreement = Agreement::nothing;
  std::vector<std::string> published;  // as the papers have it
  std::string reason;
};

class Papers {
 public:
  explicit Papers(const std::string& directory);

  const std::vector<Published>& rows() const { return rows_; }
  const std::vector<Difference>& differences() const { return differences_; }

  // What they have for a program of this size, and how our number of executions compares. If the
  // exploration was not complete, it is not to be compared.
  Comparison compare(const Program& program, int size, const Algorithm& algorithm,
                     std::uint64_t executions, bool complete) const;

 private:
  std::vector<Published> rows_;
  std::vector<Difference> differences_;
};

}  // namespace heddle::bench
