#include "export/numpy_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace holo {

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are written as they stand in memory");

// Takes the first character of a UTF-8 text.
char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xe0) == 0xc0 ? 2
                             : (first & 0xf0) == 0xe0 ? 3
                             : (first & 0xf8) == 0xf0 ? 4
                                                      : 0;
  char32_t character = length == 1 ? first : first & (0x7fu >> length);
  bool is_sound = length > 0;
  for (std::size_t i = 1; i < length; ++i) {
    is_sound = is_sound && (byte(i) & 0xc0) == 0x80;
    character = character << 6 | (byte(i) & 0x3f);
  }
  is_sound = is_sound && character <= 0x10ffff;
  text.remove_prefix(is_sound ? length : 1);
  return is_sound ? character : U'\ufffd';
}

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

}  // namespace

std::string npy_header(const std::string& type, const std::vector<std::size_t>& shape) {
  constexpr std::size_t alignment = 64, length_size = 2;
  const std::string magic("\x93NUMPY\x01\x00", 8);
  std::string sizes;
  for (const std::size_t size : shape) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size);
  if (shape.size() == 1) sizes += ",";
  // A Python literal, padded to a multiple of 64 bytes.
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", type, sizes);
  const std::size_t unpadded = magic.size() + length_size + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header = magic;
  header.append(reinterpret_cast<const char*>(&length), length_size);
  return header + text;
}

std::string npy_texts(const std::vector<std::string>& texts) {
  std::vector<std::u32string> all;
  std::size_t longest = 1;
  for (const std::string& text : texts) longest = std::max(longest, all.emplace_back(characters_of(text)).size());
  std::string bytes = npy_header(fmt::format("<U{}", longest), {texts.size()});
  for (std::u32string& text : all) {
    text.resize(longest, U'\0');
    bytes.append(reinterpret_cast<const char*>(text.data()), text.size() * sizeof(char32_t));
  }
  return bytes;
}

}  // namespace holo
