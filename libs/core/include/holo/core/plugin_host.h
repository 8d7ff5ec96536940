#pragma once
// Finds, loads and checks plugins. A plugin is the shared library NAME.so in a folder of the search path; it is loaded when it is
// asked for, with local symbols, and stays loaded while any object made from it lives.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/error.h"
#include "holo/core/parameters.h"

namespace holo {

class SharedLibrary;

// A material plugin. Immutable, shared between threads.
class MaterialPlugin {
 public:
  MaterialPlugin(std::shared_ptr<SharedLibrary> library, const holo_material* material, std::filesystem::path path);

  const holo_material& abi() const { return *material_; }
  std::string name() const { return material_->name; }
  std::string summary() const { return material_->summary; }
  const std::filesystem::path& path() const { return path_; }
  std::string content_hash() const;  // of the library file, for provenance
  std::string formula() const;

  // Reads the material's parameters; problems go to the file's account. Returns the coefficients [coefficient_count].
  // Throws Error(input) with the plugin's name when its `read` fails.
  std::vector<double> read_coefficients(Parameters& parameters) const;
  // Coefficients at given parameter values (missing ones take their defaults), and their Jacobian [coefficient][parameter].
  std::vector<double> coefficients(const std::vector<std::pair<std::string, double>>& values) const;
  std::vector<double> coefficient_jacobian(const std::vector<std::pair<std::string, double>>& values) const;
  // What `read` asks for.
  std::vector<ParameterDescription> parameters() const;

 private:
  std::shared_ptr<SharedLibrary> library_;
  const holo_material* material_;
  std::filesystem::path path_;
};

// A material's 100-digit twin, from NAME.reference.so beside the plugin.
class MaterialReference {
 public:
  MaterialReference(std::shared_ptr<SharedLibrary> library, const holo_material_reference* reference);
  const holo_material_reference& abi() const { return *reference_; }

 private:
  std::shared_ptr<SharedLibrary> library_;
  const holo_material_reference* reference_;
};

struct PluginProblem {
  std::filesystem::path path;
  std::string reason;
};

class PluginHost {
 public:
  // `search_path`: folders, first match wins. Those of HOLO_PLUGIN_PATH and the build's or installation's own come after it.
  explicit PluginHost(std::vector<std::filesystem::path> search_path = {});

  const std::vector<std::filesystem::path>& search_path() const { return search_path_; }

  // Throws Error(input) with the search path and the nearest name when there is none, and with the library's path and the reason
  // when it is refused: not a shared library, no entry, another stamp (both are printed), a required operation missing,
  // an exception inside, a name that is not the file's.
  std::shared_ptr<const MaterialPlugin> material(const std::string& name) const;
  std::shared_ptr<const MaterialReference> material_reference(const std::string& name) const;

  // Names of the materials on the path, sorted; those that were refused go to `problems` when it is given.
  std::vector<std::string> materials(std::vector<PluginProblem>* problems = nullptr) const;

 private:
  std::vector<std::filesystem::path> search_path_;
};

std::string to_string(const holo_stamp& stamp);  // "ABI 1, 8 lanes, 10 material operations, ..."

}  // namespace holo
