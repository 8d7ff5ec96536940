#pragma once
// Constraint equations of a mechanism and their first and second derivatives, at many knots at once: each lane of the joints'
// operations computes one knot. Unknowns, residuals and derivatives are in the layout's units.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// References to the unknowns of some knots, in the layout's units; column k is the knot first + k of the caller's trajectory.
struct MechanismUnknowns {
  Eigen::Ref<const Eigen::MatrixXd> states;      // [state_count][knot]
  Eigen::Ref<const Eigen::MatrixXd> controls;    // [control_count][knot]
  Eigen::Ref<const Eigen::VectorXd> parameters;  // [parameter_count]
  Eigen::Ref<const Eigen::MatrixXd> prescribed;  // [prescribed_count][knot], SI
  Eigen::Index count() const { return states.cols(); }
};

// Sparsity patterns of the independent equations' derivatives; the same at all knots.
struct EquationPatterns {
  Eigen::SparseMatrix<double> states, controls, parameters;  // dC/ds, dC/du, dC/dp
  // Hessian of the sum of equations times multipliers: upper triangle, unknowns in the order (p, u, s).
  Eigen::SparseMatrix<double> hessian;
};

// Destinations of the derivatives of some knots: [entry of the pattern][knot].
struct EquationDerivatives {
  Eigen::Ref<Eigen::MatrixXd> states, controls, parameters;
};

class ConstraintEquations {
 public:
  explicit ConstraintEquations(std::shared_ptr<const MechanismLayout> layout);

  const MechanismLayout& layout() const { return *layout_; }
  const EquationPatterns& patterns() const { return patterns_; }

  // Residuals of the independent equations, or of all equations: [equation][knot].
  void residual(const MechanismUnknowns& at, Eigen::Ref<Eigen::MatrixXd> independent) const;
  void all_equations(const MechanismUnknowns& at, Eigen::Ref<Eigen::MatrixXd> all) const;
  // First derivatives of the independent equations, in the entries of patterns().
  void jacobians(const MechanismUnknowns& at, EquationDerivatives to) const;
  // Adds the Hessian of the independent equations' sum weighted by `multipliers` [independent equation][knot] to `values`
  // [entry][knot], the entries of patterns().hessian.
  void add_hessian(const MechanismUnknowns& at, const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
                   Eigen::Ref<Eigen::MatrixXd> values) const;
  // The Jacobian of all equations at one knot, dense: [equation][unknown in the order s, u, p].
  Eigen::MatrixXd dense_jacobian(const MechanismUnknowns& at, Eigen::Index knot) const;

  // Whether no joint is flipped at the knot: no axis that a joint aligns points against its partner. Else sets `flipped_joint`.
  bool is_unflipped(const MechanismUnknowns& at, Eigen::Index knot, int* flipped_joint = nullptr) const;

 private:
  // Destination of one entry of a joint's Jacobian in the sparse derivatives.
  struct Target {
    int entry;     // in the joint's output
    int equation;  // its number among the independent ones
    int matrix;    // 0 states, 1 controls, 2 parameters
    int value;     // among that matrix' values
    double scale;
  };
  struct HessianTarget {
    int entry, value;
    double scale;
  };

  // Destinations of the derivatives of a relation between two coordinates; -1: none.
  struct RelationTarget {
    int equation = -1;                      // its number among the independent ones
    int of_value = -1;                      // in the states' Jacobian
    int from_matrix = -1, from_value = -1;  // 0 states, 1 controls, 2 parameters
    int hessian_value = -1;                 // on the diagonal, of `from`
  };

  void relation_jacobians(const MechanismUnknowns& at, EquationDerivatives& to) const;
  void add_relation_hessian(const MechanismUnknowns& at, const Eigen::Ref<const Eigen::MatrixXd>& multipliers,
                            Eigen::Ref<Eigen::MatrixXd> values) const;
  template <class Store>
  void evaluate(const MechanismUnknowns& at, const Store& store) const;
  void gather_weights(int joint, const Eigen::Ref<const Eigen::MatrixXd>& multipliers, Eigen::Index first,
                      double* weights) const;
  void find_targets();
  void find_hessian_targets();

  std::shared_ptr<const MechanismLayout> layout_;
  EquationPatterns patterns_;
  std::vector<std::vector<double>> frames_;
  std::vector<int> independent_number_;                      // of each equation, or -1
  std::vector<std::vector<Target>> targets_;                 // [joint]
  std::vector<std::vector<HessianTarget>> hessian_targets_;  // [joint]
  std::vector<RelationTarget> relation_targets_;             // [relation]
  std::vector<int> unit_values_;          // [state quaternion][4]: in the states' Jacobian, -1 where not kept
  std::vector<int> unit_hessian_values_;  // [state quaternion][4]
};

}  // namespace holo
