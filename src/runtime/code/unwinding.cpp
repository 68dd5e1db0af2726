#include "runtime/code/unwinding.hpp"

#include <elf.h>
#include <link.h>

#include "runtime/code/byte_reader.hpp"

namespace heddle::runtime {
namespace {

// The table of the object that has the address, by address: .eh_frame_hdr.
struct Search {
  std::uint64_t address;
  const std::uint8_t* table;
};

int look_at(dl_phdr_info* object, std::size_t, void* out) {
  auto& search = *static_cast<Search*>(out);
  bool has_it = false;
  const std::uint8_t* table = nullptr;
  for (unsigned k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = object->dlpi_phdr[k];
    const std::uint64_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0 && (part.p_flags & PF_W) == 0 &&
        search.address - begin < part.p_memsz)
      has_it = true;
    if (part.p_type == PT_GNU_EH_FRAME) table = reinterpret_cast<const std::uint8_t*>(begin);
  }
  if (!has_it) return 0;
  search.table = table;
  return 1;
}

// The description of the last function that begins at the address or before; null: there is none.
const std::uint8_t* find_description(std::uint64_t address) {
  Search search{address, nullptr};
  dl_iterate_phdr(look_at, &search);
  if (search.table == nullptr) return nullptr;
  ByteReader in(search.table);
  const auto base = reinterpret_cast<std::uint64_t>(search.table);
  constexpr unsigned by_offsets = 0x3b;  // to the table, of 4 bytes each
  if (in.take<std::uint8_t>() != 1) return nullptr;
  const unsigned pointer = in.take<std::uint8_t>(), number = in.take<std::uint8_t>();
  std::uint64_t unused = 0, count = 0;
  if (in.take<std::uint8_t>() != by_offsets || !in.take_encoded(pointer, unused) ||
      !in.take_encoded(number, count))
    return nullptr;
  struct Row {
    std::int32_t begin, description;
  };
  const auto* const rows = reinterpret_cast<const Row*>(in.at());
  const auto at = static_cast<std::int64_t>(address - base);
  std::uint64_t first = 0, last = count;
  while (first < last) {
    const std::uint64_t middle = (first + last) / 2;
    if (rows[middle].begin <= at)
      first = middle + 1;
    else
      last = middle;
  }
  if (first == 0) return nullptr;
  return search.table + rows[first - 1].description;
}

struct Encodings {
  unsigned pointer = 0, landing_pads = ByteReader::omitted;
  bool has_more = false;  // data of its own for each function
};

// What functions have in common. False: it has something that need not be known, such as frames of
// signals.
bool read_common(const std::uint8_t* at, FunctionPart& out, Encodings& encodings) {
  ByteReader in(at);
  const std::uint32_t size = in.take<std::uint32_t>();
  out.common_end = in.at() + size;
  if (size == 0xffffffff || in.take<std::uint32_t>() != 0) return false;
  const unsigned version = in.take<std::uint8_t>();
  if (version != 1 && version != 3) return false;
  const char* const letters = reinterpret_cast<const char*>(in.at());
  in.skip(std::strlen(letters) + 1);
  out.code_unit = in.take_unsigned();
  out.data_unit = in.take_signed();
  const std::uint64_t return_address = version == 1 ? in.take<std::uint8_t>() : in.take_unsigned();
  if (return_address != 16) return false;
  for (const char* letter = letters; *letter != 0; ++letter) {
    std::uint64_t unused = 0;
    if (*letter == 'z' && letter == letters) {
      encodings.has_more = true;
      in.take_unsigned();
    } else if (*letter == 'R') {
      encodings.pointer = in.take<std::uint8_t>();
    } else if (*letter == 'L') {
      encodings.landing_pads = in.take<std::uint8_t>();
    } else if (*letter == 'P') {
      const unsigned encoding = in.take<std::uint8_t>();
      if (!in.take_encoded(encoding & 0x7f, unused)) return false;
    } else {
      return false;
    }
  }
  out.common_rules = in.at();
  out.pointer_encoding = encodings.pointer;
  return true;
}

// Runs the rules up to an address. By numbers of DWARF.
class RuleMachine {
 public:
  RuleMachine(const FunctionPart& part, std::uint64_t address) : part_(part), address_(address) {}

  bool run(FrameRule& out) {
    at_ = 0;  // all that functions have in common is from their beginning
    if (!run(part_.common_rules, part_.common_end, true)) return false;
    initial_ = now_;
    at_ = part_.begin;
    if (!run(part_.rules, part_.rules_end, false)) return false;
    if (now_.is_told_otherwise || (now_.base != rsp && now_.base != rbp)) return false;
    out.from_rbp = now_.base == rbp;
    out.end = now_.end;
    out.saved = now_.saved;
    for (unsigned k = 0; k < kept_registers; ++k) out.place[k] = now_.place[k];
    return true;
  }

 private:
  static constexpr unsigned rbp = 6, rsp = 7;
  struct Row {
    std::uint64_t base = 0;
    std::int64_t end = 0;
    std::uint8_t saved = 0;
    bool is_told_otherwise = false;  // by an expression, or some register is not told at all
    std::int64_t place[kept_registers] = {};
  };
  static constexpr unsigned most_remembered = 8;

