// Descriptors of the runtime's own, at numbers that programs do not reach.
#pragma once

namespace heddle::runtime {

// Moves a descriptor of the runtime to such a number, which programs cannot close. Negative: there
// is none.
int reserve_descriptor(long descriptor);
bool is_reserved(long descriptor);

// The numbers that are reserved: from the first, up to the end.
struct Reserved {
  long first, end;
};
Reserved reserved_descriptors();

}  // namespace heddle::runtime
