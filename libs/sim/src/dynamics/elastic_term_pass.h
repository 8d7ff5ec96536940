#pragma once
// The results that a sweep over the elements of an ElasticTerm computes.

#include "holo/sim/dynamics/elastic_term.h"

namespace holo {

// `values` of the model's pattern, or null: then the `diagonal` blocks alone, or without these the gradient alone. With a
// `direction` y the values are those of y . d3E/dx3, and the gradient is 0. With a `displacement` p the gradient is d2E/dx2 p.
struct ElasticTerm::Pass {
  const double* x;
  Curvature curvature;
  const BlockAssembler* assembler;
  double *gradient, *values;
  const double* direction = nullptr;
  double* diagonal = nullptr;  // [vertex][6]
  const double* displacement = nullptr;

  bool has_hessian() const { return values || diagonal; }
};

}  // namespace holo
