#include "motion/bvh_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "holo/core/error.h"
#include "mesh/readers/mesh_scanner.h"

namespace holo {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

// "{" and "}" are words of their own even where no blank stands beside them.
bool is_brace(char c) { return c == '{' || c == '}'; }

std::string_view without_plus(std::string_view word) {
  return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

void BvhScanner::skip_blanks() {
  while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
}

std::string_view BvhScanner::peek() {
  skip_blanks();
  if (position_ == text_.size()) return {};
  std::size_t end = position_ + 1;
  if (!is_brace(text_[position_]))
    while (end < text_.size() && !is_blank(text_[end]) && !is_brace(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view BvhScanner::word(const char* what) {
  const std::string_view found = peek();
  last_ = position_;
  if (found.empty()) fail(fmt::format("the file ends where {} is expected: it is truncated", what));
  position_ += found.size();
  return found;
}

void BvhScanner::expect(std::string_view keyword) {
  const std::string_view found = word(fmt::format("'{}'", keyword).c_str());
  if (!same_word(found, keyword)) fail(fmt::format("{} stands where '{}' is expected", shown(found), keyword));
}

double BvhScanner::number(const std::string& what) {
  const std::string_view found = word(what.c_str()), text = without_plus(found);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    fail(fmt::format("{} is {}, a number is required", what, shown(found)));
  if (error == std::errc::result_out_of_range || !std::isfinite(value))
    fail(fmt::format("{} is {}, a finite number of double precision is required", what, shown(found)));
  return value;
}

std::int64_t BvhScanner::integer(const std::string& what, std::int64_t minimum, std::int64_t maximum) {
  const std::string_view found = word(what.c_str()), text = without_plus(found);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    fail(fmt::format("{} is {}, an integer is required", what, shown(found)));
  if (error == std::errc::result_out_of_range || value < minimum || value > maximum)
    fail(fmt::format("{} is {}, allowed are {} to {}", what, shown(found), minimum, maximum));
  return value;
}

std::string_view BvhScanner::name() {
  while (position_ < text_.size() && text_[position_] != '\n' && is_blank(text_[position_])) ++position_;
  last_ = position_;
  std::size_t end = std::min(text_.find_first_of("\n{", position_), text_.size());
  const std::size_t next = end;
  while (end > position_ && is_blank(text_[end - 1])) --end;
  const std::string_view found = text_.substr(position_, end - position_);
  position_ = next;
  return found;
}

bool BvhScanner::more_on_line() {
  std::size_t next = position_;
  while (next < text_.size() && text_[next] != '\n' && is_blank(text_[next])) ++next;
  return next < text_.size() && text_[next] != '\n';
}

void BvhScanner::finish_line(const std::string& what) {
  if (more_on_line()) fail_next(fmt::format("{} stands where the line should end: {}", shown(peek()), what));
}

void BvhScanner::fail_next(const std::string& problem) {
  skip_blanks();
  fail_at(position_, problem);
}

void BvhScanner::fail_at(std::size_t position, const std::string& problem) const {
  const std::string_view before = text_.substr(0, position);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  throw_input_error({file_, 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
                     1 + static_cast<int>(position - line_start)},
                    problem);
}

}  // namespace holo
