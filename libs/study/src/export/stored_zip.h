#pragma once
// A zip archive of uncompressed members, written one after the other [PKWARE APPNOTE 6.3.9]; those over 4 GB have 64-bit sizes.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace holo {

class StoredZip {
 public:
  explicit StoredZip(const std::filesystem::path& path);  // throws Error(environment)
  // The member's name, and its number of bytes, which append() must add up to.
  void begin(const std::string& name, std::uint64_t size);
  void append(const void* bytes, std::size_t size);
  void finish();  // writes the directory; throws Error(environment) if the disk is full

 private:
  struct Member {
    std::string name;
    std::uint64_t size = 0, offset = 0;
    std::uint32_t checksum = 0;
  };
  void end_member();
  void put(const std::string& bytes);
  static std::string header(const Member& member, bool in_directory);

  std::filesystem::path path_;
  std::ofstream file_;
  std::vector<Member> members_;
  std::uint64_t position_ = 0, missing_ = 0;  // bytes written; bytes that the member lacks
};

}  // namespace holo
