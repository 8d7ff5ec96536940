#pragma once
// Mesh files of the tests, and what is said when they are refused.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "holo/core/error.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo::mesh_refusals {

inline const std::filesystem::path fixtures = std::filesystem::path(HOLO_SOURCE_DIR) / "tests/sim/fixtures/meshes";

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// `text` with the first `from` replaced; fails where there is none, so that a test cannot pass by a typing mistake.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the fixture holds no '" << from << "'";
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// A folder of its own, removed at the end.
class Scratch {
 public:
  Scratch() : path_(std::filesystem::path(testing::TempDir()) / ("holo_mesh_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string refusal_of(const std::filesystem::path& path) {
  try {
    read_tetrahedral_mesh(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input) << error.what();
    return error.what();
  }
  ADD_FAILURE() << path << " was accepted";
  return "";
}

// The message for a file of this content; checked to begin with the file's name, which is cut off.
inline std::string refusal(const std::string& name, const std::string& text) {
  try {
    parse_tetrahedral_mesh(name, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), Failure::input) << error.what();
    const std::string message = error.what();
    EXPECT_EQ(message.find(name), 0u) << message;
    return message.substr(std::min(message.size(), name.size()));
  }
  ADD_FAILURE() << "was accepted:\n" << text;
  return "";
}

#define EXPECT_HAS(message, part)                                                \
  do {                                                                           \
    const std::string text_of_message = (message);                               \
    EXPECT_NE(text_of_message.find(part), std::string::npos) << text_of_message; \
  } while (false)

inline const std::string nodes_22 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n$EndNodes\n";
inline std::string gmsh_22(const std::string& elements) { return nodes_22 + "$Elements\n" + elements + "\n$EndElements\n"; }

}  // namespace holo::mesh_refusals
