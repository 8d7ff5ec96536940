#include "holo/core/plugins/plugin_host.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "plugins/plugin_registration.h"
#include "plugins/shared_library.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr const char* plugin_ending = ".so";
constexpr const char* reference_ending = ".reference.so";

bool is_plugin_name(const std::string& name) {
  return !name.empty() && name.size() <= 200 && name[0] >= 'a' && name[0] <= 'z' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::vector<fs::path> environment_path() {
  std::vector<fs::path> result;
  const char* variable = std::getenv("HOLO_PLUGIN_PATH");
  const std::string text = variable == nullptr ? "" : variable;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    if (end > begin) result.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

// Beside the executable's own folder: of a build tree, then of an installation.
std::vector<fs::path> own_path() {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  std::vector<fs::path> result;
  if (error) return result;
  const fs::path prefix = executable.parent_path().parent_path();
  for (const fs::path& folder : {prefix / "plugins", prefix / HOLO_INSTALL_LIBDIR "/holo/plugins"})
    if (fs::is_directory(folder, error)) result.push_back(folder);
  return result;
}

// Anything of that name, a link to nowhere included: what cannot be used is refused by name, not passed over.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() != fs::file_type::not_found;
}

fs::path find(const std::vector<fs::path>& search_path, const std::string& name) {
  for (const fs::path& folder : search_path)
    if (const fs::path path = folder / (name + plugin_ending); is_there(path)) return path;
  return {};
}

// The names on the path, by their files alone.
std::vector<std::string> names_on(const std::vector<fs::path>& search_path) {
  std::set<std::string> names;
  for (const fs::path& folder : search_path) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      const std::string file = entry->path().filename().string();
      const std::string name = entry->path().stem().string();
      if (entry->path().extension() == plugin_ending && is_plugin_name(name)) names.insert(name);
    }
  }
  return {names.begin(), names.end()};
}

