#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "holo/core/runs/run_folder.h"
#include "runs/file_system.h"

namespace holo {

GrowingFile::GrowingFile(std::filesystem::path path, std::uint64_t size, std::uint32_t checksum)
    : path_(std::move(path)), size_(size), checksum_(checksum) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (descriptor_ < 0) throw_write_error(path_, errno);
  struct stat status;
  int reason = fstat(descriptor_, &status) == 0 ? 0 : errno;
  const bool regular = reason == 0 && S_ISREG(status.st_mode);
  const bool too_short = regular && static_cast<std::uint64_t>(status.st_size) < size;
  if (reason == 0 && regular && !too_short && ftruncate(descriptor_, static_cast<off_t>(size)) != 0) reason = errno;
  if (reason == 0 && !too_short) return;
  close(descriptor_);
  if (reason != 0) throw_write_error(path_, reason);
  throw Error(Failure::input, path_.string() + ": the file has " + std::to_string(status.st_size) + " bytes, fewer than the " +
                                  std::to_string(size) + " that the checkpoint names: it was changed by something else");
}

GrowingFile::~GrowingFile() { close(descriptor_); }

void GrowingFile::append(std::string_view bytes) {
  const int reason = write_at(descriptor_, bytes, size_);
  if (reason == 0) {
    size_ += bytes.size();
    checksum_ = holo::checksum(bytes, checksum_);
    return;
  }
  // Cuts off the part that a full disk still stored. If that fails, a later append overwrites the part, or resuming cuts it.
  [[maybe_unused]] const int cut = ftruncate(descriptor_, static_cast<off_t>(size_));
  throw_write_error(path_, reason);
}

void GrowingFile::append_line(std::string_view line) {
  if (line.find('\n') != std::string_view::npos)
    throw Error(Failure::internal, path_.string() + ": a line to append holds a line break");
  line_.assign(line);
  line_ += '\n';
  append(line_);
}

void GrowingFile::flush_to_disk() {
  if (fdatasync(descriptor_) != 0 && errno != EINVAL) throw_write_error(path_, errno);
}

}  // namespace holo
