#pragma once
// Sizes of the blocks of vertices in parallel loops.

#include <cstddef>

namespace holo {

constexpr std::size_t energy_block_vertices = 1024;
constexpr std::size_t column_block_vertices = 128;

}  // namespace holo
