// The file of a plugin, which is looked at before it is loaded.
#include <elf.h>

#include <cstring>

#include "fuzz/target.h"
#include "plugins/shared_library.h"

namespace holo::fuzz {

namespace {

template <class T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// The smallest shared library that exports an entry.
std::string library_with_entry() {
  const std::string names("\0holo_plugin\0", 13);
  Elf64_Sym entry{};
  entry.st_name = 1;
  entry.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  entry.st_shndx = 1;
  const std::string symbols = bytes_of(Elf64_Sym{}) + bytes_of(entry);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
#ifdef __x86_64__
  header.e_machine = EM_X86_64;
#else
  header.e_machine = EM_AARCH64;
#endif
  header.e_type = ET_DYN;
  header.e_phoff = sizeof header;
  header.e_phnum = 1;
  header.e_shoff = sizeof header + sizeof(Elf64_Phdr);
  header.e_shnum = 3;
  const std::uint64_t data = header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr);

  Elf64_Phdr segment{};
  segment.p_type = PT_LOAD;
  segment.p_filesz = segment.p_memsz = data + symbols.size() + names.size();
  Elf64_Shdr symbol_section{}, name_section{};
  symbol_section.sh_type = SHT_DYNSYM;
  symbol_section.sh_offset = data;
  symbol_section.sh_size = symbols.size();
  symbol_section.sh_link = 2;
  symbol_section.sh_entsize = sizeof(Elf64_Sym);
  name_section.sh_type = SHT_STRTAB;
  name_section.sh_offset = data + symbols.size();
  name_section.sh_size = names.size();
  return bytes_of(header) + bytes_of(segment) + bytes_of(Elf64_Shdr{}) + bytes_of(symbol_section) + bytes_of(name_section) +
         symbols + names;
}

std::vector<std::string> libraries() { return {library_with_entry()}; }

void read_plugin_file(std::string_view bytes) {
  const std::filesystem::path path = put("plugin.so", bytes);
  try {
    require_shared_library_with(path, "holo_plugin");
  } catch (const PluginRefusal& refusal) {  // the host adds the path
    throw_input_error({path.string()}, refusal.reason);
  }
}

}  // namespace

const Registration plugin_file(Target{
    .name = "plugin_file", .read = read_plugin_file, .seeds = libraries, .places = {scratch().string()}});

}  // namespace holo::fuzz
