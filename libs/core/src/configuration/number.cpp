#include "configuration/number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace holo {

namespace {

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
  return i;
}

bool is_sign(char c) { return c == '+' || c == '-'; }

std::string_view without_plus(std::string_view text) { return !text.empty() && text[0] == '+' ? text.substr(1) : text; }

}  // namespace

bool is_number(std::string_view text) {
  std::size_t i = !text.empty() && is_sign(text[0]) ? 1 : 0;
  std::size_t end = skip_digits(text, i);
  std::size_t digits = end - i;
  if (end < text.size() && text[end] == '.') {
    i = end + 1;
    end = skip_digits(text, i);
    digits += end - i;
  }
  if (digits == 0) return false;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    i = end + 1;
    if (i < text.size() && is_sign(text[i])) ++i;
    end = skip_digits(text, i);
    if (end == i) return false;
  }
  return end == text.size();
}

bool is_not_finite(std::string_view text) {
  std::string_view name = !text.empty() && is_sign(text[0]) ? text.substr(1) : text;
  for (std::string_view value : {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF"})
    if (name == value) return true;
  return is_number(text) && !to_number(text);
}

bool is_boolean(std::string_view text) { return text == "true" || text == "false"; }

bool is_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<double> to_number(std::string_view text) {
  if (!is_number(text)) return {};
  const std::string_view digits = without_plus(text);
  double value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::int64_t> to_integer(std::string_view text) {
  const std::string_view digits = without_plus(text);
  std::int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec == std::errc() && result.ptr == digits.data() + digits.size() && is_number(text)) return value;
  const std::optional<double> number = to_number(text);
  // Beyond 2^53 a double no longer tells neighboring integers apart.
  if (!number || std::trunc(*number) != *number || std::abs(*number) > 9007199254740992.0) return {};
  return static_cast<std::int64_t>(*number);
}

std::string format_number(double value) {
  char buffer[32];
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

namespace {

std::string interval(const std::string& minimum, const std::string& maximum, bool minimum_excluded, bool maximum_excluded) {
  if (minimum.empty() && maximum.empty()) return "";
  if (maximum.empty()) return (minimum_excluded ? "> " : ">= ") + minimum;
  if (minimum.empty()) return (maximum_excluded ? "< " : "<= ") + maximum;
  return (minimum_excluded ? "(" : "[") + minimum + ", " + maximum + (maximum_excluded ? ")" : "]");
}

}  // namespace

std::string range_text(double minimum, double maximum, bool minimum_excluded, bool maximum_excluded) {
  return interval(std::isinf(minimum) ? "" : format_number(minimum), std::isinf(maximum) ? "" : format_number(maximum),
                  minimum_excluded, maximum_excluded);
}

std::string range_text(std::int64_t minimum, std::int64_t maximum) {
  using Limits = std::numeric_limits<std::int64_t>;
  return interval(minimum == Limits::min() ? "" : std::to_string(minimum),
                  maximum == Limits::max() ? "" : std::to_string(maximum), false, false);
}

std::string size_text(std::size_t minimum, std::size_t maximum) {
  const auto entries = [](std::size_t count) { return std::to_string(count) + (count == 1 ? " entry" : " entries"); };
  if (minimum == maximum) return entries(minimum);
  if (maximum == static_cast<std::size_t>(-1)) return minimum == 0 ? "any number of entries" : "at least " + entries(minimum);
  return minimum == 0 ? "at most " + entries(maximum) : std::to_string(minimum) + " to " + entries(maximum);
}

double stand_in(double minimum, double maximum, bool minimum_excluded, bool maximum_excluded) {
  for (double value : {1.0, 0.0, (minimum + maximum) / 2, minimum + std::abs(minimum), maximum - std::abs(maximum), minimum})
    if (std::isfinite(value) && (minimum_excluded ? value > minimum : value >= minimum) &&
        (maximum_excluded ? value < maximum : value <= maximum))
      return value;
  return maximum;
}

std::int64_t stand_in(std::int64_t minimum, std::int64_t maximum) { return minimum > 1 ? minimum : maximum < 1 ? maximum : 1; }

}  // namespace holo
