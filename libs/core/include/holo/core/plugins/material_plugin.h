#pragma once
// A material that a plugin brought.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/abi.h"
#include "holo/core/parameters.h"

namespace holo {

class SharedLibrary;

// Immutable, shared between threads.
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

}  // namespace holo
