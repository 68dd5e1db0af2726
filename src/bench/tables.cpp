#include "bench/tables.hpp"

#include <fmt/format.h>

#include <ranges>
#include <string_view>

#include "base/check.hpp"
#include "base/files.hpp"

namespace heddle::bench {
namespace {

Fields split(std::string_view text, char at) {
  Fields out;
  for (const auto part : std::views::split(text, at)) out.emplace_back(part.begin(), part.end());
  return out;
}

}  // namespace

std::vector<Fields> read_table(const std::string& path, const Fields& columns) {
  std::vector<Fields> rows;
  bool named = false;
  for (const std::string& line : split(read_file(path), '\n')) {
    if (line.empty() || line.starts_with("#")) continue;
    Fields fields = split(line, '\t');
    if (named ? fields.size() != columns.size() : fields != columns)
      throw Misuse(fmt::format("{}: not a row of this table: {}", path, line));
    if (named) rows.push_back(std::move(fields));
    named = true;
  }
  if (!named) throw Misuse(fmt::format("{} has no columns", path));
  return rows;
}

Fields parts_of(const std::string& field) { return field == "-" ? Fields{} : split(field, ','); }

}  // namespace heddle::bench
