// What is known of instructions, compared with what LLVM knows, on all code of the libraries that
// this test itself has loaded.
#include "runtime/code/instruction.hpp"

#include <gtest/gtest.h>
#include <link.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace heddle::runtime {
namespace {

using Kind = Instruction::Kind;

// rbx, rbp, r12 to r15: all that matters.
constexpr unsigned numbers[] = {3, 5, 12, 13, 14, 15};
constexpr const char* names[] = {"RBX", "RBP", "R12", "R13", "R14", "R15"};

struct Llvm {
  Llvm() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    const std::string triple = "x86_64-unknown-linux-gnu";
    std::string error;
    target = llvm::TargetRegistry::lookupTarget(triple, error);
    registers.reset(target->createMCRegInfo(triple));
    assembly.reset(target->createMCAsmInfo(*registers, triple, {}));
    information.reset(target->createMCInstrInfo());
    subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
    context = std::make_unique<llvm::MCContext>(llvm::Triple(triple), assembly.get(),
                                                registers.get(), subtarget.get());
    disassembler.reset(target->createMCDisassembler(*subtarget, *context));
    printer.reset(
        target->createMCInstPrinter(llvm::Triple(triple), 0, *assembly, *information, *registers));
    for (unsigned r = 1; r < registers->getNumRegs(); ++r)
      for (unsigned k = 0; k < std::size(names); ++k)
        if (std::string_view(registers->getName(r)) == names[k]) whole[k] = r;
  }

  std::string text(const llvm::MCInst& i, std::uint64_t address) const {
    std::string out;
    llvm::raw_string_ostream stream(out);
    printer->printInst(&i, address, "", *subtarget, stream);
    return out;
  }

  // By numbers: of which of the registers it is a part.
  unsigned parts_of(unsigned r) const {
    unsigned out = 0;
    for (unsigned k = 0; k < std::size(names); ++k)
      if (r != 0 && registers->isSubRegisterEq(whole[k], r)) out |= 1U << numbers[k];
    return out;
  }
  // Writing 32 bits clears the others.
  bool is_at_least_32_bits(unsigned r) const {
    const std::string_view name = registers->getName(r);
    return name.size() >= 3 && (name[0] == 'E' || name.ends_with('D') ||
                                (name[0] == 'R' && name.back() != 'B' && name.back() != 'W'));
  }

  const llvm::Target* target;
  std::unique_ptr<llvm::MCRegisterInfo> registers;
  std::unique_ptr<llvm::MCAsmInfo> assembly;
  std::unique_ptr<llvm::MCInstrInfo> information;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
  unsigned whole[std::size(names)] = {};
};

struct Seen {
  std::uint64_t instructions = 0, unknown = 0;
  std::map<std::string, std::string> errors;  // the first of each opcode
};

struct Registers {
  unsigned reads = 0, writes = 0;
};

Registers registers_of(const Llvm& llvm, const llvm::MCInst& i) {
  const llvm::MCInstrDesc& d = llvm.information->get(i.getOpcode());
  Registers out;
  for (unsigned k = 0; k < i.getNumOperands(); ++k) {
    if (!i.getOperand(k).isReg()) continue;
    const unsigned r = i.getOperand(k).getReg();
    if (k >= d.getNumDefs())
      out.reads |= llvm.parts_of(r);
    else if (r != 0 && llvm.is_at_least_32_bits(r))
      out.writes |= llvm.parts_of(r);
  }
  for (const unsigned r : d.implicit_uses()) out.reads |= llvm.parts_of(r);
  for (const unsigned r : d.implicit_defs()) out.writes |= llvm.parts_of(r);
  return out;
}

// Whether it has the stack pointer or rbp among its operands, and not only for what goes without
// saying.
bool has_frame(const Llvm& llvm, const llvm::MCInst& i, std::string_view name) {
  bool has = false;
  for (unsigned k = 0; k < i.getNumOperands(); ++k)
    if (i.getOperand(k).isReg() && i.getOperand(k).getReg() != 0) {
      const std::string_view r = llvm.registers->getName(i.getOperand(k).getReg());
      has = has || r == "RSP" || r == "ESP" || r == "SP" || r == "SPL" || r == "RBP" ||
            r == "EBP" || r == "BP" || r == "BPL";
    }
  const auto is = [&](unsigned k, std::string_view r) {
    return i.getOperand(k).isReg() && i.getOperand(k).getReg() != 0 &&
           r == llvm.registers->getName(i.getOperand(k).getReg());
  };
  if (!has || (name.starts_with("POP") && !is(0, "RSP") && !is(0, "SP"))) return false;
  if (name.starts_with("MOV64rr")) return !(is(0, "RBP") && is(1, "RSP"));
  if (name.starts_with("ADD64ri") || name.starts_with("SUB64ri")) return !is(0, "RSP");
  if (name == "LEA64r") return !(is(0, "RSP") && is(1, "RBP") && i.getOperand(3).getReg() == 0);
  return true;
}

