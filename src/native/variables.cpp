#include "native/variables.hpp"

#include <dwarf.h>

#include <cstdlib>

namespace heddle::native {
namespace {

std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr || dwarf_peel_type(&type, &type) != 0)
    return std::nullopt;
  return type;
}

std::uint64_t size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

std::string name_of(Dwarf_Die& die) {
  const char* name = dwarf_diename(&die);
  return name == nullptr ? "" : name;
}

std::optional<std::uint64_t> constant(Dwarf_Die& die, unsigned kind) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&die, kind, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

template <typename Visit>
void for_children(Dwarf_Die& parent, Visit visit) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

Variable::Kind kind_of(Dwarf_Die& type) {
  switch (constant(type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      return Variable::Kind::number;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
      return Variable::Kind::natural;
    case DW_ATE_boolean:
      return Variable::Kind::boolean;
    case DW_ATE_float:
      return Variable::Kind::real;
    default:
      return Variable::Kind::unknown;
  }
}

void add_value_names(Dwarf_Die& type, Variable& out) {
  out.kind = Variable::Kind::name;
  for_children(type, [&](Dwarf_Die& child) {
    Dwarf_Attribute attribute;
    Dwarf_Sword value = 0;
    if (dwarf_tag(&child) == DW_TAG_enumerator &&
        dwarf_attr(&child, DW_AT_const_value, &attribute) != nullptr &&
        dwarf_formsdata(&attribute, &value) == 0)
      out.names.emplace_back(value, name_of(child));
  });
}

bool is_bytes(Dwarf_Die type) {
  const auto element = type_of(type);
  return dwarf_tag(&type) == DW_TAG_array_type && element && size_of(*element) == 1;
}

// In a union, the first member that contains the offset is as good as any; but plain bytes, as in
// pthread_barrier_t, say nothing. A type that is only declared, as std::condition_variable often
// is, has no size: such a member extends to the next one.
std::optional<Dwarf_Die> member_at(Dwarf_Die& type, std::uint64_t offset, std::uint64_t& begin) {
  std::optional<Dwarf_Die> found, unsized;
  for_children(type, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if (found || (tag != DW_TAG_member && tag != DW_TAG_inheritance)) return;
    const auto at = constant(child, DW_AT_data_member_location);
    const auto member_type = type_of(child);
    const bool is_union = dwarf_tag(&type) == DW_TAG_union_type;
    if (!member_type || (!at && !is_union) || (is_union && is_bytes(*member_type))) return;
    if (offset < at.value_or(0)) return;
    const std::uint64_t size = size_of(*member_type);
    unsized.reset();
    if (size != 0 && offset - at.value_or(0) >= size) return;
    (size == 0 ? unsized : found) = child;
    begin = at.value_or(0);
  });
  return found ? found : unsized;
}

// Descends to the smallest member or element at the offset. Names that begin with an underscore are
// those of a library's own members: `m._M_mutex` is m, for its user.
void describe(Dwarf_Die type, std::uint64_t offset, Variable& out) {
  switch (dwarf_tag(&type)) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: {
      std::uint64_t begin = 0;
      auto member = member_at(type, offset, begin);
      const auto member_type = member ? type_of(*member) : std::nullopt;
      if (!member_type) return;
      const std::string name = dwarf_tag(&*member) == DW_TAG_member ? name_of(*member) : "";
      if (!name.empty() && name[0] != '_') out.name += "." + name;
      return describe(*member_type, offset - begin, out);
    }
    case DW_TAG_array_type: {
      const auto element = type_of(type);
      const std::uint64_t size = element ? size_of(*element) : 0;
      if (size == 0) return;
      out.name += "[" + std::to_string(offset / size) + "]";
      return describe(*element, offset % size, out);
    }
    case DW_TAG_enumeration_type:
      return add_value_names(type, out);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      out.kind = Variable::Kind::pointer;
      return;
    case DW_TAG_base_type:
      out.kind = kind_of(type);
      return;
    default:
      return;
  }
}

Variable described(Dwarf_Die& die, std::uint64_t offset) {
  Variable out;
  out.name = name_of(die);
  if (const auto type = type_of(die)) describe(*type, offset, out);
  return out;
}

// The operation of a location expression that consists of one only.
std::optional<Dwarf_Op> location(Dwarf_Die& die, unsigned kind, Dwarf_Addr pc) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr_integrate(&die, kind, &attribute) == nullptr ||
      dwarf_getlocation_addr(&attribute, pc, &operations, &count, 1) != 1 || count != 1)
    return std::nullopt;
  return operations[0];
}

constexpr unsigned rbp = 6, rsp = 7;

