// Tables in files: a line for each row, with tabs between its fields.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

using Fields = std::vector<std::string>;

// All rows but the first, which names the columns, and comments (#). Throws Misuse if the file
// cannot be read, or has other columns than these.
std::vector<Fields> read_table(const std::string& path, const Fields& columns);

// "a,b" in its parts; "-" has none.
Fields parts_of(const std::string& field);

}  // namespace heddle::bench
