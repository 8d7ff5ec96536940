#pragma once
// A quadratic tetrahedron as eight parts.

namespace holo {

// The vertices of linear tetrahedra in a quadratic one: four at its corners, and the octahedron between them cut along the
// diagonal from the edge 01 to the edge 23; each with the orientation of the whole.
inline constexpr int element_eighths[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                                              {4, 9, 6, 7}, {4, 9, 7, 8}, {4, 9, 8, 5}, {4, 9, 5, 6}};

}  // namespace holo
