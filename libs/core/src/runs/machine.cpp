#include "holo/core/runs/machine.h"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "holo/core/runs/run_folder.h"

extern "C" char* openblas_get_corename();  // its header is not in the include path of every distribution

namespace holo {

namespace {

// Beginnings of file names: all else that is loaded (readers of files, the command line, plugins) leaves numbers alone or is
// hashed by itself.
constexpr std::string_view numerical[] = {"libopenblas", "libblas",     "liblapack",   "libcholmod",  "libklu",  "libumfpack",
                                          "libamd",      "libcamd",     "libcolamd",   "libccolamd",  "libbtf",  "libmetis",
                                          "libtbb.",     "libsuitespa", "libgfortran", "libquadmath", "libgomp", "libstdc++",
                                          "libgcc_s",    "libc.so",     "libm.so",     "libmvec",     "libz.so", "libfmt"};

bool is_numerical(const std::string& name) {
  return std::any_of(std::begin(numerical), std::end(numerical),
                     [&](std::string_view beginning) { return name.compare(0, beginning.size(), beginning) == 0; });
}

std::string hexadecimal(const unsigned char* bytes, std::size_t count) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

constexpr std::size_t rounded_up(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The build ID among the notes of one segment, "" when it is not there.
std::string build_id_in(const unsigned char* notes, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(notes);
    const std::size_t name_size = rounded_up(note.n_namesz), content_size = rounded_up(note.n_descsz);
    const std::size_t whole = sizeof note + name_size + content_size;
    if (whole > size) return "";
    const unsigned char* content = notes + sizeof note + name_size;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::equal(notes + sizeof note, notes + sizeof note + 4, "GNU"))
      return hexadecimal(content, note.n_descsz);
    notes += whole;
    size -= whole;
  }
  return "";
}

std::string build_id(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic loader reports the address of an object as an integer
    const auto* notes = reinterpret_cast<const unsigned char*>(object.dlpi_addr + segment.p_vaddr);
    if (std::string id = build_id_in(notes, segment.p_memsz); !id.empty()) return id;
  }
  return "";
}

int add_library(dl_phdr_info* object, std::size_t, void* list) {
  const std::filesystem::path path = object->dlpi_name == nullptr ? "" : object->dlpi_name;
  const std::string name = path.filename().string();
  if (is_numerical(name)) static_cast<std::vector<LoadedLibrary>*>(list)->push_back({name, path, build_id(*object)});
  return 0;
}

}  // namespace

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(':') + 2, line.size()));
  return "unknown";
}

std::string blas_kernel() { return openblas_get_corename(); }

std::vector<LoadedLibrary> numerical_libraries() {
  std::vector<LoadedLibrary> libraries;
  dl_iterate_phdr(add_library, &libraries);
  for (LoadedLibrary& library : libraries)
    if (library.build.empty()) library.build = content_hash(read_whole_file(library.path));
  std::sort(libraries.begin(), libraries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return libraries;
}

}  // namespace holo
