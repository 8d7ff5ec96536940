#pragma once
// The folder of one run. Files appear whole or not at all (written beside, flushed, renamed); the growing ones (log.jsonl,
// metrics.csv, timings.csv, frames.bin) end with a whole line at any moment that a checkpoint names, and are cut back to it on
// resuming. The checkpoint holds the size and checksum of each growing file, files.txt those of each whole one: a file that was
// changed or damaged since is found before a run goes on with it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/error.h"

namespace holo {

// Writes a whole file: to a partial file beside it that is this call's own, flushed to disk, renamed. Any number of processes
// may write the same file at once: one of their files is there afterwards, whole. Throws Error(environment) with the path and
// the reason (disk full, read-only) and leaves no partial file behind.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

// Reads a whole file; throws Error(input) with the path and the reason (missing, a folder, no permission).
std::string read_whole_file(const std::filesystem::path& path);

// A file that grows by whole lines or records.
class GrowingFile {
 public:
  // Opens (creates) it and cuts it to `size` bytes, whose checksum is given; follows no symbolic link. Throws Error(input) when
  // it is shorter, Error(environment) when it cannot.
  GrowingFile(std::filesystem::path path, std::uint64_t size, std::uint32_t checksum = 0);
  ~GrowingFile();
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  void append_line(std::string_view line);  // without the newline; a failed write is cut off again and thrown
  void append(std::string_view bytes);      // the same for bytes as they are: a record of a binary file
  std::uint64_t size() const { return size_; }
  std::uint32_t checksum() const { return checksum_; }  // CRC-32 of all bytes
  void flush_to_disk();

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint32_t checksum_ = 0;
  std::string line_;  // memory kept from line to line
};

struct JournalEntry;

struct Checkpoint {
  std::int64_t step = 0;
  std::string state;  // the study's own bytes
};

// Holds the run's lock while it lives: no second process can create, resume or write the same run.
class RunFolder {
 public:
  // A new run at `path`, created with its parents. It must not exist, be empty, or hold only what a run left that was ended
  // before its first checkpoint, which is removed then. Throws Error(input) otherwise.
  static RunFolder create(const std::filesystem::path& path);
  // An existing run, to go on with: growing files are cut to the last checkpoint's sizes, partial files and those that the
  // checkpoint does not know (frames of redone steps) are removed. Throws Error(input) when the folder is not a run, another
  // process writes it, or neither of the two last checkpoints can be used: each must be whole, and every file that it names
  // must be as it was then. Nothing is changed before a checkpoint is found good.
  static RunFolder resume(const std::filesystem::path& path, Checkpoint& checkpoint);

  const std::filesystem::path& path() const { return path_; }
  // For the log and the user, "" when there is nothing to say: why resume() did not use the last checkpoint, or what create()
  // removed.
  const std::string& note() const { return note_; }

  // Whole or not at all; makes folders. The path stays below the run folder; names of the run folder's own files (checkpoint,
  // checkpoint.previous, files.txt, lock, *.partial) are refused. What is written again after a checkpoint replaces what that
  // checkpoint knew: resuming from it finds the one or the other, so write again only what the steps since do not change.
  void write(const std::string& relative_path, std::string_view bytes);
  GrowingFile& growing(const std::string& name);  // "metrics.csv"; the same object for the same name

  // Saves the state (zstd, with a checksum) with the sizes of all growing files, flushed before; then renames it over the last
  // one, which becomes checkpoint.previous. After a kill at any moment either this or the one before it is there.
  void save_checkpoint(const Checkpoint& checkpoint);

 private:
  explicit RunFolder(std::filesystem::path path);
  GrowingFile& open_growing(const std::string& name, std::uint64_t size, std::uint32_t checksum);
  void announce(const JournalEntry& entry);

  std::filesystem::path path_;
  std::shared_ptr<void> lock_;  // the file's open descriptor
  std::vector<std::pair<std::string, std::unique_ptr<GrowingFile>>> growing_;
  std::map<std::string, std::string> announced_;  // by file: its last line of files.txt, there before the file is written
  std::vector<std::filesystem::path> unsynced_folders_;
  std::string note_;
};

// Throws Error(input) unless there is a run in the folder that resume() can look at: the folder is missing, holds no run, or
// one that was ended before its first checkpoint.
void require_run_folder(const std::filesystem::path& folder);

// Whether a process writes the run at this moment.
bool is_being_written(const std::filesystem::path& folder);

// Throws Error(input) when one of the files, by their paths in the run's folder, is not what the run wrote, as far as its last
// good checkpoint knows: it was changed, damaged or removed. The same holds when the run's list of files is not, or when no
// checkpoint can be read. A run without a checkpoint knows nothing.
void require_undamaged(const std::filesystem::path& folder, const std::vector<std::string>& relative_paths);

// Hex digest of bytes, for provenance and checksums (64-bit FNV-1a, not cryptographic).
std::string content_hash(std::string_view bytes);

}  // namespace holo
