#pragma once
// Paragraphs of the Markdown pages that benchmarks write, wrapped at 100 columns as the other pages of docs/.

#include <cstddef>
#include <sstream>
#include <string>

namespace holo::benchmark {

// The words of `text`, in lines of at most `columns` characters (a longer word has a line of its own), and an empty line after
// them. Words are separated by spaces; every character counts as one column, so the text must be ASCII.
inline std::string paragraph(const std::string& text, std::size_t columns = 100) {
  std::istringstream words(text);
  std::string result;
  std::size_t width = 0;
  for (std::string word; words >> word; width += word.size()) {
    if (width > 0 && width + 1 + word.size() > columns) {
      result += '\n';
      width = 0;
    } else if (width > 0) {
      result += ' ';
      ++width;
    }
    result += word;
  }
  return result + "\n\n";
}

}  // namespace holo::benchmark
