#include "export/export_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "holo/core/error.h"
#include "holo/core/name_list.h"
#include "holo/core/runs/run_folder.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse_folder(const fs::path& folder, const std::error_code& problem) {
  throw Error(Failure::environment, fmt::format("--out {}: the folder cannot be made: {}", folder.string(), problem.message()));
}

// The folders of the path that do not exist, the outermost first.
std::vector<fs::path> missing_folders(fs::path folder) {
  std::vector<fs::path> missing;
  for (folder = fs::absolute(folder).lexically_normal(); !folder.empty() && !fs::exists(folder); folder = folder.parent_path())
    missing.insert(missing.begin(), folder);
  return missing;
}

}  // namespace

ExportFolder::ExportFolder(fs::path folder) : folder_(std::move(folder)), created_(missing_folders(folder_)) {
  if (fs::exists(folder_) && !fs::is_directory(folder_))
    throw Error(Failure::input, fmt::format("--out {}: a file is there; name a folder", folder_.string()));
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) refuse_folder(folder_, problem);
  std::string name = (folder_ / ".export-XXXXXX").string();
  if (!mkdtemp(name.data())) refuse_folder(folder_, std::error_code(errno, std::generic_category()));
  staging_ = name;
  scratch_ = staging_ / "scratch";
  fs::create_directory(scratch_, problem);
  if (problem) refuse_folder(scratch_, problem);
}

ExportFolder::~ExportFolder() {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
  if (is_finished_) return;
  for (auto folder = created_.rbegin(); folder != created_.rend(); ++folder) fs::remove(*folder, ignored);
}

fs::path ExportFolder::begin_file(const std::string& name) {
  if (fs::exists(folder_ / name))
    throw Error(Failure::input, fmt::format("{}: there is a file already, and none is replaced; name another folder by --out",
                                            (folder_ / name).string()));
  if (has_file(name))
    throw Error(Failure::input, fmt::format("two of the formats write the file '{}'; export them to two folders", name));
  names_.push_back(name);
  return staging_ / name;
}

bool ExportFolder::has_file(const std::string& name) const { return contains(names_, name); }

void ExportFolder::write(const std::string& name, std::string_view bytes) { write_whole_file(begin_file(name), bytes); }

std::vector<fs::path> ExportFolder::finish() {
  std::vector<fs::path> written;
  std::error_code problem, ignored;
  for (const std::string& name : names_) {
    // A hard link, unlike a renaming, replaces no file that appeared meanwhile. Some file systems have none.
    fs::create_hard_link(staging_ / name, folder_ / name, problem);
    if (problem && problem != std::errc::file_exists) fs::rename(staging_ / name, folder_ / name, problem);
    if (problem) {
      for (const fs::path& file : written) fs::remove(file, ignored);
      throw Error(Failure::environment, fmt::format("{}: {}", (folder_ / name).string(), problem.message()));
    }
    written.push_back(folder_ / name);
  }
  is_finished_ = true;
  return written;
}

}  // namespace holo
