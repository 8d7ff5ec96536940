#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace holo {

void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY);  // takes the lowest number that is free: this one
}

namespace {

// Whether the text at `i` is ":LINE:COLUMN: ".
bool is_place(const std::string& text, std::size_t i) noexcept {
  for (int number = 0; number < 2; ++number) {
    if (i >= text.size() || text[i] != ':') return false;
    const std::size_t first = ++i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    if (i == first) return false;
  }
  return text.compare(i, 2, ": ") == 0;
}

bool has_place(const std::string& text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == ':' && is_place(text, i)) return true;
  return false;
}

}  // namespace

bool has_colors(std::FILE* stream) {
  const char *kind = std::getenv("TERM"), *none = std::getenv("NO_COLOR");
  const bool is_dumb = kind != nullptr && std::string_view(kind) == "dumb";
  return isatty(fileno(stream)) == 1 && !is_dumb && (none == nullptr || *none == '\0');
}

void print_error(const std::string& text) noexcept {
  // Editors look for FILE:LINE:COLUMN at the start of a line.
  if (!has_place(text)) std::fputs(has_colors(stderr) ? "\x1b[1;31mholo:\x1b[0m " : "holo: ", stderr);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
  std::fflush(stderr);
}

}  // namespace holo
