#pragma once
// The end of a section of a gmsh file that is not read.

#include <cstddef>
#include <optional>
#include <string>

#include "mesh/readers/mesh_scanner.h"

namespace holo {

// The scanner stands behind "$NAME"; returns the place behind "$EndNAME", none where the section has no end. Binary values may
// hold any bytes, those of the end's mark too, and need not end in a newline before it.
std::optional<std::size_t> end_of_skipped_section(const MeshScanner& scanner, const std::string& name);

}  // namespace holo
