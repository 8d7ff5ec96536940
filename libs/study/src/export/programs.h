#pragma once
// Other programs that an export runs.

#include <filesystem>
#include <string>
#include <vector>

namespace holo {

// The first of the programs, by their names, that a folder of $PATH has; the value of the variable instead where it is set.
// Throws Error(environment) where there is none: "--format mp4: ffmpeg is not installed: ...".
std::filesystem::path find_program(const std::string& variable, const std::vector<std::string>& names,
                                   const std::string& format);

// Runs a program to its end, without a shell and without input. Throws Error(environment) with what it wrote, unless it ends
// with code 0. `log`: a file for its output.
void run_program(const std::vector<std::string>& words, const std::filesystem::path& log);

}  // namespace holo
