#include "runs/file_system.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "holo/core/runs/run_folder.h"
#include "runs/run_names.h"

namespace holo {

namespace fs = std::filesystem;

namespace {

std::string parent_text(const fs::path& path) { return path.parent_path().empty() ? "." : path.parent_path().string(); }

// The remedy for an error of writing, or "".
const char* advice(int reason) {
  switch (reason) {
    case ENOSPC:
    case EDQUOT:
      return ". Free some space, or write to another disk";
    case EROFS:
    case EACCES:
    case EPERM:
      return ". Choose a folder that you may write to";
    case EFBIG:
      return ". The limit on the size of a file (ulimit -f) is too low";
    default:
      return "";
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

void throw_write_error(const fs::path& path, int reason) {
  throw Error(Failure::environment, "cannot write " + path.string() + ": " + std::strerror(reason) + advice(reason));
}

int write_at(int descriptor, std::string_view bytes, std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return 0;
}

namespace {

// A new partial file, locked by this process: no other writer has its name, and a resumed run leaves it alone. Symbolic links
// are not followed.
int open_partial(const fs::path& path, std::string& partial) {
  static std::atomic<unsigned> files{0};
  for (;;) {
    partial = path.string() + "." + std::to_string(getpid()) + "-" + std::to_string(files++) + std::string(partial_ending);
    const int number = open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number < 0 && errno == EEXIST) continue;  // left by a process of the same number
    if (number < 0) throw_write_error(path, errno);
    struct stat status;
    while (flock(number, LOCK_EX) != 0 && errno == EINTR) {
    }  // a file system without locks has no resumed run beside it either
    if (fstat(number, &status) != 0 || status.st_nlink > 0) return number;
    close(number);  // removed between its making and its lock
  }
}

}  // namespace

void write_renamed(const fs::path& path, std::string_view bytes) {
  std::string partial;
  const int number = open_partial(path, partial);
  int reason = write_at(number, bytes, 0);
  if (reason == 0 && fsync(number) != 0) reason = errno;
  if (reason == 0 && std::rename(partial.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) unlink(partial.c_str());
  close(number);  // its bytes are on the disk: nothing is left that could fail
  if (reason != 0) throw_write_error(path, reason);
}

void remove_abandoned(const fs::path& partial) {
  const Descriptor file(open(partial.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.is_open() || (flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)) return;
  // The lock is held meanwhile: a writer that is about to take it finds its file gone, and makes another.
  if (unlink(partial.c_str()) != 0 && errno != ENOENT)
    throw Error(Failure::environment, "cannot remove " + partial.string() + ": " + std::strerror(errno));
}

void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems cannot flush a folder (EINVAL); there the renaming is all that there is.
  if (!descriptor.is_open() || (fsync(descriptor.number()) != 0 && errno != EINVAL)) throw_write_error(folder, errno);
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    throw Error(Failure::environment,
                "cannot make the folder " + folder.string() + ": " + error.message() + advice(error.value()));
}

std::shared_ptr<Descriptor> lock_folder(const fs::path& folder) {
  const fs::path path = folder / lock_name;
  auto lock = std::make_shared<Descriptor>(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!lock->is_open() && errno == ELOOP)
    throw Error(Failure::input, path.string() + " is a symbolic link: a run's lock is a file of its own. Remove the link");
  if (!lock->is_open()) throw_write_error(path, errno);
  if (flock(lock->number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_write_error(path, errno);
    char owner[32] = {};
    const ssize_t length = pread(lock->number(), owner, sizeof owner - 1, 0);
    throw Error(Failure::input, folder.string() + ": another process writes this run" +
                                    (length > 0 ? " (process " + std::string(owner) + ")" : "") +
                                    ". Wait for it to end, or choose another folder");
  }
  // The owner's number serves the message of a refused process; the lock holds without it.
  const std::string owner = std::to_string(getpid());
  if (ftruncate(lock->number(), 0) == 0) write_at(lock->number(), owner, 0);
  return lock;
}

bool folder_is_locked(const fs::path& folder) {
  const Descriptor lock(open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return lock.is_open() && flock(lock.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void write_whole_file(const fs::path& path, std::string_view bytes) {
  write_renamed(path, bytes);
  sync_folder(parent_text(path));
}

std::string read_whole_file(const fs::path& path) {
  const auto fail = [&](const std::string& reason) {
    throw Error(Failure::input, "cannot read " + path.string() + ": " + reason);
  };
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file.is_open() || fstat(file.number(), &status) != 0) fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("it is a folder");
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(file.number(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(std::strerror(errno));
    if (count == 0) break;  // it has become shorter
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash) {
  for (char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string content_hash(std::string_view bytes) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(fnv1a(bytes)));
  return text;
}

}  // namespace holo
