#pragma once
// A staged problem of random numbers with the sizes and patterns of a mechanism in loops: 4 trunk bodies and 4 chains of 9 that
// close on the trunk, 280 states and rows, 23 configurable joints of 4 parameters, 2 controls, as [Maloisel2023] Table 5's
// Biker.

#include <random>

#include "holo/opt/staged/staged_quadratic.h"

namespace holo {

class MechanismLike final : public StagedProblem {
 public:
  explicit MechanismLike(int instants);

  const StagedLayout& layout() const override { return layout_; }
  void evaluate(const StagedPoint&, int, int, double*, Eigen::Ref<Eigen::MatrixXd>) const override {}
  void differentiate(const StagedPoint&, const Eigen::MatrixXd&, bool, int block, StageDerivatives& to) const override {
    to = blocks_[std::size_t(block)];
  }
  StagedQuadratic quadratic() const;

 private:
  struct Joint {
    int body_a, body_b, rows;  // -1: the world
    int first_row, first_parameter = -1, control = -1;
  };

  void add_joints();
  void make_patterns();
  void dominate(StageLanes& values) const;
  void fill(StageLanes& values, Eigen::Index rows, double size);
  void vary(StageLanes& values, double size);
  double uniform(double size) { return std::uniform_real_distribution<double>(-size, size)(generator_); }

  std::mt19937 generator_{1};
  StagedLayout layout_;
  std::vector<Joint> joints_;
  std::vector<StageDerivatives> blocks_;
};

}  // namespace holo
