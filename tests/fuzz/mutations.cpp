#include "mutations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>
#include <set>
#include <utility>

namespace holo::fuzz {

namespace {

// Numbers at which readers go wrong: bounds of types, what is no number, what is none of a count or an index.
constexpr const char* extreme_numbers[] = {"0",
                                           "-1",
                                           "1",
                                           "2",
                                           "-2147483648",
                                           "2147483647",
                                           "2147483648",
                                           "4294967295",
                                           "4294967296",
                                           "-9223372036854775808",
                                           "9223372036854775807",
                                           "18446744073709551615",
                                           "18446744073709551616",
                                           "1e308",
                                           "-1e308",
                                           "1e309",
                                           "1e-320",
                                           "-0",
                                           "nan",
                                           "inf",
                                           "-inf",
                                           "1e18",
                                           "0x7fffffff",
                                           "1_000",
                                           "1.5.5",
                                           "99999999999999999999999999",
                                           "",
                                           "+1",
                                           ".",
                                           "1e",
                                           "65536",
                                           "16777217"};

constexpr std::array<std::uint64_t, 12> extreme_integers = {0,
                                                            1,
                                                            ~std::uint64_t{0},
                                                            0x7f,
                                                            0x80,
                                                            0xffff,
                                                            0x7fffffff,
                                                            0x80000000,
                                                            0xffffffff,
                                                            0x7fffffffffffffff,
                                                            0x8000000000000000,
                                                            0x1000000000};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_of_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+'; }

using Span = std::pair<std::size_t, std::size_t>;  // first, length

// The longest span around `at` of which `is_part` holds; where it does not there, of the next place where it does.
template <class IsPart>
Span span_at(const std::string& text, std::size_t at, const IsPart& is_part) {
  while (at < text.size() && !is_part(text[at])) ++at;
  std::size_t begin = at, end = at;
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  while (end < text.size() && is_part(text[end])) ++end;
  return {begin, end - begin};
}

void collect_words(const std::string& text, std::set<std::string>& words) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [begin, length] = span_at(text, at, is_of_word);
    if (length == 0) return;
    if (length <= 40) words.insert(text.substr(begin, length));
    at = begin + length;
  }
}

}  // namespace

struct Mutations::Choice {
  std::mt19937_64 random;

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  // Short lengths are as frequent as long ones.
  std::size_t length(std::size_t most) { return std::min(most, below(std::size_t{1} << (1 + below(10)))); }
};

Mutations::Mutations(std::vector<std::string> good_files, std::size_t largest)
    : good_files_(std::move(good_files)), largest_(largest) {
  std::set<std::string> words;
  for (const std::string& file : good_files_) collect_words(file, words);
  words_.assign(words.begin(), words.end());
}

std::string Mutations::input(std::uint64_t seed, std::uint64_t number) const {
  if (number < good_files_.size()) return good_files_[number];
  Choice choice{std::mt19937_64(seed * 0x9e3779b97f4a7c15u + number)};
  std::string text = good_files_[choice.below(good_files_.size())];
  for (std::size_t change_count = 1 + choice.below(4); change_count > 0; --change_count) change(text, choice);
  if (text.size() > largest_) text.resize(largest_);
  return text;
}

void Mutations::change(std::string& text, Choice& choice) const {
  if (text.empty()) text = "0";
  switch (choice.below(8)) {
    case 0:
    case 1:
      return change_bytes(text, choice);
    case 2:
      return change_span(text, choice);
    case 3:
    case 4:
      return change_number(text, choice);
    case 5:
      return change_words(text, choice);
    case 6:
      return change_lines(text, choice);
    default:
      if (choice.one_in(3)) text.resize(choice.below(text.size()));  // cut off
      return change_span(text, choice);
  }
}

// A bit flips; a byte, or a binary number of 2, 4 or 8 bytes and either order, becomes another.
void Mutations::change_bytes(std::string& text, Choice& choice) const {
  const std::size_t at = choice.below(text.size());
  if (choice.one_in(3)) {
    text[at] = static_cast<char>(text[at] ^ (1 << choice.below(8)));
    return;
  }
  if (choice.one_in(2)) {
    text[at] = choice.one_in(2) ? static_cast<char>(choice.random()) : "\0\n \"'<>{}[],:;-#&%$@/\\"[choice.below(22)];
    return;
  }
  std::array<char, 8> bytes;
  const std::uint64_t number = extreme_integers[choice.below(extreme_integers.size())];
  std::memcpy(bytes.data(), &number, bytes.size());
  const std::size_t width = std::size_t{2} << choice.below(3);
  if (choice.one_in(2)) std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(width));
  text.replace(at, std::min(width, text.size() - at), bytes.data(), std::min(width, text.size() - at));
}

// A span is left out, doubled, repeated many times, or comes from elsewhere in the good files.
void Mutations::change_span(std::string& text, Choice& choice) const {
  if (text.empty()) return;
  const std::size_t at = choice.below(text.size()), length = choice.length(text.size() - at);
  const std::string span = text.substr(at, length);
  switch (choice.below(4)) {
    case 0:
      text.erase(at, length);
      return;
    case 1:
      text.insert(at, span);
      return;
    case 2: {
      std::size_t times = choice.one_in(4) ? 1000 : 8;
      for (times = 1 + choice.below(times); times > 0 && text.size() < largest_; --times) text.insert(at, span);
      return;
    }
    default: {
      const std::string& other = good_files_[choice.below(good_files_.size())];
      const std::size_t from = choice.below(other.size());
      text.insert(choice.below(text.size()), other, from, choice.length(other.size() - from));
    }
  }
}

void Mutations::change_number(std::string& text, Choice& choice) const {
  const auto [begin, length] = span_at(text, choice.below(text.size()), is_of_number);
  if (length == 0) return change_bytes(text, choice);
  if (choice.one_in(3))  // one digit
    text[begin + choice.below(length)] = static_cast<char>('0' + choice.below(10));
  else
    text.replace(begin, length, extreme_numbers[choice.below(std::size(extreme_numbers))]);
}

// A word becomes one of the good files, or changes its place with another.
void Mutations::change_words(std::string& text, Choice& choice) const {
  const Span first = span_at(text, choice.below(text.size()), is_of_word);
  if (first.second == 0) return change_bytes(text, choice);
  if (choice.one_in(2) && !words_.empty()) {
    text.replace(first.first, first.second, words_[choice.below(words_.size())]);
    return;
  }
  const Span second = span_at(text, choice.below(text.size()), is_of_word);
  const auto& [low, high] = std::minmax(first, second);
  if (low.first + low.second > high.first) return;  // one and the same
  const std::string a = text.substr(low.first, low.second), b = text.substr(high.first, high.second);
  text.replace(high.first, high.second, a);
  text.replace(low.first, low.second, b);
}

// A line is left out, doubled, or changes its place.
void Mutations::change_lines(std::string& text, Choice& choice) const {
  const auto in_line = [](char c) { return c != '\n'; };
  Span line = span_at(text, choice.below(text.size()), in_line);
  line.second = std::min(line.second + 1, text.size() - line.first);  // with its end
  const std::string content = text.substr(line.first, line.second);
  if (choice.one_in(2)) text.erase(line.first, line.second);
  if (choice.one_in(3) || text.empty()) return;
  text.insert(span_at(text, choice.below(text.size()), in_line).first, content);
}

}  // namespace holo::fuzz
