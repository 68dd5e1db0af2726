#include "cli/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/check.hpp"

namespace heddle::cli {
namespace {

template <typename Table>
std::vector<std::string_view> names_of(const Table& table) {
  std::vector<std::string_view> out;
  for (const auto& row : table) out.push_back(row.name);
  return out;
}

}  // namespace

std::string algorithm_names() { return fmt::format("{}", fmt::join(names_of(algorithms()), ", ")); }

const Algorithm& algorithm_named(const std::string& name) {
  if (const Algorithm* found = find_algorithm(name)) return *found;
  throw Misuse(fmt::format("there is no algorithm '{}'; there are: {}", name, algorithm_names()));
}

const interp::Family& family_named(const std::string& name) {
  if (const interp::Family* found = interp::find_family(name)) return *found;
  throw Misuse(fmt::format("there is no model program '{}'; there are: {}", name,
                           fmt::join(names_of(interp::families()), ", ")));
}

std::string shape_names() { return fmt::format("{}", fmt::join(names_of(interp::shapes()), ", ")); }

const interp::Shape& shape_named(const std::string& name) {
  for (const interp::Shape& shape : interp::shapes())
    if (shape.name == name) return shape;
  throw Misuse(fmt::format("there is no shape '{}'; there are: {}", name, shape_names()));
}

std::string not_negative(const std::string& given) {
  return given.starts_with("-") ? "takes a number from 0 on, not " + given : "";
}

std::string read_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw Misuse(fmt::format("cannot read '{}': it is a directory", path));
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    std::ifstream again(path, std::ios::binary);
    if (again && again.peek() == std::ifstream::traits_type::eof()) return "";
    throw Misuse(fmt::format("cannot read '{}'", path));
  }
  return text.str();
}

}  // namespace heddle::cli
