#pragma once
// Chunks of vertices for parallel loops over them.

#include <cstddef>

namespace holo {

constexpr std::size_t energy_chunk_vertices = 1024;
constexpr std::size_t column_chunk_vertices = 128;

}  // namespace holo
