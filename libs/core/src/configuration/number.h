#pragma once
// Numbers as text: YAML's decimal grammar, read and written without the locale.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holo {

// Digits with an optional sign, point and exponent: 3, -0.5, 1.0e5, 1e-8. Not 1_000, 0x10, nan or inf.
bool is_number(std::string_view text);
// YAML's .nan, .inf and -.inf, or digits whose value no double holds (1e999, 1e-999).
bool is_not_finite(std::string_view text);
bool is_boolean(std::string_view text);
bool is_null(std::string_view text);

// Empty unless is_number(text) and a double holds it.
std::optional<double> to_number(std::string_view text);
// Empty unless the text is an integer that 64 bits hold; 3.0 and 1e3 are integers too.
std::optional<std::int64_t> to_integer(std::string_view text);

// The shortest text that reads back as the same number.
std::string format_number(double value);

// "> 0", "<= 1", "[0, 0.5)" or "".
std::string range_text(double minimum, double maximum, bool minimum_excluded, bool maximum_excluded);
std::string range_text(std::int64_t minimum, std::int64_t maximum);
std::string size_text(std::size_t minimum, std::size_t maximum);  // "3 entries", "at least 1 entry", "2 to 5 entries"

// A number inside the range, to read on with after a problem.
double stand_in(double minimum, double maximum, bool minimum_excluded, bool maximum_excluded);
std::int64_t stand_in(std::int64_t minimum, std::int64_t maximum);

}  // namespace holo
