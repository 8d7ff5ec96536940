#include "report/array_encoding.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"

namespace holo::report {

namespace {

// Small numbers of either sign become small numbers: 0 -1 1 -2 2 -> 0 1 2 3 4.
template <class Unsigned>
Unsigned zigzag(Unsigned difference) {
  const bool negative = difference >> (8 * sizeof(Unsigned) - 1);
  return static_cast<Unsigned>(negative ? ~(difference << 1) : difference << 1);
}

// All lowest bytes first, then the next ones: the high bytes are nearly all zero.
template <class Unsigned>
std::string shuffled_bytes(const std::vector<Unsigned>& numbers) {
  std::string bytes(numbers.size() * sizeof(Unsigned), '\0');
  for (std::size_t byte = 0; byte < sizeof(Unsigned); ++byte)
    for (std::size_t i = 0; i < numbers.size(); ++i)
      bytes[byte * numbers.size() + i] = static_cast<char>(numbers[i] >> (8 * byte));
  return bytes;
}

}  // namespace

std::uint16_t Quantization::code(double value) const {
  if (!std::isfinite(value)) return missing;
  const double extent = maximum - minimum;
  if (!(extent > 0)) return 0;
  return static_cast<std::uint16_t>(std::lround(std::clamp((value - minimum) / extent, 0.0, 1.0) * steps));
}

std::string encode_animation(const std::vector<std::uint16_t>& codes, std::size_t entries) {
  std::vector<std::uint16_t> differences(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    // The entry is predicted to go on as from the frame before the last to the last. Smooth motions leave small errors
    // of prediction, whose high bytes are zero and compress to almost nothing.
    const unsigned before = i >= entries ? codes[i - entries] : 0;
    const unsigned two_before = i >= 2 * entries ? codes[i - 2 * entries] : before;
    const unsigned predicted = i >= entries ? 2 * before - two_before : 0;
    differences[i] = zigzag(static_cast<std::uint16_t>(codes[i] - predicted));
  }
  return base64(gzip(shuffled_bytes(differences)));
}

std::string encode_indices(const std::vector<std::uint32_t>& indices) {
  std::vector<std::uint32_t> differences(indices.size());
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    differences[i] = zigzag(indices[i] - before);
    before = indices[i];
  }
  return base64(gzip(shuffled_bytes(differences)));
}

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    // Three bytes become four digits of 6 bits; an incomplete last group is filled up with zeros and marked by '='.
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  constexpr int gzip_header = 16;
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + gzip_header, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error(Failure::environment, "zlib cannot start: out of memory");
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  // zlib counts in 32 bits: longer input is handed over in pieces.
  std::size_t in_left = bytes.size(), out_left = packed.size();
  constexpr std::size_t piece = 1u << 30;
  int status = Z_OK;
  do {
    const uInt in_piece = static_cast<uInt>(std::min(in_left, piece)), out_piece = static_cast<uInt>(std::min(out_left, piece));
    stream.avail_in = in_piece;
    stream.avail_out = out_piece;
    status = deflate(&stream, in_left == in_piece ? Z_FINISH : Z_NO_FLUSH);
    in_left -= in_piece - stream.avail_in;
    out_left -= out_piece - stream.avail_out;
  } while (status == Z_OK);
  deflateEnd(&stream);
  if (status != Z_STREAM_END)
    throw Error(Failure::internal, "zlib could not compress " + std::to_string(bytes.size()) + " bytes");
  packed.resize(packed.size() - out_left);
  return packed;
}

}  // namespace holo::report
