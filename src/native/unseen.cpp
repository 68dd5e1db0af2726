#include "native/unseen.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gelf.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_set>

#include "native/process_memory.hpp"
#include "runtime/abi/abi.h"
#include "runtime/abi/functions.h"

namespace heddle::native {
namespace {

// The functions that modules with hooks call and do not define.
struct Outside {
  std::map<std::string, std::uint8_t> called;  // and how, see abi::Called
  std::unordered_set<std::uint64_t> defined;   // by another such module: hashes of names
};

// Anything beyond these has been overwritten.
constexpr std::uint32_t most_in_module = 1U << 26;

void add(const SharedNames& shared, const abi::Modules::Module& which, pid_t process, Outside& to) {
  abi::Module module{};
  if (!read_memory(process, which.address, &module, sizeof module)) return;
  if (module.own_count > most_in_module || module.outside_bytes > most_in_module) return;
  std::vector<std::uint64_t> own(module.own_count);
  std::string names(module.outside_bytes, '\0');
  if (!read_memory(process, reinterpret_cast<std::uint64_t>(module.own), own.data(),
                   own.size() * sizeof own[0]) ||
      !read_memory(process, reinterpret_cast<std::uint64_t>(module.outside), names.data(),
                   names.size()))
    return;
  to.defined.insert(own.begin(), own.end());
  std::size_t at = 0;
  for (std::uint32_t k = 0; k < module.outside_count && at < names.size(); ++k) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    const std::uint8_t how = which.first == abi::not_noted
                                 ? abi::called_directly | abi::called_by_address
                                 : shared.called(std::uint64_t{which.first} + k);
    if (!name.empty() && how != 0) to.called[name] |= how;
  }
}

// Whether the bytes before a function say that its body has hooks. The compiler may have put
// something of its own between them and the function.
bool has_mark(Elf* elf, const GElf_Sym& symbol, int fd) {
  GElf_Shdr header;
  Elf_Scn* section = elf_getscn(elf, symbol.st_shndx);
  if (section == nullptr || gelf_getshdr(section, &header) == nullptr) return true;
  const auto at = static_cast<off_t>(symbol.st_value - header.sh_addr + header.sh_offset);
  for (const off_t before : {8, 16}) {
    std::uint64_t mark = 0;
    if (pread(fd, &mark, sizeof mark, at - before) == sizeof mark && mark == abi::body_mark)
      return true;
  }
  return false;
}

// Functions that modules with hooks define, but whose bodies have no hooks: the linker chose the
// body of another object.
void add_replaced(const std::string& file, const std::unordered_set<std::uint64_t>& defined,
                  std::set<std::string>& out) {
  elf_version(EV_CURRENT);
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr ||
        (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    GElf_Sym symbol;
    for (int k = 1; gelf_getsym(data, k, &symbol) != nullptr; ++k) {
      const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
      if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && GELF_ST_BIND(symbol.st_info) != STB_LOCAL &&
          symbol.st_shndx != SHN_UNDEF && name != nullptr &&
          defined.contains(abi::name_hash(name)) && !has_mark(elf, symbol, fd))
        out.insert(name);
    }
  }
  elf_end(elf);
  close(fd);
}

// The files that these addresses are in.
std::set<std::string> files_with(pid_t process, const Worker::Calls& calls) {
  std::set<std::string> out;
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    char* dash = nullptr;
    const std::uint64_t begin = std::strtoul(line.c_str(), &dash, 16);
    const std::uint64_t end = std::strtoul(dash + 1, nullptr, 16);
    for (const abi::Modules::Module& module : calls.modules)
      if (begin <= module.address && module.address < end) out.insert(line.substr(path));
  }
  return out;
}

// Whether all that the function does to the program's memory is seen.
bool is_seen(const std::string& name, std::uint8_t how) {
  const abi::Function* row = abi::find_function(name);
  if (row == nullptr) return abi::is_harmless(name);
  const bool needs_hook = (row->kind == abi::FunctionKind::told && !row->uses.empty()) ||
                          row->kind == abi::FunctionKind::own_hook;
  return row->kind != abi::FunctionKind::unseen &&
         (!needs_hook || (how & abi::called_by_address) == 0);
}

// "std::ostream::operator<<(int)" is shown as "std::ostream::operator<<".
std::string shown(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      __cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return name;
  const std::string_view whole = text.get();
  return std::string(whole.substr(0, whole.find('(')));
}

std::vector<std::string> unseen_in(pid_t process, const Worker::Calls& calls,
                                   const SharedNames& names) {
  Outside outside;
  outside.called["main"] = abi::called_directly;  // main may be in a library
  for (const abi::Modules::Module& module : calls.modules) add(names, module, process, outside);
  std::set<std::string> out;
  std::set<std::string> replaced;
  for (const std::string& file : files_with(process, calls))
    add_replaced(file, outside.defined, replaced);
  for (const std::string& name : replaced)
    out.insert(fmt::format("{} {}", abi::unseen_body, shown(name)));
  for (const auto& [name, how] : outside.called)
    if (name[0] == abi::not_a_function)
      out.insert(name);
    else if (!outside.defined.contains(abi::name_hash(name)) && !is_seen(name, how))
      out.insert(shown(name));
  if (calls.modules_left_out != 0)
    out.insert(fmt::format("those of {} further modules", calls.modules_left_out));
  return {out.begin(), out.end()};
}

}  // namespace

std::vector<std::string> unseen_functions(Worker& worker) {
  return worker.with_process(
      [&](pid_t process) { return unseen_in(process, worker.calls(), worker.names()); });
}

}  // namespace heddle::native
