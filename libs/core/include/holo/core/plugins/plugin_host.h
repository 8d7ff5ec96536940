#pragma once
// Finds, loads and checks plugins. A plugin is the shared library NAME.so in a folder of the search path; it is loaded when it
// is asked for, with local symbols, and stays loaded while any object made from it lives.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/error.h"
#include "holo/core/plugins/material_plugin.h"

namespace holo {

struct PluginProblem {
  std::filesystem::path path;
  std::string reason;
};

class PluginHost {
 public:
  // `search_path`: folders, first match wins. Those of HOLO_PLUGIN_PATH and the build's or installation's own come after it.
  explicit PluginHost(std::vector<std::filesystem::path> search_path = {});

  const std::vector<std::filesystem::path>& search_path() const { return search_path_; }

  // `Kind` is MaterialPlugin, JointPlugin, LossPlugin or BodyEnergyPlugin, whose header the caller includes. Throws
  // Error(input)
  //   - with the search path and the nearest name when there is no such plugin,
  //   - with the kind that it has when it is of another kind ("'stvk' is a material, not a joint"),
  //   - with the library's path and the reason when the library is refused: not a shared library, no entry, another stamp (both
  //     are printed), a required operation missing, an exception inside, a name that is not the file's.
  template <class Kind>
  std::shared_ptr<const Kind> get(const std::string& name) const {
    Loaded loaded = load(Kind::kind, name);
    return std::make_shared<const Kind>(std::move(loaded.library), static_cast<const typename Kind::Table*>(loaded.table),
                                        std::move(loaded.path));
  }
  // The plugin's 100-digit twin, from NAME.reference.so beside it.
  template <class Kind>
  std::shared_ptr<const typename Kind::Reference> get_reference(const std::string& name) const {
    Loaded loaded = load_reference(Kind::kind, name);
    return std::make_shared<const typename Kind::Reference>(std::move(loaded.library),
                                                            static_cast<const typename Kind::ReferenceTable*>(loaded.table));
  }

  // Names of the plugins of a kind on the path, sorted. Those that were refused, of whatever kind they would have been, are
  // added to `problems` when it is given.
  template <class Kind>
  std::vector<std::string> names(std::vector<PluginProblem>* problems = nullptr) const {
    return names_of(Kind::kind, problems);
  }

 private:
  // A library and its table, whose type the kind tells.
  struct Loaded {
    std::shared_ptr<SharedLibrary> library;
    const void* table;
    std::filesystem::path path;
  };
  Loaded load(const std::string& kind, const std::string& name) const;
  Loaded load_reference(const std::string& kind, const std::string& name) const;
  std::vector<std::string> names_of(const std::string& kind, std::vector<PluginProblem>* problems) const;

  std::vector<std::filesystem::path> search_path_;
};

std::string to_string(const holo_stamp& stamp);  // "ABI 1, 8 lanes, 10 material, 7 joint, 5 loss and ..."

}  // namespace holo
