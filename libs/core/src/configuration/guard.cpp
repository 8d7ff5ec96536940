// Looks a text over before the YAML parser does. The parser looks ahead to the end of a flow collection before it reports
// anything, so deep or endless ones are counted here.

#include "configuration/tree.h"

namespace holo {

namespace {

// The length of the UTF-8 sequence at `i`, or 0 when the bytes are none (overlong forms and surrogates included).
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
  const unsigned first = byte(i), second = byte(i + 1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(i + 1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    return continues(i + 1) && continues(i + 2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0;
    return continues(i + 1) && continues(i + 2) && continues(i + 3) ? 4 : 0;
  }
  return 0;
}

class TextGuard {
 public:
  TextGuard(const ConfigurationTree& tree, std::uint32_t origin) : tree_(tree), text_(tree.origins[origin].text) {
    mark_.origin = origin;
  }

  void check_bytes() {
    mark_.line = mark_.column = 0;
    for (std::size_t i = 0; i < text_.size();) {
      const unsigned char c = static_cast<unsigned char>(text_[i]);
      if (c == 0) refuse("a NUL byte; an experiment is UTF-8 text");
      if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F)
        refuse("a control character (byte " + std::to_string(c) + "); an experiment is UTF-8 text");
      const std::size_t length = utf8_length(text_, i);
      if (length == 0) refuse("byte " + std::to_string(c) + " is not UTF-8; save the file as UTF-8 text");
      i += length;
      advance(c, length);
    }
  }

  void check_structure() {
    mark_.line = mark_.column = 0;
    start_line(0);
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '\n') {
        advance(c, 1);
        i = skip_block_scalar(i + 1) - 1;
        start_line(i + 1);
        continue;
      }
      i += step(i);
      advance(c, 1);
    }
    // The parser takes the end of the file for the end of a quote.
    if (quote_ != 0) refuse_at(quote_mark_, "not YAML: the quote that starts here is never closed");
    if (!open_.empty()) refuse_at(open_.back(), "not YAML: the list or mapping that starts here is never closed");
  }

 private:
  // Looks at one character; returns how many more belong to it.
  std::size_t step(std::size_t i) {
    const char c = text_[i];
    const char next = i + 1 < text_.size() ? text_[i + 1] : '\n';
    const bool at_start = value_may_start_;
    if (comment_) return 0;
    if (quote_ != 0) return step_in_quotes(c, next);
    if (c == '\t') refuse("a tab; an experiment is laid out with spaces");
    if (c == ' ' || c == '\r') return 0;
    const bool after_blank = i == 0 || text_[i - 1] == ' ' || text_[i - 1] == '\n';
    if (c == '#' && after_blank) {
      comment_ = true;
      return 0;
    }
    const bool next_is_blank = next == ' ' || next == '\n' || next == '\r';
    value_may_start_ = (!open_.empty() && (c == ',' || c == '[' || c == '{' || c == ':')) ||
                       (next_is_blank && (c == ':' || (at_start && (c == '-' || c == '?'))));
    if (at_start && (c == '"' || c == '\'')) {
      quote_ = c;
      quote_mark_ = mark_;
    }
    if (open_.empty() && next_is_blank && (c == ':' || (at_start && (c == '-' || c == '?'))))
      indentation_ = c == ':' ? first_ : mark_.column;
    if (at_start && open_.empty() && (c == '|' || c == '>')) block_scalar_ = true;
    step_brackets(c, at_start);
    return 0;
  }

  std::size_t step_in_quotes(char c, char next) {
    const bool pair = (quote_ == '"' && c == '\\') || (quote_ == '\'' && c == '\'' && next == '\'');
    if (pair && next != '\n') {
      ++mark_.column;
      return 1;
    }
    if (c == quote_) quote_ = 0;
    return 0;
  }

  void step_brackets(char c, bool at_start) {
    if (!open_.empty() && (c == ',' || c == ':' || c == '?') && ++indicators_ > 2 * maximum_values) refuse_size();
    if ((c == '[' || c == '{') && (!open_.empty() || at_start)) {
      value_may_start_ = true;
      if (open_.size() == maximum_depth)
        refuse("lists and mappings nested over " + std::to_string(maximum_depth) + " deep, the maximum");
      open_.push_back(mark_);
      if (++indicators_ > 2 * maximum_values) refuse_size();
    }
    if ((c == ']' || c == '}') && !open_.empty()) open_.pop_back();
  }

  // The content of a literal or folded scalar is text: skipped up to the first line that is not indented below its key.
  std::size_t skip_block_scalar(std::size_t i) {
    if (!block_scalar_) return i;
    block_scalar_ = false;
    while (i < text_.size()) {
      std::size_t first = i;
      while (first < text_.size() && text_[first] == ' ') ++first;
      const bool blank = first == text_.size() || text_[first] == '\n' || text_[first] == '\r';
      if (!blank && static_cast<std::int32_t>(first - i) <= indentation_) return i;
      const std::size_t end = text_.find('\n', i);
      if (end == std::string::npos) return text_.size();
      i = end + 1;
      ++mark_.line;
    }
    return i;
  }

  // A line that is indented further than the key or dash before goes on with a plain text that the line above began.
  void start_line(std::size_t i) {
    comment_ = false;
    if (quote_ != 0) return;
    first_ = 0;
    while (i < text_.size() && text_[i] == ' ') ++i, ++first_;
    const bool blank = i == text_.size() || text_[i] == '\n' || text_[i] == '\r';
    if (!open_.empty() || blank) return;
    value_may_start_ = value_may_start_ || first_ <= indentation_;
    while (text_.compare(i, 2, "- ") == 0) {
      i += 2, first_ += 2;
      while (i < text_.size() && text_[i] == ' ') ++i, ++first_;
    }
  }

  void advance(unsigned char c, std::size_t length) {
    if (c == '\n') {
      ++mark_.line;
      mark_.column = 0;
    } else {
      mark_.column += static_cast<std::int32_t>(length);
    }
  }

  [[noreturn]] void refuse_size() const {
    refuse("over " + std::to_string(maximum_values) + " values, the maximum; put such data into a file of its own");
  }

  [[noreturn]] void refuse(const std::string& text) const { refuse_at(mark_, text); }
  [[noreturn]] void refuse_at(const TextMark& mark, const std::string& text) const {
    throw_input_error(tree_.location(mark), text);
  }

  const ConfigurationTree& tree_;
  const std::string& text_;
  TextMark mark_;
  TextMark quote_mark_;
  std::vector<TextMark> open_;  // where the lists and mappings in brackets start
  std::size_t indicators_ = 0;
  std::int32_t first_ = 0;         // column of this line's first key
  std::int32_t indentation_ = -1;  // column of the last key or dash in block style
  char quote_ = 0;
  bool comment_ = false;
  bool block_scalar_ = false;
  bool value_may_start_ = true;
};

}  // namespace

bool is_utf8(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

void check_yaml_text(const ConfigurationTree& tree, std::uint32_t origin) {
  TextGuard guard(tree, origin);
  guard.check_bytes();
  guard.check_structure();
}

}  // namespace holo
