#pragma once
// The plugins of the tests, right and wrong, and what is said when they are refused.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "holo/core/plugins/plugin_host.h"
#include "temporary_folder.h"

namespace holo::plugin_refusals {

namespace fs = std::filesystem;
using test::content;
using test::put;
using test::TemporaryFolder;

inline const fs::path bad_plugins = fs::path(HOLO_BINARY_DIR) / "tests/bad_plugins";

inline PluginHost host() { return PluginHost({bad_plugins}); }

template <class Call>
inline std::string message_of(const Call& call, Failure failure = Failure::input) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), failure);
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

inline std::string refusal(const std::string& name, const fs::path& folder = bad_plugins) {
  return message_of([&] { PluginHost({folder}).get<MaterialPlugin>(name); });
}

inline void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

// The refusal names plugin and file, and gives the reason.
inline void expect_refused(const std::string& name, std::vector<std::string> parts) {
  parts.push_back("the plugin '" + name + "' (" + (bad_plugins / (name + ".so")).string() + ") is refused: ");
  expect_parts(refusal(name), parts);
}

inline bool is_loaded(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() { before_.empty() ? unsetenv(name_) : setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

inline constexpr const char* all_given =
    "stiffness: 3\norder: 5\nactive: true\nmode: hard\noffset: [1, 2, 3]\nfiber: [0, 2, 0]\n";

inline std::vector<double> read(const std::string& yaml, const std::string& plugin = "right_material") {
  ConfigurationFile file = ConfigurationFile::parse(yaml, "scene.yaml");
  Configuration root = file.root();
  std::vector<double> coefficients = host().get<MaterialPlugin>(plugin)->read_coefficients(root);
  file.finish();
  return coefficients;
}

}  // namespace holo::plugin_refusals
