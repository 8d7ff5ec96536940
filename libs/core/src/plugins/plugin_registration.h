#pragma once
// Calls the registration function of a loaded library, and checks the table that it registers.

#include <exception>
#include <string>

#include "plugins/plugin_kinds.h"
#include "plugins/shared_library.h"

namespace holo {

// The table, or reference table, that the library registers; valid while the library is loaded. Throws PluginRefusal unless it
// registers exactly one, which is valid and has the name `name`.
PluginTable register_plugin(const SharedLibrary& library, const std::string& name);
ReferenceTable register_reference(const SharedLibrary& library, const std::string& name);

// The message of a plugin's error, cut at the end of its array and without control characters.
std::string to_text(const holo_error& error);

// Calls a function of a plugin, which should not throw. If it does, throws PluginRefusal with the function's name `what`.
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
