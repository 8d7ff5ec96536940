#include <elf.h>

#include <cstring>

#include "holo/core/error.h"
#include "holo/core/runs/run_folder.h"
#include "plugins/shared_library.h"

namespace holo {

namespace {

// A file's bytes, of which no entry is read that is not whole inside it.
class Bytes {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}

  bool holds(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  template <class T>
  T at(std::uint64_t offset) const {
    if (!holds(offset, sizeof(T))) truncated(offset + sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  bool text_equals(std::uint64_t offset, const std::string& text) const {
    return holds(offset, text.size() + 1) && bytes_.compare(offset, text.size(), text) == 0 &&
           bytes_[offset + text.size()] == 0;
  }

  bool begins_with(const char* text, std::size_t size) const { return bytes_.compare(0, size, text, size) == 0; }
  bool empty() const { return bytes_.empty(); }

  [[noreturn]] void truncated(std::uint64_t needed) const {
    throw PluginRefusal{"the file is truncated: it has " + std::to_string(bytes_.size()) +
                        " bytes, and its headers name at least " + std::to_string(needed) + ". Build or copy it anew"};
  }

 private:
  std::string bytes_;
};

#if defined(__x86_64__)
constexpr int this_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int this_machine = EM_AARCH64;
#else
#error "the ELF machine of this processor is not listed"
#endif

Elf64_Ehdr header_of(const Bytes& file) {
  if (file.empty()) throw PluginRefusal{"not a shared library: the file is empty"};
  if (!file.begins_with(ELFMAG, SELFMAG))
    throw PluginRefusal{"not a shared library: the file does not begin as an ELF file does"};
  const auto header = file.at<Elf64_Ehdr>(0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_machine != this_machine)
    throw PluginRefusal{"not a shared library for this machine: it was built for another processor"};
  if (header.e_type != ET_DYN)
    throw PluginRefusal{"not a shared library: it is another kind of ELF file (an object or program)"};
  return header;
}

Elf64_Shdr section_of(const Bytes& file, const Elf64_Ehdr& header, std::uint64_t index) {
  return file.at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
}

// Requires all segments that the loader maps, since reading mapped memory beyond the end of the file kills the process, and the
// remaining parts, without which the file was cut off.
void require_whole(const Bytes& file, const Elf64_Ehdr& header) {
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!file.holds(segment.p_offset, segment.p_filesz)) file.truncated(segment.p_offset + segment.p_filesz);
  }
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = section_of(file, header, i);
    if (section.sh_type != SHT_NOBITS && !file.holds(section.sh_offset, section.sh_size))
      file.truncated(section.sh_offset + section.sh_size);
  }
}

bool exports(const Bytes& file, const Elf64_Ehdr& header, const std::string& name) {
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr symbols = section_of(file, header, i);
    if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= header.e_shnum) continue;
    const Elf64_Shdr strings = section_of(file, header, symbols.sh_link);
    for (std::uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols.sh_size; offset += sizeof(Elf64_Sym)) {
      const auto symbol = file.at<Elf64_Sym>(symbols.sh_offset + offset);
      const bool function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF;
      if (function && file.text_equals(strings.sh_offset + symbol.st_name, name)) return true;
    }
  }
  return false;
}

}  // namespace

void require_shared_library_with(const std::filesystem::path& path, const std::string& symbol) {
  std::string bytes;
  try {
    bytes = read_whole_file(path);
  } catch (const Error& error) {
    throw PluginRefusal{error.what()};
  }
  const Bytes file(std::move(bytes));
  const Elf64_Ehdr header = header_of(file);
  require_whole(file, header);
  if (!exports(file, header, symbol))
    throw PluginRefusal{"it does not export '" + symbol +
                        "', so it is no plugin of this program (HOLO_MATERIAL makes the entry)"};
}

}  // namespace holo
