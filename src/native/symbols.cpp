#include "native/symbols.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>

#include "native/process_memory.hpp"
#include "runtime/abi/layout.h"
#include "runtime/abi/messages.h"

namespace heddle::native {
namespace {

constexpr std::string_view runtime_library = "libheddle_rt.so";

std::string demangled(const char* name) {
  if (name == nullptr) return "?";
  if (std::strncmp(name, "_Z", 2) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      __cxxabiv1::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string name_of_die(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned kind : {DW_AT_linkage_name, DW_AT_name})
    if (dwarf_attr_integrate(&die, kind, &attribute) != nullptr)
      if (const char* text = dwarf_formstring(&attribute)) return demangled(text);
  return "?";
}

unsigned number(Dwarf_Die& die, unsigned kind) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&die, kind, &attribute) != nullptr) dwarf_formudata(&attribute, &value);
  return static_cast<unsigned>(value);
}

// Names of files are relative to where the compiler ran.
std::string full_name(Dwarf_Die& unit, const char* file) {
  Dwarf_Attribute attribute;
  if (file[0] == '/' || dwarf_attr(&unit, DW_AT_comp_dir, &attribute) == nullptr) return file;
  const char* directory = dwarf_formstring(&attribute);
  return directory == nullptr ? file : fmt::format("{}/{}", directory, file);
}

std::string file_of_call(Dwarf_Die& unit, Dwarf_Die& die) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const unsigned index = number(die, DW_AT_call_file);
  if (dwarf_getsrcfiles(&unit, &files, &count) != 0 || index >= count) return "?";
  const char* name = dwarf_filesrc(files, index, nullptr, nullptr);
  return name == nullptr ? "?" : full_name(unit, name);
}

// There may be no index of addresses: clang does not emit one.
Dwarf_Die* unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr* bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias)) return unit;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, bias)) != nullptr;)
    if (dwarf_haspc(unit, address - *bias) > 0) return unit;
  return nullptr;
}

// As the system lists them, except for data that the runtime has replaced by copies, and what
// follows directly, which is zero at first: these belong to the file listed before.
bool report_modules(Dwfl* dwfl, pid_t process) {
  std::ifstream maps(fmt::format("/proc/{}/maps", process));
  const std::string copies = fmt::format("/memfd:{}", abi::image_name);
  std::string all, file, end;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/'), dash = line.find('-');
    const bool copied = path != std::string::npos && line.find(copies) == path;
    const bool zeroed = path == std::string::npos && line.find('[') == std::string::npos &&
                        line.substr(0, dash) == end;
    if ((copied || zeroed) && !file.empty())
      line = line.substr(0, line.find(' ', line.find(' ') + 1)) + file;
    else if (path != std::string::npos)
      file = line.substr(line.find(' ', line.find(' ') + 1));
    else
      file.clear();
    end = line.substr(dash + 1, line.find(' ') - dash - 1);
    all += line + '\n';
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> text(fmemopen(all.data(), all.size(), "r"),
                                                             std::fclose);
  return text != nullptr && dwfl_linux_proc_maps_report(dwfl, text.get()) == 0;
}

}  // namespace

struct Symbols::Debug {
  Dwfl* dwfl = nullptr;
  std::optional<Variables> variables;
  std::unordered_map<std::uint64_t, std::vector<Place>> frames;  // known ones, by address
  Dwfl_Callbacks callbacks{};

  explicit Debug(pid_t process) {
    callbacks.find_elf = dwfl_linux_proc_find_elf;
    callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
    dwfl = dwfl_begin(&callbacks);
    if (dwfl != nullptr &&
        (!report_modules(dwfl, process) || dwfl_report_end(dwfl, nullptr, nullptr) != 0)) {
      dwfl_end(dwfl);
      dwfl = nullptr;
    }
    variables.emplace(dwfl);
  }
  ~Debug() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }

  Dwfl_Module* module(std::uint64_t address) const {
    return dwfl == nullptr ? nullptr : dwfl_addrmodule(dwfl, address);
  }

  void add_frames(std::uint64_t address, std::vector<Place>& out) const;
};

