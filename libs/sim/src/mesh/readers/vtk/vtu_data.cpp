#include "mesh/readers/vtk/vtu_data.h"

#include <fmt/format.h>
#include <zlib.h>

#include <functional>
#include <limits>
#include <pugixml.hpp>
#include <type_traits>

namespace holo {

namespace {

using Fail = std::function<void(const std::string&)>;  // does not return

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

// Bytes as they come, raw or from base64. Padding may stand within the text: some writers encode the header and the data apart,
// others together.
class EncodedBytes {
 public:
  EncodedBytes(std::string_view text, bool base64, Fail fail) : text_(text), base64_(base64), fail_(std::move(fail)) {}

  // No more than this is left.
  std::uint64_t capacity() const {
    return pending_.size() + (base64_ ? (text_.size() - position_) / 4 * 3 + 3 : text_.size() - position_);
  }

  std::string read(std::uint64_t size) {
    if (size > capacity())
      fail_(fmt::format("{} bytes are needed, at most {} are left: the file is truncated", size, capacity()));
    while (pending_.size() < size)
      if (!(base64_ ? decode_group() : take_raw(size - pending_.size())))
        fail_(fmt::format("{} bytes are needed, {} are left: the file is truncated", size, pending_.size()));
    std::string found = pending_.substr(0, size);
    pending_.erase(0, size);
    return found;
  }

 private:
  bool take_raw(std::size_t size) {
    if (position_ == text_.size()) return false;
    pending_ += text_.substr(position_, size);
    position_ += std::min(size, text_.size() - position_);
    return true;
  }

  // Four digits, as many bytes as they hold, up to a few kilobytes at a time. False at the end.
  bool decode_group() {
    constexpr std::size_t at_once = 4096;
    const std::size_t before = pending_.size();
    while (pending_.size() < before + at_once) {
      unsigned bits = 0;
      int digits = 0, padding = 0;
      while (digits + padding < 4) {
        while (position_ < text_.size() &&
               (text_[position_] == '\n' || text_[position_] == ' ' || text_[position_] == '\r' || text_[position_] == '\t'))
          ++position_;
        if (position_ == text_.size() || text_[position_] == '<') break;
        const char c = text_[position_++];
        const int digit = base64_digit(c);
        if (c == '=' && digits >= 2)
          ++padding;
        else if (digit >= 0 && padding == 0)
          ++digits;
        else
          fail_(fmt::format("{} in base64 data", shown({&c, 1})));
        bits = bits << 6 | static_cast<unsigned>(std::max(digit, 0));
      }
      if (digits + padding == 0) break;
      if (digits + padding < 4) fail_("base64 data end within a group of four digits: the file is truncated");
      for (int byte = 0; byte < digits - 1; ++byte) pending_ += static_cast<char>(bits >> (16 - 8 * byte) & 0xff);
    }
    return pending_.size() > before;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  bool base64_;
  Fail fail_;
  std::string pending_;
};

std::vector<std::uint64_t> read_header(EncodedBytes& source, const VtuEncoding& encoding, std::uint64_t count) {
  const std::string bytes = source.read(count * encoding.header_bytes);
  std::vector<std::uint64_t> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = bytes.data() + i * encoding.header_bytes;
    if (encoding.header_bytes == 4) {
      std::uint32_t number;
      std::memcpy(&number, at, sizeof number);
      numbers[i] = encoding.swap_bytes ? swapped(number) : number;
    } else {
      std::memcpy(&numbers[i], at, sizeof numbers[i]);
      if (encoding.swap_bytes) numbers[i] = swapped(numbers[i]);
    }
  }
  return numbers;
}

std::string read_plain(EncodedBytes& source, const VtuEncoding& encoding, std::uint64_t size, const Fail& fail) {
  const std::uint64_t announced = read_header(source, encoding, 1)[0];
  if (announced != size) fail(fmt::format("{} bytes of data, {} are required", announced, size));
  return source.read(size);
}

// [blocks, bytes of each, bytes of a shorter last one, compressed bytes of each...], then the blocks.
std::string read_compressed(EncodedBytes& source, const VtuEncoding& encoding, std::uint64_t size, const Fail& fail) {
  constexpr std::uint64_t largest_ratio = 1040;  // of zlib: 1032 and a few bytes of frame
  const std::vector<std::uint64_t> head = read_header(source, encoding, 3);
  const std::uint64_t blocks = head[0], block_size = head[1], last_size = head[2];
  const std::uint64_t full = blocks - (last_size > 0 && blocks > 0 ? 1 : 0);
  const bool fits = last_size <= size && (full == 0 ? last_size * (blocks > 0) == size
                                                    : block_size <= size / full && full * block_size == size - last_size);
  if (!fits)
    fail(fmt::format("{} blocks of {} bytes, the last of {}, do not make the {} bytes that are required", blocks, block_size,
                     last_size, size));
  if (blocks > source.capacity() / encoding.header_bytes || size / largest_ratio > source.capacity())
    fail(fmt::format("{} blocks for {} bytes cannot come from the {} bytes that are left: the file is truncated", blocks, size,
                     source.capacity()));
  std::string out(size, '\0');
  std::uint64_t written = 0;
  for (const std::uint64_t compressed_size : read_header(source, encoding, blocks)) {
    const std::string compressed = source.read(compressed_size);
    const std::uint64_t expected = std::min(block_size > 0 ? block_size : size, size - written);
    uLongf found = expected;
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data() + written), &found,
                                  reinterpret_cast<const Bytef*>(compressed.data()), compressed.size());
    if (status != Z_OK || found != expected) fail(fmt::format("a compressed block is damaged (zlib says {})", zError(status)));
    written += expected;
  }
  return out;
}

