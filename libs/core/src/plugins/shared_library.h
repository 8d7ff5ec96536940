#pragma once
// The shared library of a plugin. Its file is checked before it is loaded; the last object made from it unloads it.

#include <filesystem>
#include <memory>
#include <string>

#include "holo/core/abi.h"

namespace holo {

// The reason for which a library is refused. The host adds the path, and throws or lists it.
struct PluginRefusal {
  std::string reason;
};

// Throws PluginRefusal unless the file is a complete ELF shared library for this machine that exports `symbol`. No code of the
// file runs before dlopen, which also runs its static constructors.
void require_shared_library_with(const std::filesystem::path& path, const std::string& symbol);

class SharedLibrary {
 public:
  // Checks and loads. Throws PluginRefusal.
  explicit SharedLibrary(const std::filesystem::path& path);
  ~SharedLibrary();
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  holo_plugin_function entry() const { return entry_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  void* handle_ = nullptr;
  holo_plugin_function entry_ = nullptr;
};

}  // namespace holo
