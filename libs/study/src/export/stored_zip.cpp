#include "export/stored_zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <limits>

#include "holo/core/error.h"

namespace holo {

namespace {

constexpr std::uint64_t largest_32 = std::numeric_limits<std::uint32_t>::max();

// Little-endian numbers, as the format has them.
struct ZipRecord {
  std::string bytes;
  ZipRecord& number(std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
    return *this;
  }
};

}  // namespace

StoredZip::StoredZip(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
  if (!file_) throw Error(Failure::environment, fmt::format("{}: cannot be written", path.string()));
}

// Of the member itself or of its entry in the directory. Sizes over 32 bits are in the extra field 1.
std::string StoredZip::header(const Member& member, bool in_directory) {
  constexpr int version = 45, midnight = 0, first_of_1980 = 0x21;
  const bool is_large = member.size >= largest_32, is_far = in_directory && member.offset >= largest_32;
  ZipRecord extra;
  if (is_large) extra.number(member.size, 8).number(member.size, 8);
  if (is_far) extra.number(member.offset, 8);
  const std::uint64_t size = is_large ? largest_32 : member.size;
  ZipRecord record;
  record.number(in_directory ? 0x02014b50 : 0x04034b50, 4);
  if (in_directory) record.number(version, 2);
  record.number(version, 2).number(0, 2).number(0, 2).number(midnight, 2).number(first_of_1980, 2).number(member.checksum, 4);
  record.number(size, 4)
      .number(size, 4)
      .number(member.name.size(), 2)
      .number(extra.bytes.empty() ? 0 : extra.bytes.size() + 4, 2);
  if (in_directory) record.number(0, 10).number(is_far ? largest_32 : member.offset, 4);
  record.bytes += member.name;
  if (!extra.bytes.empty()) record.number(1, 2).number(extra.bytes.size(), 2).bytes += extra.bytes;
  return record.bytes;
}

void StoredZip::put(const std::string& bytes) {
  file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  position_ += bytes.size();
}

void StoredZip::begin(const std::string& name, std::uint64_t size) {
  end_member();
  members_.push_back({name, size, position_});
  missing_ = size;
  put(header(members_.back(), false));
}

void StoredZip::append(const void* bytes, std::size_t size) {
  if (size > missing_) throw Error(Failure::internal, fmt::format("'{}' is longer than it was begun", members_.back().name));
  missing_ -= size;
  Member& member = members_.back();
  member.checksum = static_cast<std::uint32_t>(crc32_z(member.checksum, static_cast<const Bytef*>(bytes), size));
  file_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  position_ += size;
}

// The checksum stands before the data.
void StoredZip::end_member() {
  if (members_.empty()) return;
  if (missing_ > 0) throw Error(Failure::internal, fmt::format("'{}' lacks {} bytes", members_.back().name, missing_));
  const std::string whole = header(members_.back(), false);
  file_.seekp(static_cast<std::streamoff>(members_.back().offset));
  file_.write(whole.data(), static_cast<std::streamsize>(whole.size()));
  file_.seekp(static_cast<std::streamoff>(position_));
}

void StoredZip::finish() {
  end_member();
  const std::uint64_t start = position_, count = members_.size();
  for (const Member& member : members_) put(header(member, true));
  const std::uint64_t size = position_ - start, end = position_;
  ZipRecord record;
  if (start >= largest_32) {
    record.number(0x06064b50, 4).number(44, 8).number(45, 2).number(45, 2).number(0, 8).number(count, 8).number(count, 8);
    record.number(size, 8).number(start, 8);
    record.number(0x07064b50, 4).number(0, 4).number(end, 8).number(1, 4);
  }
  record.number(0x06054b50, 4).number(0, 4).number(count, 2).number(count, 2).number(size, 4);
  record.number(std::min(start, largest_32), 4).number(0, 2);
  put(record.bytes);
  file_.flush();
  if (!file_) throw Error(Failure::environment, fmt::format("{}: cannot be written; the disk may be full", path_.string()));
}

}  // namespace holo