std::string listed(const std::vector<fs::path>& search_path) {
  std::string text;
  for (const fs::path& folder : search_path) {
    std::error_code error;
    text += (text.empty() ? "" : ", ") + folder.string() + (fs::is_directory(folder, error) ? "" : " (no such folder)");
  }
  return text.empty() ? "nowhere: the search path is empty" : text;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

// A kind of plugin: its tables, and the objects made of them.
template <class Plugin>
struct KindOf;
template <>
struct KindOf<MaterialPlugin> {
  static constexpr std::size_t index = 0;
};
template <>
struct KindOf<MaterialReference> : KindOf<MaterialPlugin> {};
template <>
struct KindOf<JointPlugin> {
  static constexpr std::size_t index = 1;
};
template <>
struct KindOf<JointReference> : KindOf<JointPlugin> {};
template <>
struct KindOf<LossPlugin> {
  static constexpr std::size_t index = 2;
};
template <>
struct KindOf<LossReference> : KindOf<LossPlugin> {};

std::vector<std::string> names_of(std::size_t kind, const std::vector<fs::path>& search_path,
                                  std::vector<PluginProblem>* problems) {
  std::vector<std::string> result;
  for (const std::string& name : names_on(search_path)) {
    const fs::path path = find(search_path, name);
    try {
      const SharedLibrary library(path);
      if (register_plugin(library, name).index() == kind) result.push_back(name);
    } catch (const PluginRefusal& refusal) {
      if (problems != nullptr) problems->push_back({path, refusal.reason});
    }
  }
  return result;
}

[[noreturn]] void throw_unknown(std::size_t kind, const std::string& name, const std::vector<fs::path>& search_path) {
  std::vector<PluginProblem> refused;
  const std::vector<std::string> names = names_of(kind, search_path, &refused);
  std::vector<std::string> meant = names;
  for (const PluginProblem& problem : refused) meant.push_back(problem.path.stem().string());
  const std::string kind_name = plugin_kind_names[kind];
  throw Error(Failure::input, "no " + kind_name + " plugin '" + name + "'." + suggestion(name, meant) + " Searched for '" +
                                  name + plugin_ending + "' in " + listed(search_path) + ". Of this kind there: " +
                                  listed(names) + ". HOLO_PLUGIN_PATH and --plugin-path add folders.");
}

fs::path find_or_throw(std::size_t kind, const std::vector<fs::path>& search_path, const std::string& name) {
  const fs::path path = is_plugin_name(name) ? find(search_path, name) : fs::path();
  if (path.empty()) throw_unknown(kind, name, search_path);
  return path;
}

[[noreturn]] void throw_refused(const std::string& name, const fs::path& path, const PluginRefusal& refusal) {
  throw Error(Failure::input, "the plugin '" + name + "' (" + path.string() + ") is refused: " + refusal.reason);
}

[[noreturn]] void throw_of_another_kind(std::size_t asked, std::size_t found, const std::string& name, const fs::path& path,
                                        const std::vector<fs::path>& search_path) {
  const std::vector<std::string> names = names_of(asked, search_path, nullptr);
  const std::string kind = plugin_kind_names[asked];
  throw Error(Failure::input, "'" + name + "' is a " + plugin_kind_names[found] + ", not a " + kind + " (" + path.string() +
                                  ")." + suggestion(name, names) + " Of the kind '" + kind + "' there: " + listed(names) + ".");
}

template <class Plugin>
std::shared_ptr<const Plugin> load(const std::vector<fs::path>& search_path, const std::string& name) {
  constexpr std::size_t kind = KindOf<Plugin>::index;
  const fs::path path = find_or_throw(kind, search_path, name);
  try {
    auto library = std::make_shared<SharedLibrary>(path);
    const PluginTable table = register_plugin(*library, name);
    if (table.index() != kind) throw_of_another_kind(kind, table.index(), name, path, search_path);
    return std::make_shared<Plugin>(std::move(library), std::get<kind>(table), path);
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

template <class Reference>
std::shared_ptr<const Reference> load_reference(const std::vector<fs::path>& search_path, const std::string& name) {
  constexpr std::size_t kind = KindOf<Reference>::index;
  const fs::path path = find_or_throw(kind, search_path, name).parent_path() / (name + reference_ending);
  if (!is_there(path))
    throw Error(Failure::input, "the plugin '" + name + "' has no reference arithmetic: there is no " + path.string());
  try {
    auto library = std::make_shared<SharedLibrary>(path);
    const ReferenceTable table = register_reference(*library, name);
    if (table.index() != kind) throw_of_another_kind(kind, table.index(), name, path, search_path);
    return std::make_shared<Reference>(std::move(library), std::get<kind>(table));
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

}  // namespace

PluginHost::PluginHost(std::vector<fs::path> search_path) : search_path_(std::move(search_path)) {
  for (const std::vector<fs::path>& more : {environment_path(), own_path()})
    search_path_.insert(search_path_.end(), more.begin(), more.end());
}

std::shared_ptr<const MaterialPlugin> PluginHost::material(const std::string& name) const {
  return load<MaterialPlugin>(search_path_, name);
}
std::shared_ptr<const MaterialReference> PluginHost::material_reference(const std::string& name) const {
  return load_reference<MaterialReference>(search_path_, name);
}
std::shared_ptr<const JointPlugin> PluginHost::joint(const std::string& name) const {
  return load<JointPlugin>(search_path_, name);
}
std::shared_ptr<const JointReference> PluginHost::joint_reference(const std::string& name) const {
  return load_reference<JointReference>(search_path_, name);
}
std::shared_ptr<const LossPlugin> PluginHost::loss(const std::string& name) const {
  return load<LossPlugin>(search_path_, name);
}
std::shared_ptr<const LossReference> PluginHost::loss_reference(const std::string& name) const {
  return load_reference<LossReference>(search_path_, name);
}

std::vector<std::string> PluginHost::materials(std::vector<PluginProblem>* problems) const {
  return names_of(KindOf<MaterialPlugin>::index, search_path_, problems);
}
std::vector<std::string> PluginHost::joints(std::vector<PluginProblem>* problems) const {
  return names_of(KindOf<JointPlugin>::index, search_path_, problems);
}
std::vector<std::string> PluginHost::losses(std::vector<PluginProblem>* problems) const {
  return names_of(KindOf<LossPlugin>::index, search_path_, problems);
}

}  // namespace holo
