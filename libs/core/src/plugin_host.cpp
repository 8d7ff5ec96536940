#include "holo/core/plugin_host.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "plugin_registration.h"
#include "shared_library.h"

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

[[noreturn]] void throw_unknown(const std::string& name, const std::vector<fs::path>& search_path) {
  const std::vector<std::string> names = names_on(search_path);
  std::string there;
  for (const std::string& other : names) there += (there.empty() ? "" : ", ") + other;
  throw Error(Failure::input, "no material plugin '" + name + "'." + suggestion(name, names) + " Searched for '" + name +
                                  plugin_ending + "' in " + listed(search_path) + ". Plugins there: " +
                                  (there.empty() ? "none" : there) + ". HOLO_PLUGIN_PATH and --plugin-path add folders.");
}

fs::path find_or_throw(const std::vector<fs::path>& search_path, const std::string& name) {
  const fs::path path = is_plugin_name(name) ? find(search_path, name) : fs::path();
  if (path.empty()) throw_unknown(name, search_path);
  return path;
}

std::shared_ptr<const MaterialPlugin> load(const fs::path& path, const std::string& name) {
  auto library = std::make_shared<SharedLibrary>(path);
  const holo_material* material = register_material(*library, name);
  return std::make_shared<MaterialPlugin>(std::move(library), material, path);
}

[[noreturn]] void throw_refused(const std::string& name, const fs::path& path, const PluginRefusal& refusal) {
  throw Error(Failure::input, "the plugin '" + name + "' (" + path.string() + ") is refused: " + refusal.reason);
}

}  // namespace

PluginHost::PluginHost(std::vector<fs::path> search_path) : search_path_(std::move(search_path)) {
  for (const std::vector<fs::path>& more : {environment_path(), own_path()})
    search_path_.insert(search_path_.end(), more.begin(), more.end());
}

std::shared_ptr<const MaterialPlugin> PluginHost::material(const std::string& name) const {
  const fs::path path = find_or_throw(search_path_, name);
  try {
    return load(path, name);
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

std::shared_ptr<const MaterialReference> PluginHost::material_reference(const std::string& name) const {
  const fs::path path = find_or_throw(search_path_, name).parent_path() / (name + reference_ending);
  if (!is_there(path))
    throw Error(Failure::input, "the plugin '" + name + "' has no reference arithmetic: there is no " + path.string());
  try {
    auto library = std::make_shared<SharedLibrary>(path);
    const holo_material_reference* reference = register_material_reference(*library, name);
    return std::make_shared<MaterialReference>(std::move(library), reference);
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

std::vector<std::string> PluginHost::materials(std::vector<PluginProblem>* problems) const {
  std::vector<std::string> result;
  for (const std::string& name : names_on(search_path_)) {
    const fs::path path = find(search_path_, name);
    try {
      load(path, name);
      result.push_back(name);
    } catch (const PluginRefusal& refusal) {
      if (problems != nullptr) problems->push_back({path, refusal.reason});
    }
  }
  return result;
}

}  // namespace holo
