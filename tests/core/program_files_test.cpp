#include "holo/core/runs/program_files.h"

#include <gtest/gtest.h>

#include <filesystem>

// The module of the Python package, whose folders are other ones, is tested in tests/python and tests/package.
TEST(ProgramFiles, AreThoseOfTheExecutableThatContainsTheLibrary) {
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe");
  EXPECT_EQ(holo::program_file(), executable);
  EXPECT_EQ(holo::program_prefix(), executable.parent_path().parent_path());
}
