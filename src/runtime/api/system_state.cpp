#include "runtime/api/system_state.hpp"

#include "runtime/api/descriptor_state.hpp"
#include "runtime/api/identity.hpp"
#include "runtime/memory/mappings.hpp"
#include "runtime/sys/imports.hpp"

namespace heddle::runtime {

void remember_system() {
  remember_descriptors(may_have_system());
  remember_identity();
}

bool is_system_as_remembered() {
  return are_mappings_as_remembered() && is_identity_as_remembered() &&
         are_descriptors_as_remembered();
}

void restore_system() {
  restore_mappings();
  restore_identity();
  restore_descriptors();
}

}  // namespace heddle::runtime
