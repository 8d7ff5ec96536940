#pragma once
// The three streams that a program is given, which may be missing, closed or full.

#include <cstdio>
#include <string>

namespace holo {

// Whether a stream takes colors: it is a terminal, not a dumb one, and NO_COLOR is not set or empty (https://no-color.org).
bool has_colors(std::FILE* stream);

// Opens /dev/null on those of the descriptors 0, 1 and 2 that are closed: the next file of a run would be opened on them, and
// messages written over its content.
void open_standard_streams();

// "holo: TEXT" as a line of the standard error, without "holo: " where the text names places of a file. Never throws: where
// nothing can be written, the exit code still tells.
void print_error(const std::string& text) noexcept;

}  // namespace holo
