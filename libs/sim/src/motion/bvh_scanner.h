#pragma once
// Reads a text line by line and word by word; every failure names file, line and column.

#include <cstdint>
#include <string>
#include <string_view>

namespace holo {

class BvhScanner {
 public:
  BvhScanner(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  // ---- words, wherever their lines end
  std::string_view peek();                  // "" at the end of the text
  std::string_view word(const char* what);  // fails at the end, saying what is missing
  void expect(std::string_view keyword);    // a word without regard to case
  double number(const std::string& what);   // finite
  std::int64_t integer(const std::string& what, std::int64_t minimum, std::int64_t maximum);
  // The rest of the line up to a '{', without blanks around it.
  std::string_view name();

  // ---- lines
  bool more_on_line();                        // another word before the line's end
  void finish_line(const std::string& what);  // fails where there is another word

  std::size_t remaining() const { return text_.size() - position_; }
  // Fails at the last word read.
  [[noreturn]] void fail(const std::string& problem) const { fail_at(last_, problem); }
  // Fails at the next word.
  [[noreturn]] void fail_next(const std::string& problem);

 private:
  [[noreturn]] void fail_at(std::size_t position, const std::string& problem) const;
  void skip_blanks();

  std::string file_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t last_ = 0;  // where the last word began
};

// Whether two words are equal except for case.
bool same_word(std::string_view a, std::string_view b);

}  // namespace holo
