#include "plugins/shared_library.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdlib>

#include "plugins/plugin_scope.h"

namespace holo {

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string result = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  return result;
}

// The loader's message, which begins with the path that the host prints anyway, in words.
std::string readable(std::string message, const std::filesystem::path& path) {
  const std::string prefix = path.string() + ": ";
  if (message.rfind(prefix, 0) == 0) message.erase(0, prefix.size());
  const std::string undefined = "undefined symbol: ";
  if (message.rfind(undefined, 0) == 0) {
    const std::string symbol =
        message.substr(undefined.size(), message.find_first_of(" ,", undefined.size()) - undefined.size());
    return "it uses '" + demangled(symbol) +
           "', which neither it nor a library that it names defines (linking it with -Wl,-z,defs shows that while building)";
  }
  const std::string missing = ": cannot open shared object file";
  if (const std::size_t end = message.find(missing); end != std::string::npos)
    return "it needs the library '" + message.substr(0, end) + "', which is not found";
  return "the system's loader refuses it: " + message;
}

}  // namespace

SharedLibrary::SharedLibrary(const std::filesystem::path& path) : path_(path) {
  require_shared_library_with(path, HOLO_PLUGIN_ENTRY);
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  {
    const PluginScope scope(path.stem().string(), absolute.string(), "loaded");
    handle_ = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle_ == nullptr) {
    const char* message = dlerror();
    throw PluginRefusal{readable(message == nullptr ? "no reason given" : message, absolute)};
  }
  entry_ = reinterpret_cast<holo_plugin_function>(dlsym(handle_, HOLO_PLUGIN_ENTRY));
  if (entry_ == nullptr) {
    dlclose(handle_);
    throw PluginRefusal{"it does not export '" HOLO_PLUGIN_ENTRY "'"};
  }
}

SharedLibrary::~SharedLibrary() {
  const PluginScope scope(path_.stem().string(), path_.string(), "unloaded");
  dlclose(handle_);
}

}  // namespace holo
