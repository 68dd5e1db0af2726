// The files in src/report/page, which are a part of every page. The build makes the source of this
// from them (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace heddle::report {

struct PageFile {
  std::string_view text;
  std::string_view hash;  // "sha256-...", as a content security policy has it
};

extern const PageFile page_style, page_script;

}  // namespace heddle::report
