#pragma once
// Positions of a model's vertices from a file of its deformed mesh.

#include <Eigen/Core>
#include <filesystem>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// Positions [3 * vertex] [m] from a mesh file in any format that is read, such as frames/*.vtu of a run: the tetrahedra of all
// bodies, one body after another, each with its vertices in the order of the body's mesh. Of quadratic bodies either their
// elements, or the linear cells in them (linear_cells), which frames have. Vertices may have any numbers. Throws Error(input)
// with the file for what read_tetrahedral_mesh() refuses, another count of tetrahedra, quadratic ones of linear bodies,
// tetrahedra that meet in other vertices than those of the bodies, and for a scene with affine bodies.
Eigen::VectorXd read_recorded_positions(const std::filesystem::path& path, const ElasticModel& model);

}  // namespace holo
