#include "mesh/readers/mesh_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "holo/core/error.h"

namespace holo {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// std::from_chars refuses a leading plus, which files have.
std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

// The whole word as a double, infinite where it is beyond the range. False: not a number.
bool parse_number(std::string_view word, double& value) {
  const std::string_view text = without_plus(word);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    value = std::strtod(std::string(text).c_str(), nullptr);  // 0 or infinity
    return end == text.data() + text.size();
  }
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string text = "'";
  for (char c : word.substr(0, longest)) {
    if (c >= 0x20 && c < 0x7f)
      text += c;
    else
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text + (word.size() > longest ? "...'" : "'");
}

void MeshScanner::skip_blanks() {
  while (position_ < bytes_.size()) {
    if (is_blank(bytes_[position_])) {
      ++position_;
    } else if (comment_ != 0 && bytes_[position_] == comment_) {
      const std::size_t end = bytes_.find('\n', position_);
      position_ = end == std::string_view::npos ? bytes_.size() : end;
    } else {
      return;
    }
  }
}

bool MeshScanner::at_end() {
  skip_blanks();
  return position_ == bytes_.size();
}

std::string_view MeshScanner::peek_word() {
  skip_blanks();
  std::size_t end = position_;
  while (end < bytes_.size() && !is_blank(bytes_[end]) && (comment_ == 0 || bytes_[end] != comment_)) ++end;
  return bytes_.substr(position_, end - position_);
}

std::string_view MeshScanner::word(const char* what) {
  const std::string_view found = peek_word();
  last_ = position_;
  if (found.empty()) fail(fmt::format("the file ends where {} is expected: it is truncated", what));
  position_ += found.size();
  return found;
}

bool MeshScanner::more_on_line() {
  std::size_t next = position_;
  while (next < bytes_.size() && is_blank(bytes_[next]) && bytes_[next] != '\n') ++next;
  return next < bytes_.size() && bytes_[next] != '\n' && (comment_ == 0 || bytes_[next] != comment_);
}

std::string_view MeshScanner::rest_of_line() {
  last_ = position_;
  const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
  std::string_view line = bytes_.substr(position_, end - position_);
  position_ = std::min(end + 1, bytes_.size());
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::int64_t MeshScanner::integer(const char* what, std::int64_t minimum, std::int64_t maximum) {
  const std::string_view found = word(what), text = without_plus(found);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if ((error != std::errc() && error != std::errc::result_out_of_range) || end != text.data() + text.size())
    fail(fmt::format("{} is {}, an integer is required", what, shown(found)));
  if (error == std::errc::result_out_of_range || value < minimum || value > maximum)
    fail(fmt::format("{} is {}, allowed are {} to {}", what, shown(found), minimum, maximum));
  return value;
}

double MeshScanner::any_number(const char* what) {
  const std::string_view found = word(what);
  double value = 0;
  if (!parse_number(found, value)) fail(fmt::format("{} is {}, a number is required", what, shown(found)));
  return value;
}

double MeshScanner::number(const char* what) {
  const double value = any_number(what);
  if (!std::isfinite(value)) fail(fmt::format("{} is {}, a finite number is required", what, value));
  return value;
}

std::string_view MeshScanner::take(std::uint64_t bytes, const char* what) {
  last_ = position_;
  if (bytes > remaining())
    fail(fmt::format("the file ends {} bytes later, {} needs {}: it is truncated", remaining(), what, bytes));
  const std::string_view found = bytes_.substr(position_, bytes);
  position_ += bytes;
  return found;
}

void MeshScanner::skip(std::uint64_t bytes, const char* what) { take(bytes, what); }

// Called before memory is reserved, so that a wrong count does not take gigabytes.
void MeshScanner::expect_bytes(std::int64_t count, std::uint64_t bytes_each, const char* what) {
  if (count < 0 || static_cast<std::uint64_t>(count) > remaining() / bytes_each)
    fail(fmt::format(
        "{} {} are announced, but the {} bytes that are left hold at most {}: the count is wrong or the file is truncated",
        count, what, remaining(), remaining() / bytes_each));
}

void MeshScanner::set_position(std::size_t position) { position_ = std::min(position, bytes_.size()); }

void MeshScanner::fail(const std::string& text) const { fail_at(last_, text); }

void MeshScanner::fail_at(std::size_t position, const std::string& text) const {
  if (binary_) throw Error(Failure::input, fmt::format("{}: byte {}: {}", file_, position, text));
  throw_input_error({file_, line_at(position), 0}, text);
}

void MeshScanner::fail_in_column(std::size_t position, const std::string& text) const {
  if (binary_) fail_at(position, text);
  const std::size_t end_of_line_before = bytes_.substr(0, position).rfind('\n');  // npos + 1 is 0
  throw_input_error({file_, line_at(position), static_cast<int>(position - (end_of_line_before + 1)) + 1}, text);
}

int MeshScanner::line_at(std::size_t position) const {
  const auto before = bytes_.substr(0, position);
  return first_line_ + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace holo
