#include "holo/core/plugins/plugin_host.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "holo/core/name_list.h"
#include "holo/core/runs/program_files.h"
#include "plugins/plugin_kinds.h"
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

// Those of the build tree or installation that the program belongs to.
std::vector<fs::path> own_path() {
  std::error_code error;
  std::vector<fs::path> result;
  const fs::path prefix = program_prefix();
  if (prefix.empty()) return result;
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

std::vector<std::string> names_of_kind(std::size_t kind, const std::vector<fs::path>& search_path,
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
  const std::vector<std::string> names = names_of_kind(kind, search_path, &refused);
  std::vector<std::string> meant = names;
  for (const PluginProblem& problem : refused) meant.push_back(problem.path.stem().string());
  const std::string kind_name = PluginKinds::names[kind];
  throw Error(Failure::input, "no " + kind_name + " plugin '" + name + "'." + suggestion(name, meant) + " Searched for '" +
                                  name + plugin_ending + "' in " + listed(search_path) + ". Of this kind there: " +
                                  joined_or_none(names) + ". HOLO_PLUGIN_PATH and --plugin-path add folders.");
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
  const std::vector<std::string> names = names_of_kind(asked, search_path, nullptr);
  const std::string kind = PluginKinds::names[asked];
  throw Error(Failure::input, "'" + name + "' is a " + PluginKinds::names[found] + ", not a " + kind + " (" + path.string() +
                                  ")." + suggestion(name, names) + " Of the kind '" + kind +
                                  "' there: " + joined_or_none(names) + ".");
}

const void* untyped(const auto& table) {
  return std::visit([](const auto* any) -> const void* { return any; }, table);
}

}  // namespace

PluginHost::PluginHost(std::vector<fs::path> search_path) : search_path_(std::move(search_path)) {
  for (const std::vector<fs::path>& more : {environment_path(), own_path()})
    search_path_.insert(search_path_.end(), more.begin(), more.end());
}

PluginHost::Loaded PluginHost::load(const std::string& kind_name, const std::string& name) const {
  const std::size_t kind = number_of_kind(kind_name);
  const fs::path path = find_or_throw(kind, search_path_, name);
  try {
    auto library = std::make_shared<SharedLibrary>(path);
    const PluginTable table = register_plugin(*library, name);
    if (table.index() != kind) throw_of_another_kind(kind, table.index(), name, path, search_path_);
    return {std::move(library), untyped(table), path};
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

PluginHost::Loaded PluginHost::load_reference(const std::string& kind_name, const std::string& name) const {
  const std::size_t kind = number_of_kind(kind_name);
  const fs::path path = find_or_throw(kind, search_path_, name).parent_path() / (name + reference_ending);
  if (!is_there(path))
    throw Error(Failure::input, "the plugin '" + name + "' has no reference arithmetic: there is no " + path.string());
  try {
    auto library = std::make_shared<SharedLibrary>(path);
    const ReferenceTable table = register_reference(*library, name);
    if (table.index() != kind) throw_of_another_kind(kind, table.index(), name, path, search_path_);
    return {std::move(library), untyped(table), path};
  } catch (const PluginRefusal& refusal) {
    throw_refused(name, path, refusal);
  }
}

std::vector<std::string> PluginHost::names_of(const std::string& kind, std::vector<PluginProblem>* problems) const {
  return names_of_kind(number_of_kind(kind), search_path_, problems);
}

}  // namespace holo
