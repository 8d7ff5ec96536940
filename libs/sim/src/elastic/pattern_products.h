#pragma once
// Products of symmetric matrices that have the pattern of an elastic model with a few dozen columns.

#include <Eigen/Core>

#include "holo/sim/elastic/elastic_pattern.h"

namespace holo {

// result [column][column] += S^T T S + S^T B + B^T S, for the symmetric matrix T whose lower triangle has `values` in the order
// of pattern.matrix, and S and B [3 * vertex][column]. With n vertices and M columns this takes about n M (135 + 6 M)
// multiplications. Columns are independent of each other: the result does not depend on the number of threads.
void add_quadratic_products(const ElasticPattern& pattern, const double* values, const Eigen::Ref<const Eigen::MatrixXd>& S,
                            const Eigen::Ref<const Eigen::MatrixXd>& B, Eigen::MatrixXd& result);

}  // namespace holo
