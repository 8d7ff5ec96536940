#include "holo/core/run_folder.h"

#include <algorithm>

#include "checkpoint_file.h"
#include "file_system.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

constexpr const char* checkpoint_name = "checkpoint";
constexpr const char* previous_name = "checkpoint.previous";
constexpr const char* lock_name = "lock";
// Every file of the run by its path, one a line, written down before the file itself: what stands here beyond the size that a
// checkpoint names is what was begun after it.
constexpr const char* journal_name = "files.txt";
constexpr const char* partial_ending = ".partial";

bool is_partial(const std::string& name) {
  const std::string ending = partial_ending;
  return name.size() >= ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

bool stays_inside(const fs::path& path) {
  return !path.empty() && path.is_relative() && path == path.lexically_normal() && *path.begin() != ".." && path.has_filename();
}

void require_own_name(const std::string& name) {
  const bool reserved =
      name == checkpoint_name || name == previous_name || name == lock_name || name == journal_name || is_partial(name);
  if (reserved || !stays_inside(name) || name.find('\n') != std::string::npos)
    throw Error(Failure::internal, "'" + name +
                                       "' cannot name a file of a run: it must stay below the run's folder, and be none of " +
                                       "checkpoint, checkpoint.previous, files.txt, lock, *.partial");
}

bool is_empty_run(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename() != lock_name) return false;
  return true;
}

void require_new_or_empty(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) return;
  const std::string instead = ". Choose another folder (--out), or remove this one";
  if (status.type() != fs::file_type::directory)
    throw Error(Failure::input, path.string() + ": a run needs a folder, and this is something else" + instead);
  try {
    if (is_empty_run(path)) return;
  } catch (const fs::filesystem_error& failure) {
    throw Error(Failure::environment, path.string() + ": cannot be read: " + failure.code().message());
  }
  throw Error(Failure::input, path.string() + ": the folder is not empty" + instead);
}

// Throws Error(input) unless every growing file is at least as long as the checkpoint says.
void require_grown(const fs::path& folder, const CheckpointContent& content) {
  for (const auto& [name, size] : content.growing) {
    if (!stays_inside(name)) throw Error(Failure::input, "it is damaged: it names the file '" + name + "'");
    std::error_code error;
    const std::uintmax_t found = fs::file_size(folder / name, error);
    if (error) throw Error(Failure::input, "the file " + name + " that it names is missing");
    if (found < size)
      throw Error(Failure::input, "the file " + name + " has " + std::to_string(found) + " bytes, fewer than the " +
                                      std::to_string(size) + " that it names");
  }
}

// The newer of the two checkpoints that can be used. `note`: why the newest was not.
CheckpointContent usable_checkpoint(const fs::path& folder, std::string* note) {
  std::string reasons;
  for (const char* name : {checkpoint_name, previous_name}) {
    const fs::path path = folder / name;
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    try {
      CheckpointContent content = decode_checkpoint(read_whole_file(path));
      require_grown(folder, content);
      if (!reasons.empty())
        *note = reasons + "; going on from the one before it, step " + std::to_string(content.checkpoint.step);
      return content;
    } catch (const Error& problem) {
      reasons += (reasons.empty() ? "" : "; ") + path.string() + " cannot be used: " + problem.what();
    }
  }
  if (reasons.empty()) reasons = folder.string() + ": the run has no checkpoint to go on from";
  throw Error(Failure::input, reasons + ". Run the experiment anew");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::uint64_t journal_size(const CheckpointContent& content) {
  for (const auto& [name, size] : content.growing)
    if (name == journal_name) return size;
  throw Error(Failure::input, "the checkpoint does not name the run's list of files");
}

void remove_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error))) return;
  fs::remove(path, error);
  if (error) throw Error(Failure::environment, "cannot remove " + path.string() + ": " + error.message());
}

// Files announced after the checkpoint and not before it. Returns those announced before, sorted.
std::vector<std::string> remove_later_files(const fs::path& folder, std::uint64_t known_size) {
  const std::string journal = read_whole_file(folder / journal_name);
  std::vector<std::string> known = lines_of(journal.substr(0, known_size));
  std::sort(known.begin(), known.end());
  for (const std::string& name : lines_of(journal.substr(known_size)))
    if (stays_inside(name) && !std::binary_search(known.begin(), known.end(), name)) remove_file(folder / name);
  return known;
}

