#pragma once
// Nilpotent numbers with values from 1 to 3 and directions from -1 to 1, the same ones at each run.

#include <random>

#include "holo/diff/scalars/nilpotent.h"

namespace holo::test {

class RandomNilpotent {
 public:
  double number() { return distribution_(engine_); }
  template <class N>
  N nilpotent() {
    double directions[N::order];
    for (double& d : directions) d = number();
    N x = N::seed(2 + number(), directions);
    if constexpr (N::order >= 2) x.template set_coefficient<N::coefficient_count - 1>(number());
    return x;
  }

 private:
  std::mt19937_64 engine_{7};
  std::uniform_real_distribution<double> distribution_{-1, 1};
};

}  // namespace holo::test
