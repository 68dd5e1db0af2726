// Of instructions that use no general register but for addresses, there are many: they are rows of
// `vector`, whatever they do. Where a register is written and that is not common, it counts as
// read.
#include "runtime/code/opcodes.hpp"

#include <iterator>

namespace heddle::runtime {
namespace {

constexpr Form with(Form form, Constant constant) {
  form.constant = constant;
  return form;
}
constexpr Form bytes(Form form) {
  form.byte = true;
  return form;
}

constexpr Form bare{};
constexpr Form vector{.modrm = true};
constexpr Form both{.modrm = true, .reg = Role::read, .rm = Role::read};
constexpr Form from_rm{.modrm = true, .rm = Role::read};
constexpr Form from_reg{.modrm = true, .reg = Role::read};
constexpr Form loads{.modrm = true, .reg = Role::write, .rm = Role::read};
constexpr Form stores{.modrm = true, .reg = Role::read, .rm = Role::write};
constexpr Form sets{.modrm = true, .rm = Role::write};

// The first row that has an opcode is its own.
struct Row {
  unsigned first, last;
  Form form;
};

constexpr auto one = Constant::one, z = Constant::z;

// 00 to 3F: arithmetic, the same for each eight.
constexpr Row arithmetic[] = {{0, 0, bytes(both)},     {1, 1, both},
                              {2, 2, bytes(both)},     {3, 3, both},
                              {4, 4, with(bare, one)}, {5, 5, with(bare, z)}};

constexpr Row first_map[] = {
    {0x63, 0x63, loads},  // movsxd
    {0x68, 0x68, with(bare, z)},
    {0x69, 0x69, with(loads, z)},  // imul
    {0x6a, 0x6a, with(bare, one)},
    {0x6b, 0x6b, with(loads, one)},
    {0x80, 0x80, bytes(with(from_rm, one))},
    {0x81, 0x81, with(from_rm, z)},
    {0x83, 0x83, with(from_rm, one)},
    {0x84, 0x84, bytes(both)},  // test
    {0x85, 0x85, both},
    {0x86, 0x86, bytes(both)},  // xchg
    {0x87, 0x87, both},
    {0x88, 0x88, bytes(both)},  // mov
    {0x89, 0x89, stores},
    {0x8a, 0x8a, bytes(both)},
    {0x8b, 0x8b, loads},
    {0x8c, 0x8c, from_rm},
    {0x8d, 0x8d, loads},  // lea
    {0x8e, 0x8e, from_rm},
    {0x98, 0x99, bare},
    {0x9b, 0x9f, bare},
    {0xa0, 0xa3, with(bare, Constant::address)},
    {0xa8, 0xa8, with(bare, one)},
    {0xa9, 0xa9, with(bare, z)},
    {0xa4, 0xaf, bare},
    {0xc0, 0xc0, bytes(with(from_rm, one))},  // shifts
    {0xc1, 0xc1, with(from_rm, one)},
    {0xc6, 0xc6, bytes(with(from_rm, one))},  // mov
    {0xc7, 0xc7, with(sets, z)},
    {0xcc, 0xcc, bare},
    {0xd0, 0xd0, bytes(from_rm)},
    {0xd1, 0xd1, from_rm},
    {0xd2, 0xd2, bytes(from_rm)},
    {0xd3, 0xd3, from_rm},
    {0xd8, 0xdf, vector},  // x87
    {0xf5, 0xf5, bare},
    {0xf6, 0xf6, bytes(from_rm)},
    {0xf7, 0xf7, from_rm},
    {0xf8, 0xf9, bare},
    {0xfc, 0xfd, bare},
    {0xfe, 0xfe, bytes(from_rm)},
    {0xff, 0xff, from_rm},
};

// After 0F, the same with and without VEX.
constexpr Row vectors[] = {
    {0x10, 0x17, vector},
    {0x2a, 0x2a, from_rm},
    {0x2c, 0x2d, from_reg},
    {0x28, 0x2f, vector},
    {0x50, 0x50, from_reg},
    {0x6e, 0x6e, from_rm},
    {0x70, 0x73, with(vector, one)},
    {0x77, 0x77, bare},
    {0x7e, 0x7e, from_rm},
    {0x51, 0x76, vector},
    {0x7c, 0x7f, vector},
    {0xc2, 0xc2, with(vector, one)},
    {0xc4, 0xc4, with(from_rm, one)},
    {0xc5, 0xc5, with(from_reg, one)},
    {0xc6, 0xc6, with(vector, one)},
    {0xd7, 0xd7, from_reg},
    {0xd0, 0xfe, vector},
};
constexpr Row second_map[] = {
    {0x05, 0x05, bare},  // syscall
    {0x0d, 0x0d, vector},
    {0x18, 0x19, vector},
    {0x1c, 0x1d, vector},
    {0x1e, 0x1e, from_rm},
    {0x1f, 0x1f, vector},
    {0x31, 0x31, bare},
    {0x40, 0x4f, both},            // cmov
    {0x90, 0x9f, bytes(from_rm)},  // set
    {0xa2, 0xa2, bare},
    {0xa3, 0xa3, both},
    {0xa4, 0xa4, with(both, one)},
    {0xa5, 0xa5, both},
    {0xab, 0xab, both},
    {0xac, 0xac, with(both, one)},
    {0xad, 0xad, both},
    {0xae, 0xae, from_rm},
    {0xaf, 0xaf, both},
    {0xb0, 0xb0, bytes(both)},  // cmpxchg
    {0xb1, 0xb1, both},
    {0xb3, 0xb3, both},
    {0xb6, 0xb6, bytes(loads)},  // movzx
    {0xb7, 0xb7, loads},
    {0xb8, 0xb8, loads},  // popcnt
    {0xba, 0xba, with(from_rm, one)},
    {0xbb, 0xbd, both},
    {0xbe, 0xbe, bytes(loads)},  // movsx
    {0xbf, 0xbf, loads},
    {0xc0, 0xc0, bytes(both)},  // xadd
    {0xc1, 0xc1, both},
    {0xc3, 0xc3, both},
    {0xc7, 0xc7, from_rm},
};
constexpr Row third_map[] = {
    {0x00, 0x7f, vector}, {0x83, 0xdf, vector}, {0xf0, 0xf0, bytes(both)}, {0xf1, 0xf6, both}};
constexpr Row fourth_map[] = {{0x14, 0x17, with(from_rm, one)},
                              {0x20, 0x22, with(from_rm, one)},
                              {0xf0, 0xf0, with(both, one)},
                              {0x00, 0xff, with(vector, one)}};

constexpr Row vex_second_map[] = {
    {0x41, 0x4b, vector}, {0x90, 0x93, both}, {0x98, 0x99, vector}, {0xae, 0xae, vector}};
// (49 and 4B are of matrices.)
constexpr Row vex_third_map[] = {{0x00, 0x48, vector},
                                 {0x4a, 0x4a, vector},
                                 {0x4c, 0xdf, vector},
                                 {0xe0, 0xef, both},
                                 {0xf2, 0xf7, both}};

template <std::size_t n>
bool find(const Row (&rows)[n], unsigned opcode, Form& out) {
  for (const Row& row : rows)
    if (row.first <= opcode && opcode <= row.last) return out = row.form, true;
  return false;
}

}  // namespace

bool find_form(OpcodeMap map, unsigned opcode, Form& out) {
  switch (map) {
    case OpcodeMap::first:
      return opcode < 0x40 ? find(arithmetic, opcode % 8, out) : find(first_map, opcode, out);
    case OpcodeMap::second:
      return find(vectors, opcode, out) || find(second_map, opcode, out);
    case OpcodeMap::third:
      return find(third_map, opcode, out);
    case OpcodeMap::fourth:
      return find(fourth_map, opcode, out);
    case OpcodeMap::vex_second:
      return find(vex_second_map, opcode, out) || find(vectors, opcode, out);
    case OpcodeMap::vex_third:
      return find(vex_third_map, opcode, out);
  }
  return false;
}

}  // namespace heddle::runtime
