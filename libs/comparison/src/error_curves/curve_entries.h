#pragma once
// All curves there are: what each choice computes.

#include "holo/comparison/error_curve.h"

namespace holo::comparison {

struct CurveEntry {
  CurveChoice choice;
  std::function<ErrorCurve(double point, std::uint64_t seed)> make;
};

std::vector<CurveEntry> scalar_function_curves();
std::vector<CurveEntry> matrix_inverse_curves();

}  // namespace holo::comparison