Symbols::Symbols(pid_t process) : process_(process), debug_(std::make_unique<Debug>(process)) {}
Symbols::~Symbols() = default;

std::optional<heddle::abi::SiteKind> Symbols::site_kind(std::uint64_t address) const {
  heddle::abi::Site site;
  if (address == 0 || !read_memory(process_, address, &site, sizeof site)) return std::nullopt;
  return site.kind;
}

std::optional<Place> Symbols::site(std::uint64_t address) const {
  heddle::abi::Site site;
  if (address == 0 || !read_memory(process_, address, &site, sizeof site)) return std::nullopt;
  return Place{
      read_text(process_, reinterpret_cast<std::uint64_t>(site.file)),
      site.line,
      demangled(read_text(process_, reinterpret_cast<std::uint64_t>(site.function)).c_str()),
      {},
      site.column};
}

std::string Symbols::kind_name(std::uint64_t address) const {
  heddle::abi::MessageKind kind;
  if (!read_memory(process_, address, &kind, sizeof kind)) return "?";
  return read_text(process_, reinterpret_cast<std::uint64_t>(kind.name));
}

// One machine frame is several source frames where functions were inlined.
void Symbols::Debug::add_frames(std::uint64_t address, std::vector<Place>& out) const {
  Dwfl_Module* m = module(address);
  if (m == nullptr) return;
  const char* file =
      dwfl_module_info(m, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  if (file != nullptr && std::string_view(file).ends_with(runtime_library)) return;
  Place place{file == nullptr ? "?" : file, 0, demangled(dwfl_module_addrname(m, address)),
              file == nullptr ? "?" : file};
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_at(m, address, &bias);
  if (Dwarf_Line* line = unit == nullptr ? nullptr : dwarf_getsrc_die(unit, address - bias)) {
    int line_number = 0, column = 0;
    dwarf_lineno(line, &line_number);
    dwarf_linecol(line, &column);
    if (const char* source = dwarf_linesrc(line, nullptr, nullptr))
      place.file = full_name(*unit, source);
    place.line = static_cast<unsigned>(line_number);
    place.column = static_cast<unsigned>(column);
  }
  // First the innermost scope, then the enclosing ones: where it was inlined, not where it was
  // written.
  Dwarf_Die *innermost = nullptr, *scopes = nullptr;
  int count = unit == nullptr ? 0 : dwarf_getscopes(unit, address - bias, &innermost);
  if (count > 0) count = dwarf_getscopes_die(&innermost[0], &scopes);
  std::free(innermost);
  for (int k = 0; k < count; ++k) {
    const int tag = dwarf_tag(&scopes[k]);
    if (tag != DW_TAG_inlined_subroutine) continue;
    place.function = name_of_die(scopes[k]);
    out.push_back(place);
    place.file = file_of_call(*unit, scopes[k]);
    place.line = number(scopes[k], DW_AT_call_line);
    place.column = number(scopes[k], DW_AT_call_column);
    place.function = demangled(dwfl_module_addrname(m, address));
  }
  std::free(scopes);
  out.push_back(place);
}

std::vector<Place> Symbols::stack(const std::vector<std::uint64_t>& addresses) const {
  std::vector<Place> out;
  for (const std::uint64_t address : addresses) {
    const auto [known, fresh] = debug_->frames.try_emplace(address);
    if (fresh) debug_->add_frames(address - 1, known->second);  // the call is before the address
    out.insert(out.end(), known->second.begin(), known->second.end());
  }
  return out;
}

std::optional<std::string> Symbols::symbol(std::uint64_t address) const {
  Dwfl_Module* m = debug_->module(address);
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name =
      m == nullptr ? nullptr
                   : dwfl_module_addrinfo(m, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr) return std::nullopt;
  return offset == 0 ? demangled(name) : fmt::format("{} + {}", demangled(name), offset);
}

std::optional<Variable> Symbols::global(std::uint64_t address) const {
  return debug_->variables->global(address);
}

std::optional<Variable> Symbols::local(std::uint64_t address,
                                       std::span<const abi::WireFrame> frames) const {
  return debug_->variables->local(address, frames);
}

}  // namespace heddle::native