  // Its place in lists; kept_registers: it is none of those.
  static unsigned kept(std::uint64_t number) {
    if (number == 3) return 0;
    if (number == rbp) return kept_rbp;
    return number >= 12 && number <= 15 ? static_cast<unsigned>(number) - 10 : kept_registers;
  }
  void set_place(std::uint64_t number, std::int64_t place) {
    const unsigned k = kept(number);
    if (k == kept_registers) return;
    now_.saved = static_cast<std::uint8_t>(now_.saved | 1U << k);
    now_.place[k] = place;
  }
  void set_same(std::uint64_t number) {
    const unsigned k = kept(number);
    if (k != kept_registers) now_.saved = static_cast<std::uint8_t>(now_.saved & ~(1U << k));
  }
  void set_initial(std::uint64_t number) {
    const unsigned k = kept(number);
    if (k == kept_registers) return;
    if ((initial_.saved & 1U << k) != 0)
      set_place(number, initial_.place[k]);
    else
      set_same(number);
  }
  // The return address is always where calls put it.
  void set_otherwise(std::uint64_t number) {
    if (kept(number) != kept_registers || number == rsp || number == 16)
      now_.is_told_otherwise = true;
  }
  void set_end(std::uint64_t base, std::int64_t end) {
    now_.base = base;
    now_.end = end;
  }
  std::int64_t scaled(std::uint64_t factor) const {
    return static_cast<std::int64_t>(factor) * part_.data_unit;
  }

  // Stops before the first rule that is for instructions behind the address.
  bool run(const std::uint8_t* from, const std::uint8_t* to, bool common) {
    ByteReader in(from);
    while (in.at() < to) {
      const unsigned op = in.take<std::uint8_t>();
      const unsigned low = op & 0x3f;
      std::uint64_t advance = 0;
      bool advances = true;
      if (op >> 6 == 1) {
        advance = low;
      } else if (op == 2) {
        advance = in.take<std::uint8_t>();
      } else if (op == 3) {
        advance = in.take<std::uint16_t>();
      } else if (op == 4) {
        advance = in.take<std::uint32_t>();
      } else {
        advances = false;
        if (!apply(op, in)) return false;
      }
      if (!advances) continue;
      if (common) return false;
      at_ += advance * part_.code_unit;
      if (at_ > address_) return true;
    }
    return true;
  }

  bool apply(unsigned op, ByteReader& in) {
    if (op >> 6 == 2) return set_place(op & 0x3f, scaled(in.take_unsigned())), true;
    if (op >> 6 == 3) return set_initial(op & 0x3f), true;
    std::uint64_t number = 0;
    switch (op) {
      case 0x00:
        return true;
      case 0x05:
        number = in.take_unsigned();
        return set_place(number, scaled(in.take_unsigned())), true;
      case 0x06:
        return set_initial(in.take_unsigned()), true;
      case 0x07:
        return set_otherwise(in.take_unsigned()), true;
      case 0x08:
        return set_same(in.take_unsigned()), true;
      case 0x09:
        set_otherwise(in.take_unsigned());
        return in.take_unsigned(), true;
      case 0x0a:
        if (remembered_count_ == most_remembered) return false;
        remembered_[remembered_count_++] = now_;
        return true;
      case 0x0b:
        if (remembered_count_ == 0) return false;
        now_ = remembered_[--remembered_count_];
        return true;
      case 0x0c:
        number = in.take_unsigned();
        return set_end(number, static_cast<std::int64_t>(in.take_unsigned())), true;
      case 0x0d:
        return set_end(in.take_unsigned(), now_.end), true;
      case 0x0e:
        return set_end(now_.base, static_cast<std::int64_t>(in.take_unsigned())), true;
      case 0x11:
        number = in.take_unsigned();
        return set_place(number, in.take_signed() * part_.data_unit), true;
      case 0x2e:
        return in.take_unsigned(), true;  // arguments on the stack, for landing pads
      default:
        return false;
    }
  }

  const FunctionPart& part_;
  const std::uint64_t address_;
  std::uint64_t at_ = 0;
  Row now_, initial_;
  Row remembered_[most_remembered];
  unsigned remembered_count_ = 0;
};

}  // namespace

bool find_function_part(std::uint64_t address, FunctionPart& out) {
  const std::uint8_t* const description = find_description(address);
  if (description == nullptr) return false;
  ByteReader in(description);
  const std::uint32_t size = in.take<std::uint32_t>();
  out.rules_end = in.at() + size;
  if (size == 0 || size == 0xffffffff) return false;
  const std::uint8_t* const here = in.at();
  const std::uint32_t distance = in.take<std::uint32_t>();
  Encodings encodings;
  if (distance == 0 || !read_common(here - distance, out, encodings)) return false;
  std::uint64_t length = 0;
  if (!in.take_encoded(encodings.pointer, out.begin) ||
      !in.take_encoded(encodings.pointer & 0x0f, length))
    return false;
  out.end = out.begin + length;
  out.landing_pads = nullptr;
  if (encodings.has_more) {
    const std::uint64_t more = in.take_unsigned();
    ByteReader own = in;
    std::uint64_t table = 0;
    if (encodings.landing_pads != ByteReader::omitted &&
        !own.take_encoded(encodings.landing_pads, table))
      return false;
    out.landing_pads = reinterpret_cast<const std::uint8_t*>(table);
    in.skip(more);
  }
  out.rules = in.at();
  return out.has(address);
}

bool find_frame_rule(const FunctionPart& part, std::uint64_t address, FrameRule& out) {
  return RuleMachine(part, address).run(out);
}

}  // namespace heddle::runtime
