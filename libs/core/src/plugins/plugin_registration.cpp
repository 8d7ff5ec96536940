#include "plugins/plugin_registration.h"

#include <cstdio>
#include <cstring>
#include <tuple>
#include <vector>

#include "plugins/plugin_scope.h"
#include "plugins/plugin_tables.h"

namespace holo {

namespace {

// Runs during the entry, on the plugin's side of the ABI: nothing may be thrown, so a reason is kept for afterwards.
struct Registration {
  const std::string& name;
  std::vector<PluginTable> tables = {};
  std::vector<ReferenceTable> references = {};
  std::string reason = {};

  template <class Any, class Table>
  int add(std::vector<Any>& list, const Table* table, holo_error* error) noexcept {
    try {
      try {
        require(table != nullptr, "it registers a null pointer");
        check(*table, name);
        list.emplace_back(table);
        return 0;
      } catch (const PluginRefusal& refusal) {
        if (reason.empty()) reason = refusal.reason;
        if (error != nullptr && error->size == sizeof *error)
          std::snprintf(error->message, sizeof error->message, "%s", refusal.reason.c_str());
      }
    } catch (...) {  // out of memory: refused without a word
    }
    return 1;
  }
};

template <class Table>
int add_table(void* self, const Table* table, holo_error* error) {
  Registration& registration = *static_cast<Registration*>(self);
  return registration.add(registration.tables, table, error);
}

template <class Table>
int add_reference(void* self, const Table* table, holo_error* error) {
  Registration& registration = *static_cast<Registration*>(self);
  return registration.add(registration.references, table, error);
}

// Two functions for each kind: the one that takes a table, and the one that takes a reference table.
template <class... Kind>
holo_registrar registrar_of(Registration& registration, KindList<Kind...>) {
  const auto all =
      std::tuple_cat(std::make_tuple(add_table<typename Kind::Table>, add_reference<typename Kind::ReferenceTable>)...);
  return std::apply([&](auto... add) { return holo_registrar{sizeof(holo_registrar), &registration, add...}; }, all);
}

void run_entry(const SharedLibrary& library, Registration& registration) {
  const holo_registrar registrar = registrar_of(registration, PluginKinds());
  holo_error error{};
  error.size = sizeof error;
  const PluginScope scope(registration.name, library.path().string(), "registered");
  const int status = guarded("entry", [&] { return library.entry()(&host_stamp(), &registrar, &error); });
  if (!registration.reason.empty()) throw PluginRefusal{registration.reason};
  if (status == 0) return;
  const std::string text = to_text(error);
  throw PluginRefusal{text.empty() ? "its entry failed (" + std::to_string(status) + ") without giving a reason" : text};
}

// "2 materials", "a material, a joint"
std::string counted(const std::vector<PluginTable>& tables) {
  std::string text;
  for (std::size_t kind = 0; kind < PluginKinds::names.size(); ++kind) {
    std::size_t count = 0;
    for (const PluginTable& table : tables) count += table.index() == kind ? 1 : 0;
    if (count > 0)
      text += (text.empty() ? "" : ", ") + (count == 1 ? "a " + std::string(PluginKinds::names[kind])
                                                       : std::to_string(count) + " " + PluginKinds::plurals[kind]);
  }
  return text;
}

// "neither a material, nor a joint"
std::string none_of_the_kinds() {
  std::string text;
  for (const char* name : PluginKinds::names) text += (text.empty() ? "neither a " : ", nor a ") + std::string(name);
  return text;
}

}  // namespace

std::string to_text(const holo_error& error) {
  std::string text(error.message, strnlen(error.message, sizeof error.message));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  return text;
}

PluginTable register_plugin(const SharedLibrary& library, const std::string& name) {
  Registration registration{name};
  run_entry(library, registration);
  require(registration.references.empty(), "it registers a reference table, which belongs into '" + name + ".reference.so'");
  require(!registration.tables.empty(), "it registers nothing: " + none_of_the_kinds());
  require(registration.tables.size() == 1,
          "it registers " + counted(registration.tables) + " named '" + name + "'; a plugin is one thing");
  return registration.tables.front();
}

ReferenceTable register_reference(const SharedLibrary& library, const std::string& name) {
  Registration registration{name};
  run_entry(library, registration);
  require(registration.tables.empty(),
          "it registers " + counted(registration.tables) + ", which belongs into '" + name + ".so'");
  require(registration.references.size() == 1,
          "it registers " + std::to_string(registration.references.size()) + " reference tables; it must register one");
  return registration.references.front();
}

}  // namespace holo
