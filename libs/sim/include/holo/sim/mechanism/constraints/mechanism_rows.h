#pragma once
// The rows of a mechanism and their derivatives, at many instants at once: a block of instants fills the lanes of the joints'
// operations. What is not kept is computed too where all rows are asked for.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// Where the unknowns of some instants stand: column k is the instant first + k of whatever they belong to. In the layout's
// units.
struct MechanismInstants {
  Eigen::Ref<const Eigen::MatrixXd> states;      // [state_count][instant]
  Eigen::Ref<const Eigen::MatrixXd> controls;    // [control_count][instant]
  Eigen::Ref<const Eigen::VectorXd> parameters;  // [parameter_count]
  Eigen::Ref<const Eigen::MatrixXd> prescribed;  // [prescribed_count][instant], SI
  Eigen::Index count() const { return states.cols(); }
};

// Sparse patterns over kept rows, the same at all instants.
struct MechanismPatterns {
  Eigen::SparseMatrix<double> states, controls, parameters;  // dC/ds, dC/du, dC/dp
  // Of the sum of rows weighted by multipliers: upper triangle in the order (p, u, s).
  Eigen::SparseMatrix<double> hessian;
};

// Where the derivatives of some instants go: column k takes the values of an instant in the patterns' order.
struct MechanismDerivatives {
  Eigen::Ref<Eigen::MatrixXd> states, controls, parameters;
};

class MechanismRows {
 public:
  explicit MechanismRows(std::shared_ptr<const MechanismLayout> layout);

  const MechanismLayout& layout() const { return *layout_; }
  const MechanismPatterns& patterns() const { return patterns_; }

  // Kept rows, or all. [row][instant]
  void residual(const MechanismInstants& at, Eigen::Ref<Eigen::MatrixXd> kept) const;
  void all_rows(const MechanismInstants& at, Eigen::Ref<Eigen::MatrixXd> all) const;
  void jacobians(const MechanismInstants& at, MechanismDerivatives to) const;
  // Adds the Hessian of the kept rows' sum weighted by `multipliers` [kept row][instant] to `values` [entry][instant], the
  // entries of patterns().hessian.
  void add_hessian(const MechanismInstants& at, const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
                   Eigen::Ref<Eigen::MatrixXd> values) const;
  // All rows at one instant, dense: [row][s, u, p].
  Eigen::MatrixXd dense_jacobian(const MechanismInstants& at, Eigen::Index instant) const;

  // True where no frame has flipped: where no axis that a joint holds points against its partner at the instant.
  bool is_unflipped(const MechanismInstants& at, Eigen::Index instant, int* flipped_joint = nullptr) const;

 private:
  // Where an entry of a joint's Jacobian or Hessian goes; target -1: nowhere.
  struct Target {
    int entry;   // in the joint's output
    int row;     // kept
    int matrix;  // 0 states, 1 controls, 2 parameters
    int value;   // among that matrix' values
    double scale;
  };
  struct HessianTarget {
    int entry, value;
    double scale;
  };

  template <class Store>
  void evaluate(const MechanismInstants& at, const Store& store) const;
  void gather_weights(int joint, const Eigen::Ref<const Eigen::MatrixXd>& multipliers, Eigen::Index first,
                      double* weights) const;
  void find_targets();
  void find_hessian_targets();

  std::shared_ptr<const MechanismLayout> layout_;
  MechanismPatterns patterns_;
  std::vector<std::vector<double>> frames_;
  std::vector<int> kept_number_;                             // of each row, or -1
  std::vector<std::vector<Target>> targets_;                 // [joint]
  std::vector<std::vector<HessianTarget>> hessian_targets_;  // [joint]
  std::vector<int> unit_values_;          // [state quaternion][4]: in the states' Jacobian, -1 where not kept
  std::vector<int> unit_hessian_values_;  // [state quaternion][4]
};

}  // namespace holo
