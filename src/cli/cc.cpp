// heddle cc, heddle c++: the compiler, for programs that heddle run explores.
#include "cli/command.hpp"
#include "native/compiler.hpp"

namespace heddle::cli {
namespace {

int compile(native::Language language, const std::vector<std::string>& arguments) {
  native::become(native::compiler_command(language, native::own_directory(), arguments));
}

}  // namespace

int run_cc(const Arguments& arguments) { return compile(native::Language::c, arguments.operands); }

int run_cxx(const Arguments& arguments) {
  return compile(native::Language::cxx, arguments.operands);
}

}  // namespace heddle::cli