void remove_partial_files(const fs::path& folder) {
  std::vector<fs::path> partial;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (is_partial(entry.path().filename().string()) && entry.is_regular_file() && !entry.is_symlink())
        partial.push_back(entry.path());
  } catch (const fs::filesystem_error& failure) {
    throw Error(Failure::environment, folder.string() + ": cannot be read: " + failure.code().message());
  }
  for (const fs::path& path : partial) remove_file(path);
}

// A second name for the present checkpoint, so that it is there at any moment; a copy where the disk knows no second names.
void keep_as_previous(const fs::path& path, const fs::path& previous) {
  std::error_code error;
  if (!fs::exists(path, error)) return;
  remove_file(previous);
  fs::create_hard_link(path, previous, error);
  if (error) write_renamed(previous, read_whole_file(path));
}

}  // namespace

RunFolder::RunFolder(fs::path path) : path_(std::move(path)), lock_(lock_folder(path_)) {}

RunFolder RunFolder::create(const fs::path& path) {
  require_new_or_empty(path);
  make_folders(path);
  RunFolder folder(path);
  require_new_or_empty(path);  // another process may have made its run there until the lock was taken
  folder.open_growing(journal_name, 0);
  sync_folder(path);
  return folder;
}

RunFolder RunFolder::resume(const fs::path& path, Checkpoint& checkpoint) {
  std::error_code error;
  if (!fs::is_directory(path, error)) throw Error(Failure::input, path.string() + ": there is no such run folder");
  if (!fs::exists(path / journal_name, error))
    throw Error(Failure::input, path.string() + ": this is not the folder of a run: it holds no " + journal_name);
  RunFolder folder(path);
  CheckpointContent content = usable_checkpoint(path, &folder.resume_note_);
  // The growing files are about to be cut below what the unusable one names: it must not be found again.
  if (!folder.resume_note_.empty()) remove_file(path / checkpoint_name);
  folder.announced_ = remove_later_files(path, journal_size(content));
  remove_partial_files(path);
  for (const auto& [name, size] : content.growing) folder.open_growing(name, size);
  checkpoint = std::move(content.checkpoint);
  return folder;
}

GrowingFile& RunFolder::open_growing(const std::string& name, std::uint64_t size) {
  growing_.emplace_back(name, std::make_unique<GrowingFile>(path_ / name, size));
  return *growing_.back().second;
}

void RunFolder::announce(const std::string& relative_path) {
  const auto place = std::lower_bound(announced_.begin(), announced_.end(), relative_path);
  if (place != announced_.end() && *place == relative_path) return;
  growing_.front().second->append_line(relative_path);  // the journal is the first of the growing files
  announced_.insert(place, relative_path);
}

void RunFolder::write(const std::string& relative_path, std::string_view bytes) {
  require_own_name(relative_path);
  const fs::path path = path_ / relative_path;
  make_folders(path.parent_path());
  announce(relative_path);
  write_renamed(path, bytes);
  // A checkpoint makes the new names durable; one flush of a folder serves all files since the last.
  const fs::path folder = path.parent_path();
  if (std::find(unsynced_folders_.begin(), unsynced_folders_.end(), folder) == unsynced_folders_.end())
    unsynced_folders_.push_back(folder);
}

GrowingFile& RunFolder::growing(const std::string& name) {
  for (const auto& [other, file] : growing_)
    if (other == name && name != journal_name) return *file;
  require_own_name(name);
  announce(name);
  return open_growing(name, 0);
}

void RunFolder::save_checkpoint(const Checkpoint& checkpoint) {
  std::vector<std::pair<std::string, std::uint64_t>> sizes;
  for (const auto& [name, file] : growing_) {
    file->flush_to_disk();
    sizes.emplace_back(name, file->size());
  }
  for (const fs::path& folder : unsynced_folders_) sync_folder(folder);
  unsynced_folders_.clear();

  const fs::path path = path_ / checkpoint_name;
  keep_as_previous(path, path_ / previous_name);
  write_renamed(path, encode_checkpoint(checkpoint, sizes));
  sync_folder(path_);
}

}  // namespace holo
