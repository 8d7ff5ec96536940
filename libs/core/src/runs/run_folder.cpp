#include "holo/core/runs/run_folder.h"

#include <algorithm>
#include <set>

#include "runs/file_system.h"
#include "runs/run_check.h"
#include "runs/run_names.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

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

constexpr const char* choose_another = ". Choose another folder (--out), or remove this one";

// A description of `path` if its target cannot be examined; "" if nothing exists there.
std::string unusable_path(const fs::path& path) {
  std::error_code error;
  const fs::file_status itself = fs::symlink_status(path, error);
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) return "the path cannot be used: " + error.message();
  if (status.type() == fs::file_type::not_found && itself.type() == fs::file_type::symlink)
    return "a run needs a folder, and this is a symbolic link to nowhere (" + fs::read_symlink(path, error).string() + ")";
  if (status.type() != fs::file_type::not_found && status.type() != fs::file_type::directory)
    return "a run needs a folder, and this is something else";
  return "";
}

enum class FolderContent { nothing, run_without_checkpoint };

// Throws Error(input) when there is anything else.
FolderContent require_usable(const fs::path& path) {
  if (const std::string reason = unusable_path(path); !reason.empty())
    throw Error(Failure::input, path.string() + ": " + reason + choose_another);
  try {
    if (!fs::exists(path) || is_empty_run(path)) return FolderContent::nothing;
    if (is_run_without_checkpoint(path)) return FolderContent::run_without_checkpoint;
  } catch (const fs::filesystem_error& failure) {
    throw Error(Failure::environment, path.string() + ": cannot be read: " + failure.code().message());
  }
  throw Error(Failure::input, path.string() + ": the folder is not empty" + choose_another);
}

void remove_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(fs::symlink_status(path, error))) return;
  fs::remove(path, error);
  if (error) throw Error(Failure::environment, "cannot remove " + path.string() + ": " + error.message());
}

// Files announced after the checkpoint and not before it.
void remove_later_files(const fs::path& folder, const Journal& journal) {
  std::set<std::string> known;
  for (const JournalEntry& entry : journal.known) known.insert(entry.name);
  for (const JournalEntry& entry : journal.later)
    if (known.count(entry.name) == 0) remove_file(folder / entry.name);
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
  for (const fs::path& path : partial) remove_abandoned(path);
}

// Removes the files of a run that ended before its first checkpoint, except the lock.
void remove_begun_run(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename() != lock_name) files.push_back(entry.path());
  for (const fs::path& file : files)
    if (file.filename() != journal_name) remove_file(file);
  remove_file(folder / journal_name);  // the last one, since the journal identifies the folder as a run's
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
  require_usable(path);
  make_folders(path);
  RunFolder folder(path);
  if (require_usable(path) ==
      FolderContent::run_without_checkpoint) {  // another process may have used it until the lock was taken
    remove_begun_run(path);
    folder.note_ = path.string() + " held the beginning of a run that was ended before its first checkpoint: it was removed";
  }
  folder.open_growing(journal_name, 0, 0);
  sync_folder(path);
  return folder;
}

RunFolder RunFolder::resume(const fs::path& path, Checkpoint& checkpoint) {
  require_run_folder(path);
  RunFolder folder(path);
  CheckpointContent content = usable_checkpoint(path, &folder.note_);
  const Journal journal = journal_of(path, content);
  // The growing files are about to be cut below what the unusable one names: it must not be found again.
  if (!folder.note_.empty()) remove_file(path / checkpoint_name);
  remove_later_files(path, journal);
  for (const JournalEntry& entry : journal.known) folder.announced_[entry.name] = journal_line(entry);
  remove_partial_files(path);
  for (const GrownPart& part : content.growing) folder.open_growing(part.name, part.size, part.checksum);
  checkpoint = std::move(content.checkpoint);
  return folder;
}

GrowingFile& RunFolder::open_growing(const std::string& name, std::uint64_t size, std::uint32_t checksum) {
  growing_.emplace_back(name, std::make_unique<GrowingFile>(path_ / name, size, checksum));
  return *growing_.back().second;
}

void RunFolder::announce(const JournalEntry& entry) {
  std::string line = journal_line(entry);
  std::string& announced = announced_[entry.name];
  if (announced == line) return;
  growing_.front().second->append_line(line);  // the journal is the first of the growing files
  announced = std::move(line);
}

void RunFolder::write(const std::string& relative_path, std::string_view bytes) {
  require_own_name(relative_path);
  const fs::path path = path_ / relative_path;
  make_folders(path.parent_path());
  announce({relative_path, false, bytes.size(), checksum(bytes)});
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
  announce({name, true});
  return open_growing(name, 0, 0);
}

void RunFolder::save_checkpoint(const Checkpoint& checkpoint) {
  std::vector<GrownPart> parts;
  for (const auto& [name, file] : growing_) {
    file->flush_to_disk();
    parts.push_back({name, file->size(), file->checksum()});
  }
  for (const fs::path& folder : unsynced_folders_) sync_folder(folder);
  unsynced_folders_.clear();

  const fs::path path = path_ / checkpoint_name;
  keep_as_previous(path, path_ / previous_name);
  write_renamed(path, encode_checkpoint(checkpoint, parts));
  sync_folder(path_);
}

bool is_being_written(const fs::path& folder) { return folder_is_locked(folder); }

void require_run_folder(const fs::path& folder) {
  std::error_code error;
  const std::string name = folder.string();
  if (!fs::is_directory(folder, error)) throw Error(Failure::input, name + ": there is no such run folder");
  if (!fs::exists(folder / journal_name, error))
    throw Error(Failure::input, name + ": this is not the folder of a run: it holds no " + journal_name);
  if (!fs::exists(folder / checkpoint_name, error) && !fs::exists(folder / previous_name, error))
    throw Error(Failure::input,
                name + ": the run has no checkpoint: it was ended before its first one. Run the experiment anew; " +
                    "--out may name this folder");
}

}  // namespace holo
