#pragma once
// Lets a loaded library register what it offers, and checks that before anything of it is used.

#include <exception>
#include <string>

#include "plugins/plugin_kinds.h"
#include "plugins/shared_library.h"

namespace holo {

// The one table, or reference table, that the library registers; valid while it is loaded. `name` is what it must be called.
// Throws PluginRefusal.
PluginTable register_plugin(const SharedLibrary& library, const std::string& name);
ReferenceTable register_reference(const SharedLibrary& library, const std::string& name);

// A message of a plugin, made fit to print: it ends within its array, and holds no control characters.
std::string to_text(const holo_error& error);

// Calls into a plugin, which should not throw. Throws PluginRefusal with `what` when it does.
template <class Call>
auto guarded(const char* what, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& exception) {
    throw PluginRefusal{std::string("an exception came out of its ") + what + ": " + exception.what()};
  } catch (...) {
    throw PluginRefusal{std::string("an exception that is not a std::exception came out of its ") + what};
  }
}

}  // namespace holo
