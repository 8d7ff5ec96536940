#pragma once
// A type of joint that a plugin brought.

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
class JointPlugin {
 public:
  JointPlugin(std::shared_ptr<SharedLibrary> library, const holo_joint* joint, std::filesystem::path path);

  const holo_joint& abi() const { return *joint_; }
  std::string name() const { return joint_->name; }
  std::string summary() const { return joint_->summary; }
  const std::filesystem::path& path() const { return path_; }
  std::string content_hash() const;  // of the library file, for provenance

  // Reads the joint's parameters; problems go to the file's account. Returns the constants [constant_count].
  // Throws Error(input) with the plugin's name when its `read` fails.
  std::vector<double> read_constants(Parameters& parameters) const;
  // Constants at given parameter values; missing ones take their defaults.
  std::vector<double> constants(const std::vector<std::pair<std::string, double>>& values) const;
  // What `read` asks for.
  std::vector<ParameterDescription> parameters() const;

 private:
  std::shared_ptr<SharedLibrary> library_;
  const holo_joint* joint_;
  std::filesystem::path path_;
};

// A joint's 100-digit twin, from NAME.reference.so beside the plugin.
class JointReference {
 public:
  JointReference(std::shared_ptr<SharedLibrary> library, const holo_joint_reference* reference);
  const holo_joint_reference& abi() const { return *reference_; }

 private:
  std::shared_ptr<SharedLibrary> library_;
  const holo_joint_reference* reference_;
};

}  // namespace holo