std::optional<std::uint64_t> frame_base(Dwarf_Die& function, Dwarf_Addr pc,
                                        const abi::WireFrame& frame) {
  const auto base = location(function, DW_AT_frame_base, pc);
  if (!base) return std::nullopt;
  if (base->atom == DW_OP_reg0 + rbp) return frame.frame_pointer;
  if (base->atom == DW_OP_reg0 + rsp) return frame.stack_pointer;
  return std::nullopt;
}

std::optional<std::uint64_t> address_of(Dwarf_Die& variable, std::optional<std::uint64_t> base,
                                        Dwarf_Addr pc, const abi::WireFrame& frame) {
  const auto at = location(variable, DW_AT_location, pc);
  if (!at) return std::nullopt;
  if (at->atom == DW_OP_fbreg && base) return *base + at->number;
  if (at->atom == DW_OP_breg0 + rbp) return frame.frame_pointer + at->number;
  if (at->atom == DW_OP_breg0 + rsp) return frame.stack_pointer + at->number;
  return std::nullopt;
}

bool is_variable(Dwarf_Die& die) {
  return dwarf_tag(&die) == DW_TAG_variable || dwarf_tag(&die) == DW_TAG_formal_parameter;
}

}  // namespace

void Variables::collect(Dwarf_Die& parent, Dwarf_Addr bias) {
  for_children(parent, [&](Dwarf_Die& child) {
    switch (dwarf_tag(&child)) {
      case DW_TAG_namespace:
      case DW_TAG_subprogram:
      case DW_TAG_lexical_block:
        return collect(child, bias);
      case DW_TAG_variable: {
        const auto at = location(child, DW_AT_location, 0);
        const auto type = type_of(child);
        if (at && type && (at->atom == DW_OP_addr || at->atom == DW_OP_addrx)) {
          Dwarf_Attribute attribute, resolved;
          Dwarf_Addr address = at->number;
          if (at->atom == DW_OP_addrx &&
              (dwarf_attr_integrate(&child, DW_AT_location, &attribute) == nullptr ||
               dwarf_getlocation_attr(&attribute, &*at, &resolved) != 0 ||
               dwarf_formaddr(&resolved, &address) != 0))
            return;
          globals_.insert({address + bias, {size_of(*type), child}});
        }
        return;
      }
      default:
        return;
    }
  });
}

void Variables::collect(Dwfl_Module* module) {
  if (!collected_.insert({module, true}).second) return;
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;)
    collect(*unit, bias);
}

std::optional<Variable> Variables::global(std::uint64_t address) {
  Dwfl_Module* module = dwfl_ == nullptr ? nullptr : dwfl_addrmodule(dwfl_, address);
  if (module == nullptr) return std::nullopt;
  collect(module);
  auto next = globals_.upper_bound(address);
  if (next == globals_.begin()) return std::nullopt;
  auto& [begin, known] = *std::prev(next);
  if (address - begin >= known.size) return std::nullopt;
  return described(known.die, address - begin);
}

std::optional<Variable> Variables::local(std::uint64_t address,
                                         std::span<const abi::WireFrame> frames) {
  std::optional<Variable> found;
  for (const abi::WireFrame& frame : frames) {
    Dwfl_Module* module = dwfl_ == nullptr ? nullptr : dwfl_addrmodule(dwfl_, frame.code - 1);
    if (module == nullptr || address < frame.stack_pointer) continue;
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
      if (dwarf_haspc(unit, frame.code - 1 - bias) > 0) break;
    if (unit == nullptr) continue;
    const Dwarf_Addr pc = frame.code - 1 - bias;
    // First the innermost scope, then the enclosing ones: where it was inlined, not where it was
    // written.
    Dwarf_Die *innermost = nullptr, *scopes = nullptr;
    int count = dwarf_getscopes(unit, pc, &innermost);
    if (count > 0) count = dwarf_getscopes_die(&innermost[0], &scopes);
    std::free(innermost);
    std::optional<std::uint64_t> base;
    for (int k = 0; k < count; ++k)
      if (dwarf_tag(&scopes[k]) == DW_TAG_subprogram && !base)
        base = frame_base(scopes[k], pc, frame);
    for (int k = 0; k < count && !found; ++k)
      for_children(scopes[k], [&](Dwarf_Die& child) {
        if (found || !is_variable(child)) return;
        const auto type = type_of(child);
        const auto at = address_of(child, base, pc, frame);
        if (type && at && address - *at < size_of(*type)) found = described(child, address - *at);
      });
    std::free(scopes);
    if (found) return found;
  }
  return found;
}

}  // namespace heddle::native
