#pragma once
// What is said about bad experiments, for the tests of it.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "holo/core/configuration.h"

namespace holo::bad_experiments {

using Read = std::function<void(Configuration&)>;

inline void read_all(const Configuration& root) {
  Configuration copy = root;
  for (const std::string& key : copy.keys()) copy.raw(key);
}

// What is said about `yaml` when `read` reads it; "" when nothing is.
inline std::string message(const std::string& yaml, const Read& read = read_all, const ConfigurationFileOptions& options = {}) {
  try {
    ConfigurationFile file = ConfigurationFile::parse(yaml, "x.yaml", options);
    Configuration root = file.root();
    read(root);
    file.finish();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

inline std::string load_message(const std::filesystem::path& path) {
  try {
    ConfigurationFile::load(path).finish();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input);
    return error.what();
  }
  return "";
}

inline Read number(const NumberSpec& spec) {
  return [spec](Configuration& p) { p.number("v", spec); };
}

class ConfigurationBadInput : public ::testing::Test {
 protected:
  ConfigurationBadInput() {
    std::string folder = (std::filesystem::temp_directory_path() / "holo_bad_input_XXXXXX").string();
    folder_ = mkdtemp(folder.data());
  }
  ~ConfigurationBadInput() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << "in: " << (text)

}  // namespace holo::bad_experiments
