// A checkpoint as bytes. Its checksum finds any damage: for what lies behind it, inputs are also given one that matches.
#include <zstd.h>

#include <cstring>

#include "fuzz/target.h"
#include "runs/checkpoint_file.h"
#include "runs/file_system.h"

namespace holo::fuzz {

namespace {

// What the first byte of an input says of the rest.
constexpr char as_it_is = 'a', with_its_checksum = 'c', payload = 'p';

constexpr std::size_t header_size = 40, place_of_payload_size = 16, place_of_compressed_size = 24, place_of_checksum = 32;

void put_number(std::string& bytes, std::size_t place, std::uint64_t number) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
}

std::string with_checksum(std::string bytes) {
  if (bytes.size() < header_size) return bytes;
  put_number(bytes, place_of_checksum, 0);
  put_number(bytes, place_of_checksum, fnv1a(bytes));
  return bytes;
}

std::string with_payload(std::string_view content) {
  std::string bytes = encode_checkpoint({0, ""}, {}).substr(0, header_size);
  std::string compressed(ZSTD_compressBound(content.size()), '\0');
  compressed.resize(ZSTD_compress(compressed.data(), compressed.size(), content.data(), content.size(), 1));
  put_number(bytes, place_of_payload_size, content.size());
  put_number(bytes, place_of_compressed_size, compressed.size());
  return with_checksum(bytes + compressed);
}

void read_checkpoint(std::string_view bytes) {
  const char kind = bytes.empty() ? as_it_is : bytes.front();
  const std::string_view rest = bytes.substr(std::min<std::size_t>(1, bytes.size()));
  decode_checkpoint(kind == payload             ? with_payload(rest)
                    : kind == with_its_checksum ? with_checksum(std::string(rest))
                                                : std::string(rest));
}

std::vector<std::string> checkpoints() {
  std::string state;
  for (int i = 0; i < 300; ++i) state += static_cast<char>(i * i);
  const std::string bytes = encode_checkpoint({7, state}, {{"files.txt", 120, 17}, {"metrics.csv", 400, 18}});
  std::string content(ZSTD_getFrameContentSize(bytes.data() + header_size, bytes.size() - header_size), '\0');
  ZSTD_decompress(content.data(), content.size(), bytes.data() + header_size, bytes.size() - header_size);
  return {as_it_is + bytes, with_its_checksum + bytes, payload + content};
}

}  // namespace

// The reader has no path: who calls it names the file.
const Registration checkpoint(Target{
    .name = "checkpoint", .read = read_checkpoint, .seeds = checkpoints, .places = {"it is "}});

}  // namespace holo::fuzz
