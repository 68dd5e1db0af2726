// Memory from the system for the runtime itself.
#pragma once

#include <cstddef>

namespace heddle::runtime {

struct Range {
  char *begin, *end;
};

// All zeros, and physical only once it is used; refuses the program if there is none.
void* map_anywhere(std::size_t size);
void map_at(void* address, std::size_t size);
void unmap(void* address, std::size_t size);

}  // namespace heddle::runtime
