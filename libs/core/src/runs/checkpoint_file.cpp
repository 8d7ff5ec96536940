#include "runs/checkpoint_file.h"

#include <zstd.h>

#include <cstring>

#include "holo/core/error.h"
#include "runs/file_system.h"

namespace holo {

namespace {

constexpr char magic[8] = {'H', 'O', 'L', 'O', 'C', 'K', 'P', 'T'};
constexpr std::uint32_t version = 2;
constexpr int compression_level = 3;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t header_size;
  std::uint64_t payload_size;     // uncompressed
  std::uint64_t compressed_size;  // what follows the header
  std::uint64_t checksum;         // FNV-1a of this header, with 0 here, and of all that follows
};
static_assert(sizeof(Header) == 40);

[[noreturn]] void refuse(const std::string& reason) { throw Error(Failure::input, reason); }

void put(std::string& bytes, std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }

void put(std::string& bytes, std::string_view text) {
  put(bytes, text.size());
  bytes.append(text);
}

std::uint64_t take_number(std::string_view& bytes) {
  std::uint64_t number;
  if (bytes.size() < sizeof number) refuse("it is damaged: it ends early");
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

std::string take_text(std::string_view& bytes) {
  const std::uint64_t size = take_number(bytes);
  if (bytes.size() < size) refuse("it is damaged: it ends early");
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(size);
  return text;
}

Header checked_header(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) refuse("it is truncated: it has " + std::to_string(bytes.size()) + " bytes");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0) refuse("it is damaged, or no checkpoint");
  if (header.version != version || header.header_size != sizeof header)
    refuse("it is of version " + std::to_string(header.version) + "; this program reads version " + std::to_string(version));
  if (header.compressed_size != bytes.size() - sizeof header)
    refuse("it is truncated: it has " + std::to_string(bytes.size()) + " bytes of " +
           std::to_string(header.compressed_size + sizeof header));
  return header;
}

std::uint64_t checksum_of(Header header, std::string_view compressed) {
  header.checksum = 0;
  return fnv1a(compressed, fnv1a(std::string_view(reinterpret_cast<const char*>(&header), sizeof header)));
}

// The checksum and the size that zstd has written itself come first: a wrong size would ask for any amount of memory.
std::string decompressed(const Header& header, std::string_view compressed) {
  if (checksum_of(header, compressed) != header.checksum) refuse("it is damaged: its checksum does not match");
  if (ZSTD_getFrameContentSize(compressed.data(), compressed.size()) != header.payload_size)
    refuse("it is damaged: its header names another size than its content");
  std::string payload(header.payload_size, '\0');
  const std::size_t size = ZSTD_decompress(payload.data(), payload.size(), compressed.data(), compressed.size());
  if (ZSTD_isError(size) || size != payload.size()) refuse("it is damaged: it cannot be decompressed");
  return payload;
}

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint, const std::vector<GrownPart>& growing) {
  std::string payload;
  put(payload, static_cast<std::uint64_t>(checkpoint.step));
  put(payload, growing.size());
  for (const GrownPart& part : growing) {
    put(payload, std::string_view(part.name));
    put(payload, part.size);
    put(payload, std::uint64_t{part.checksum});
  }
  put(payload, std::string_view(checkpoint.state));

  Header header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = version;
  header.header_size = sizeof header;
  header.payload_size = payload.size();
  std::string bytes(sizeof header + ZSTD_compressBound(payload.size()), '\0');
  const std::size_t size = ZSTD_compress(bytes.data() + sizeof header, bytes.size() - sizeof header, payload.data(),
                                         payload.size(), compression_level);
  if (ZSTD_isError(size)) throw Error(Failure::internal, std::string("zstd: ") + ZSTD_getErrorName(size));
  header.compressed_size = size;
  header.checksum = checksum_of(header, std::string_view(bytes).substr(sizeof header, size));
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.resize(sizeof header + size);
  return bytes;
}

CheckpointContent decode_checkpoint(std::string_view bytes) {
  const Header header = checked_header(bytes);
  const std::string payload = decompressed(header, bytes.substr(sizeof header));
  std::string_view rest = payload;
  CheckpointContent content;
  content.checkpoint.step = static_cast<std::int64_t>(take_number(rest));
  const std::uint64_t count = take_number(rest);
  for (std::uint64_t i = 0; i < count; ++i) {
    GrownPart part;
    part.name = take_text(rest);
    part.size = take_number(rest);
    part.checksum = static_cast<std::uint32_t>(take_number(rest));
    content.growing.push_back(std::move(part));
  }
  content.checkpoint.state = take_text(rest);
  if (!rest.empty()) refuse("it is damaged: it holds more than it should");
  return content;
}

}  // namespace holo
