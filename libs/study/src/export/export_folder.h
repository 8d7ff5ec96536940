#pragma once
// The folder that an export writes. Files are collected beside their places and moved there together at the end: after an error
// none of them is left.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace holo {

class ExportFolder {
 public:
  // Creates the folder where it does not exist. Throws Error(environment) where it cannot, Error(input) for a file in its
  // place.
  explicit ExportFolder(std::filesystem::path folder);
  ~ExportFolder();
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;

  // A place to write the file NAME at until finish(). Throws Error(input) if the folder has one, or two formats write it.
  std::filesystem::path begin_file(const std::string& name);
  bool has_file(const std::string& name) const;  // whether a format writes it
  void write(const std::string& name, std::string_view bytes);
  // A folder for files that are not exported.
  std::filesystem::path scratch_folder() const { return scratch_; }
  // Moves the files to their places and returns them.
  std::vector<std::filesystem::path> finish();

 private:
  std::filesystem::path folder_, staging_, scratch_;
  std::vector<std::filesystem::path> created_;  // folders, the outermost first
  std::vector<std::string> names_;
  bool is_finished_ = false;
};

}  // namespace holo
