// The benchmarks of Aronis et al. 2018, section 7, and their variants in table 2 of Albert et al.
// 2023. Writes go unobserved, so that observers save executions; where all of them write the same
// value, so does context sensitivity.
//
// The -dif variants write different values, and what reads them keeps the value: then only
// observers help. The -2phases variants have each process repeat the pattern, on variables of its
// own for each phase: the counts are then products. Those of lastwrite say that there are three
// phases, in spite of the name.
#include <string>
#include <vector>

#include "interp/builder.hpp"
#include "interp/families.hpp"

namespace heddle::interp {
namespace {

using enum Compare;

constexpr int many = 1000;  // threads

enum class Values : std::uint8_t { equal, different };
// What a reader keeps: the value, or only that an assertion held.
enum class Keeps : std::uint8_t { value, outcome };

// n threads that write each of the variables, in their order.
std::vector<ThreadBuilder> add_writers(Builder& b, int n, const std::vector<Place>& variables,
                                       Values values) {
  std::vector<ThreadBuilder> writers;
  for (int i = 0; i < n; ++i) {
    ThreadBuilder w = b.thread("w" + std::to_string(i));
    for (const Place x : variables) w.write(x, values == Values::equal ? 1 : i + 1);
    writers.push_back(w);
  }
  return writers;
}

void see(ThreadBuilder& reader, const std::vector<Place>& variables, Keeps keeps) {
  for (const Place x : variables) {
    if (keeps == Keeps::value)
      reader.read(reader.reg(), x);
    else
      reader.check(reader.reg(), x, ge, 0);
  }
}

std::vector<Place> declare(Builder& b, int count) {
  std::vector<Place> variables;
  for (const char* name : {"x", "y", "z", "u"})
    if (static_cast<int>(variables.size()) < count) variables.push_back(b.memory(name));
  return variables;
}

struct Shape {
  int variables;
  Values values;
  Keeps keeps;
};

// A reader that waits for all writers. For each variable, n! traces, n with observers, and with the
// published context sensitivity, where values are equal, the n-th zigzag number (4: 5, 8: 1385;
// provided that the end of a thread is not a step of its own, or else there are fewer). With both,
// 1.
Program read_last(const char* name, int n, Shape shape) {
  Builder b(name, n);
  const auto variables = declare(b, shape.variables);
  const auto writers = add_writers(b, n, variables, shape.values);
  ThreadBuilder reader = b.thread("r");
  for (const ThreadBuilder& w : writers) reader.join(w);
  see(reader, variables, shape.keeps);
  return b.build();
}

// A reader that does not wait. For each variable, (n + 1)! traces, n * 2^(n - 1) + 1 with
// observers, and with the published context sensitivity, where values are equal, the (n + 1)-st
// zigzag number. With both, 1.
Program read_anytime(const char* name, int n, Shape shape) {
  Builder b(name, n);
  const auto variables = declare(b, shape.variables);
  add_writers(b, n, variables, shape.values);
  ThreadBuilder reader = b.thread("r");
  see(reader, variables, shape.keeps);
  return b.build();
}

Program lastwrite(int n) { return read_last("lastwrite", n, {1, Values::equal, Keeps::value}); }
Program lastwrite_dif(int n) {
  return read_last("lastwrite-dif", n, {1, Values::different, Keeps::value});
}
Program lastwrite_2phases(int n) {
  return read_last("lastwrite-2phases", n, {3, Values::equal, Keeps::value});
}

Program floatingread(int n) {
  return read_anytime("floatingread", n, {1, Values::equal, Keeps::outcome});
}
Program floatingread_dif(int n) {
  return read_anytime("floatingread-dif", n, {1, Values::different, Keeps::value});
}
Program floatingread_2phases(int n) {
  return read_anytime("floatingread-2phases", n, {2, Values::equal, Keeps::outcome});
}

// Figure 1 of the 2018 paper for n processes: each writes x, then y; then an assertion sees both.
Program abs_equal(int n) { return read_last("abs", n, {2, Values::equal, Keeps::outcome}); }
Program abs_dif(int n) { return read_last("abs-dif", n, {2, Values::different, Keeps::value}); }
Program abs_2phases(int n) {
  return read_last("abs-2phases", n, {4, Values::equal, Keeps::outcome});
}

constexpr Family rows[] = {
    {"lastwrite", "n writers of one value, and a reader after all of them", 4, 1, many, lastwrite},
    {"lastwrite-dif", "n writers of different values, and a reader after all of them", 4, 1, many,
     lastwrite_dif},
    {"lastwrite-2phases", "lastwrite, three times over", 3, 1, many, lastwrite_2phases},
    {"floatingread", "n writers of one value, and an assertion at any time", 4, 1, many,
     floatingread},
    {"floatingread-dif", "n writers of different values, and a reader at any time", 4, 1, many,
     floatingread_dif},
    {"floatingread-2phases", "floatingread, twice over", 3, 1, many, floatingread_2phases},
    {"abs", "n writers of x and y, and an assertion about both after all of them", 3, 1, many,
     abs_equal},
    {"abs-dif", "abs with different values, which are read", 3, 1, many, abs_dif},
    {"abs-2phases", "abs, twice over", 2, 1, many, abs_2phases},
};

}  // namespace

std::span<const Family> observer_families() { return rows; }

}  // namespace heddle::interp
