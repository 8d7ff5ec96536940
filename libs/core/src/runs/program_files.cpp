#include "holo/core/runs/program_files.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace holo {

namespace fs = std::filesystem;

namespace {

// The shared library with this code; "" where that is the executable, which the dynamic linker lists without a name.
fs::path library_with_this_code() {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<void*>(&library_with_this_code), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 ||
      map == nullptr || map->l_name == nullptr)
    return {};
  return map->l_name;
}

// DIR/python/PACKAGE/MODULE is in a build, where DIR is what is asked for, or in an installation, where DIR is lib/holo in it.
fs::path prefix_of_module(const fs::path& module) {
  const fs::path folder = module.parent_path().parent_path().parent_path();
  const fs::path installed = fs::path(HOLO_INSTALL_LIBDIR) / "holo";
  fs::path above = folder;
  for (fs::path end = installed; !end.empty(); end = end.parent_path()) {
    if (above.filename() != end.filename()) return folder;
    above = above.parent_path();
  }
  return above;
}

}  // namespace

fs::path program_file() {
  std::error_code error;
  const fs::path library = library_with_this_code();
  if (library.empty()) return fs::read_symlink("/proc/self/exe", error);
  const fs::path path = fs::canonical(library, error);
  return error ? library : path;
}

fs::path program_prefix() {
  const fs::path file = program_file();
  return library_with_this_code().empty() ? file.parent_path().parent_path() : prefix_of_module(file);
}

}  // namespace holo
