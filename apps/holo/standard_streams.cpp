#include "standard_streams.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>

namespace holo {

void open_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY);  // takes the lowest number that is free: this one
}

void print_error(const std::string& text) noexcept {
  std::fputs("holo: ", stderr);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
  std::fflush(stderr);
}

}  // namespace holo
