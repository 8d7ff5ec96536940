#pragma once
// Reads words, lines and binary numbers from a file's bytes, each checked; every failure names the line (or, in binary data,
// the byte), what was found and what is allowed.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace holo {

class MeshScanner {
 public:
  // `first_line`: the line of the file on which `bytes` begin.
  MeshScanner(std::string file, std::string_view bytes, int first_line = 1)
      : file_(std::move(file)), bytes_(bytes), first_line_(first_line) {}

  // ---- text. Words are separated by blanks; `comment` (0: none) starts one that lasts to the end of the line.
  void set_comment(char comment) { comment_ = comment; }
  bool at_end();                            // after blanks
  std::string_view peek_word();             // "" at the end of the file
  std::string_view word(const char* what);  // fails at the end of the file, naming what is missing
  bool more_on_line();                      // another word before the line's end
  std::string_view rest_of_line();          // without its line end
  std::int64_t integer(const char* what, std::int64_t minimum, std::int64_t maximum);
  double number(const char* what);      // finite
  double any_number(const char* what);  // may be infinite or not a number: read only to be skipped

  // ---- binary. From here on messages name bytes, also for the text between binary data.
  void set_binary(bool swap_bytes) { binary_ = true, swap_ = swap_bytes; }
  bool binary() const { return binary_; }
  template <class T>
  T value(const char* what);
  void skip(std::uint64_t bytes, const char* what);
  std::string_view take(std::uint64_t bytes, const char* what);

  // Fails when `count` things of at least `bytes_each` cannot fit in what is left.
  void expect_bytes(std::int64_t count, std::uint64_t bytes_each, const char* what);

  std::size_t position() const { return position_; }
  void set_position(std::size_t position);
  std::size_t remaining() const { return bytes_.size() - position_; }
  std::string_view bytes() const { return bytes_; }
  const std::string& file() const { return file_; }

  int line_at(std::size_t position) const;

  // "file:line: text", or "file: byte N: text" in binary data. The line is that of the last word read.
  [[noreturn]] void fail(const std::string& text) const;
  // Fails at a given position.
  [[noreturn]] void fail_at(std::size_t position, const std::string& text) const;
  // Fails with the column: "file:line:column: text".
  [[noreturn]] void fail_in_column(std::size_t position, const std::string& text) const;
  std::size_t last() const { return last_; }  // start of the last item read

 private:
  void skip_blanks();

  std::string file_;
  std::string_view bytes_;
  int first_line_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;  // start of the last item read
  char comment_ = 0;
  bool binary_ = false;
  bool swap_ = false;
};

// Reverses the bytes of a number.
template <class T>
T swapped(T value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
T MeshScanner::value(const char* what) {
  T number;
  std::memcpy(&number, take(sizeof(T), what).data(), sizeof(T));
  return swap_ ? swapped(number) : number;
}

// A word of a file as it may stand in a message: short, and printable.
std::string shown(std::string_view word);

}  // namespace holo
