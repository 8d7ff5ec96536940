#pragma once
// A plugin's library: looked at before it is loaded, unloaded with the last object made from it.

#include <filesystem>
#include <memory>
#include <string>

#include "holo/core/abi.h"

namespace holo {

// Why a library is not taken. The host adds the path, and throws it on or lists it.
struct PluginRefusal {
  std::string reason;
};

// Throws PluginRefusal unless the file is a whole ELF shared library for this machine that exports `symbol`. Nothing of the
// file is executed: that happens no sooner than in dlopen, which also runs its static constructors.
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
