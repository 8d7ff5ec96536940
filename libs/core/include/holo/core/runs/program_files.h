#pragma once
// The place of this program and of the files that belong to it: plugins, the page's template, helper programs. The program is
// an executable, or a shared library that contains this code, such as the module of the Python package.

#include <filesystem>

namespace holo {

// The file with this code; "" if the system does not tell.
std::filesystem::path program_file();

// The folder of the build or installation that the program belongs to: of bin/PROGRAM, or of python/PACKAGE/MODULE, which is
// below lib/holo in an installation.
std::filesystem::path program_prefix();

}  // namespace holo