// What is wrong with it; empty: nothing.
std::string compare(const Llvm& llvm, const llvm::MCInst& theirs, std::uint64_t size,
                    const Instruction& ours) {
  const llvm::MCInstrDesc& d = llvm.information->get(theirs.getOpcode());
  if (ours.length != size) return "length";
  const Registers r = registers_of(llvm, theirs);
  const unsigned all = 1U << 3 | 1U << 5 | 0xf000U;
  // A register minus itself is read, and need not be.
  const std::string_view name = llvm.information->getName(theirs.getOpcode());
  const bool clears = (name.starts_with("XOR") || name.starts_with("SUB")) &&
                      name.find("rr") != name.npos && r.reads == r.writes;
  // These have operands, and do nothing with them.
  const bool ignores = name.starts_with("NOOP") || name.starts_with("UD1");
  if (!clears && !ignores && (r.reads & ~unsigned{ours.reads}) != 0) return "reads less";
  if ((ours.writes & all & ~r.writes) != 0) return "writes more";
  using Frame = Instruction::Frame;
  if (ours.frame == Frame::none && !ignores && has_frame(llvm, theirs, name)) return "frame";
  if (ours.frame == Frame::push && !name.starts_with("PUSH")) return "push";
  if ((ours.frame == Frame::stores || ours.frame == Frame::replaces) &&
      (d.mayLoad() || !d.mayStore()))
    return "loads";
  if (d.isReturn() != (ours.kind == Kind::ret)) return "return";
  if (d.isCall() != (ours.kind == Kind::call)) return "call";
  if (d.isConditionalBranch() != (ours.kind == Kind::branch)) return "branch";
  if (d.isIndirectBranch() != (ours.kind == Kind::indirect_jump)) return "indirect jump";
  if (d.isUnconditionalBranch() != (ours.kind == Kind::jump)) return "jump";
  return "";
}

// Returns its length; 0 if LLVM does not know it.
std::uint64_t look_at(const Llvm& llvm, const std::uint8_t* begin, const std::uint8_t* end,
                      Seen& seen) {
  llvm::MCInst theirs;
  std::uint64_t size = 0;
  const auto address = reinterpret_cast<std::uint64_t>(begin);
  if (llvm.disassembler->getInstruction(theirs, size, {begin, end}, address, llvm::nulls()) !=
      llvm::MCDisassembler::Success)
    return 0;
  const std::string name(llvm.information->getName(theirs.getOpcode()));
  // A prefix by itself: to LLVM that is an instruction.
  if (name.ends_with("_PREFIX")) return size;
  std::uint8_t copy[16] = {};
  std::memcpy(copy, begin,
              std::min<std::size_t>(sizeof copy, static_cast<std::size_t>(end - begin)));
  Instruction ours;
  ++seen.instructions;
  if (!decode(copy, address, ours))
    ++seen.unknown;
  else if (const std::string error = compare(llvm, theirs, size, ours); !error.empty())
    seen.errors.emplace(name + ": " + error, llvm.text(theirs, address));
  return size;
}

void look_at_function(const Llvm& llvm, const std::uint8_t* begin, const std::uint8_t* end,
                      Seen& seen) {
  while (begin < end) {
    const std::uint64_t size = look_at(llvm, begin, end, seen);
    if (size == 0) return;
    begin += size;
  }
}

// By .eh_frame_hdr: functions begin where it says, and end where the next one does at the latest.
int look_at_object(dl_phdr_info* object, std::size_t, void* out) {
  auto& todo = *static_cast<std::vector<std::pair<const std::uint8_t*, const std::uint8_t*>>*>(out);
  const std::uint8_t* table = nullptr;
  const std::uint8_t* code_end = nullptr;
  for (unsigned k = 0; k < object->dlpi_phnum; ++k) {
    const ElfW(Phdr)& part = object->dlpi_phdr[k];
    const auto* at = reinterpret_cast<const std::uint8_t*>(object->dlpi_addr + part.p_vaddr);
    if (part.p_type == PT_GNU_EH_FRAME) table = at;
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0) code_end = at + part.p_memsz;
  }
  if (table == nullptr || table[0] != 1 || table[2] != 3 || table[3] != 0x3b) return 0;
  std::uint32_t count = 0;
  std::memcpy(&count, table + 8, sizeof count);
  // Of large libraries, a part.
  const std::uint32_t step = count / 20'000 + 1;
  for (std::uint32_t k = 0; k < count; k += step) {
    std::int32_t begin = 0, next = 0;
    std::memcpy(&begin, table + 12 + 8 * k, sizeof begin);
    if (k + 1 < count) std::memcpy(&next, table + 12 + 8 * (k + 1), sizeof next);
    todo.emplace_back(table + begin, k + 1 < count ? table + next : code_end);
  }
  return 0;
}

void expect_no_errors(const Seen& seen) {
  for (const auto& [name, text] : seen.errors) ADD_FAILURE() << name << ": " << text;
}

TEST(Instruction, is_as_llvm_knows_it) {
  const Llvm llvm;
  std::vector<std::pair<const std::uint8_t*, const std::uint8_t*>> functions;
  dl_iterate_phdr(look_at_object, &functions);
  Seen seen;
  for (const auto& [begin, end] : functions) look_at_function(llvm, begin, end, seen);
  expect_no_errors(seen);
  EXPECT_GT(seen.instructions, 1'000'000U);
  EXPECT_LT(seen.unknown, seen.instructions / 200) << "then most functions are not understood";
}

// Instructions that compilers never make, and all operands of those that they do.
TEST(Instruction, is_as_llvm_knows_it_whatever_it_is) {
  const Llvm llvm;
  std::mt19937_64 random(7);
  Seen seen;
  constexpr std::uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0x40, 0x41, 0x44,
                                       0x48, 0x49, 0x4c, 0x0f, 0xc4, 0xc5};
  for (int k = 0; k < 3'000'000; ++k) {
    std::uint8_t code[16];
    const std::uint64_t words[] = {random(), random()};
    std::memcpy(code, words, sizeof code);
    for (std::uint64_t n = random() % 3, at = 0; at < n; ++at)
      code[at] = prefixes[random() % std::size(prefixes)];
    look_at(llvm, code, code + sizeof code, seen);
  }
  expect_no_errors(seen);
  EXPECT_GT(seen.instructions - seen.unknown, 500'000U);
}

}  // namespace
}  // namespace heddle::runtime