template <class Stored, class T>
void convert(const std::string& bytes, bool swap, std::vector<T>& out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<T>(swap ? swapped(value) : value);  // NOLINT(bugprone-signed-char-misuse): Int8 has a sign
  }
}

}  // namespace

void VtuData::fail(const pugi::xml_node& node, const std::string& text) const {
  const std::string name = node.attribute("Name") ? fmt::format("{} {}", node.name(), shown(node.attribute("Name").value()))
                                                  : std::string(node.name());
  scanner_.fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)), name + ": " + text);
}

std::int64_t VtuData::integer_attribute(const pugi::xml_node& node, const char* name, std::int64_t minimum,
                                        std::int64_t maximum) const {
  const pugi::xml_attribute attribute = node.attribute(name);
  if (!attribute) fail(node, fmt::format("the attribute '{}' is missing", name));
  const int line = scanner_.line_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)));
  MeshScanner value(scanner_.file(), attribute.value(), line);
  const std::string what = fmt::format("'{}' of {}", name, node.name());
  const std::int64_t found = value.integer(what.c_str(), minimum, maximum);
  if (!value.at_end()) fail(node, fmt::format("'{}' is {}, an integer is required", name, shown(attribute.value())));
  return found;
}

std::string VtuData::bytes(const pugi::xml_node& array, std::uint64_t size) const {
  const std::string_view format = array.attribute("format").value();
  const Fail refuse = [&](const std::string& text) { fail(array, text); };
  std::string_view text = array.text().get();
  bool base64 = true;
  if (format == "appended") {
    if (encoding_.appended.data() == nullptr)
      fail(array, "its data are appended, but the file has no AppendedData: it is truncated");
    const auto offset =
        static_cast<std::size_t>(integer_attribute(array, "offset", 0, static_cast<std::int64_t>(encoding_.appended.size())));
    text = encoding_.appended.substr(offset);
    base64 = encoding_.appended_base64;
  }
  EncodedBytes source(text, base64, refuse);
  return encoding_.compressed ? read_compressed(source, encoding_, size, refuse) : read_plain(source, encoding_, size, refuse);
}

template <class T>
std::vector<T> VtuData::numbers(const pugi::xml_node& array, std::int64_t count) const {
  const std::string_view format = array.attribute("format").value();
  if (format == "ascii") {
    const pugi::xml_node text = array.find_child([](const pugi::xml_node& child) { return child.type() == pugi::node_pcdata; });
    const std::size_t start =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(text ? text.offset_debug() : array.offset_debug(), 0));
    MeshScanner scanner(scanner_.file(), text.value(), scanner_.line_at(start));
    scanner.expect_bytes(count, 1, "numbers");
    std::vector<T> out(static_cast<std::size_t>(count));
    const std::string what = fmt::format("a number of {}", shown(array.attribute("Name").value()));
    for (T& value : out) {
      if (scanner.at_end()) fail(array, fmt::format("{} numbers, {} are required", &value - out.data(), count));
      if constexpr (std::is_same_v<T, double>)
        value = scanner.any_number(what.c_str());
      else
        value = scanner.integer(what.c_str(), std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    }
    if (!scanner.at_end()) fail(array, fmt::format("more than the {} numbers that are required", count));
    return out;
  }
  if (format != "binary" && format != "appended")
    fail(array, fmt::format("the format is {}; 'ascii', 'binary' and 'appended' are allowed", shown(format)));

  struct Type {
    std::string_view name;
    std::size_t bytes;
    void (*convert)(const std::string&, bool, std::vector<T>&);
  };
  static constexpr Type types[] = {{"Int8", 1, convert<std::int8_t, T>},   {"UInt8", 1, convert<std::uint8_t, T>},
                                   {"Int16", 2, convert<std::int16_t, T>}, {"UInt16", 2, convert<std::uint16_t, T>},
                                   {"Int32", 4, convert<std::int32_t, T>}, {"UInt32", 4, convert<std::uint32_t, T>},
                                   {"Int64", 8, convert<std::int64_t, T>}, {"UInt64", 8, convert<std::uint64_t, T>},
                                   {"Float32", 4, convert<float, T>},      {"Float64", 8, convert<double, T>}};
  const std::string_view name = array.attribute("type").value();
  for (const Type& type : types) {
    if (type.name != name) continue;
    if (std::is_integral_v<T> && name.starts_with("Float")) break;
    const std::string raw = bytes(array, static_cast<std::uint64_t>(count) * type.bytes);
    std::vector<T> out(static_cast<std::size_t>(count));
    type.convert(raw, encoding_.swap_bytes, out);
    return out;
  }
  fail(array, fmt::format("the number type is {}; Int8 to UInt64{} are allowed", shown(name),
                          std::is_integral_v<T> ? "" : ", Float32 and Float64"));
}

std::vector<double> VtuData::reals(const pugi::xml_node& array, std::int64_t count) const {
  return numbers<double>(array, count);
}

std::vector<std::int64_t> VtuData::integers(const pugi::xml_node& array, std::int64_t count) const {
  return numbers<std::int64_t>(array, count);
}

}  // namespace holo
