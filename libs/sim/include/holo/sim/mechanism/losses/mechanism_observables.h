#pragma once
// Observables of a mechanism (losses/loss_sum.h): points and poses of bodies, controls, their rates, and design parameters, all
// in SI units. A mechanism has no masses and no observables of earlier knots. A loss that observes rates has no term at the
// last knot of a task, which has no rate.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/losses/loss_sum.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// A trajectory in the layout's units: [state_count][knot], [control_count][knot], [control_count][knot - 1], [parameter_count].
struct MechanismKnots {
  const Eigen::MatrixXd& states;
  const Eigen::MatrixXd& controls;
  const Eigen::MatrixXd& rates;
  const Eigen::VectorXd& parameters;
};

class MechanismObservables final : public SimulationNames {
 public:
  using Motion = MechanismKnots;

  // One unknown that a loss depends on.
  struct Unknown {
    enum class Kind { parameter, control, rate, state } kind;
    int index;     // in its kind
    int number;    // in the stage, in the order p, u, v, s
    double scale;  // SI value over the unknown's value
  };
  // One observable of a loss: its numbers in z, and the unknowns from which they follow.
  struct Observable {
    int first = 0;  // index in z
    int size = 1;
    int unknown = 0;  // its first one in Binding::unknowns; points and poses have the seven of the body's pose
    bool is_point = false;
    Eigen::Vector3d point;  // p_BP of the point [m]; of the pose of a merged body M: p_BM
    // Whether it is the pose of a merged body M in B: its quaternion is the body's times `turn`, the quaternion (w, x, y, z) of
    // R_BM.
    bool is_part = false;
    Eigen::Vector4d turn;
    bool has_point() const { return is_point || is_part; }
  };
  // The observables of one loss. Two observables of one body share all seven unknowns of its pose, others share none; the
  // unknowns of each observable are consecutive.
  struct Binding {
    std::vector<Unknown> unknowns;
    std::vector<Observable> observables;
    int size = 0;  // size of z
    bool has_rates = false;
  };

  explicit MechanismObservables(std::shared_ptr<const MechanismLayout> layout) : layout_(std::move(layout)) {}

  std::string kind() const override { return "a mechanism"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;

  // The functions of the concept Observables; `at` has the layout's units, z and dz SI units.
  Binding bind(const NamedLoss& loss) const;
  int knot_count(const Binding& binding, const MechanismKnots& at) const;
  bool exists(const Binding& binding, const MechanismKnots& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const MechanismKnots& at, int first, int count, double* z) const;
  // Number of unknowns of a stage: p, u, v, s.
  Eigen::Index unknown_count(const MechanismKnots& at) const;
  void push_forward(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& dx,
                    VectorReference dz) const;
  void pull_back(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& gz, VectorReference gx) const;
  void second_order(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& gz, const ConstVector& dx,
                    VectorReference result) const;

  // dz/dy [binding.size][unknown], where y are the binding's unknowns in SI units.
  void jacobian(const Binding& binding, const MechanismKnots& at, int knot, Eigen::MatrixXd& result) const;
  // result [unknown][unknown] += sum_i gz_i d2z_i/dy2
  void add_curvature(const Binding& binding, const Eigen::VectorXd& gz, Eigen::MatrixXd& result) const;

  const MechanismLayout& layout() const { return *layout_; }

 private:
  int add_unknown(Binding& binding, Unknown::Kind kind, int index, double scale) const;
  void bind_body(const holo_observable& wanted, Binding& binding, Observable& observable) const;
  void bind_control(const holo_observable& wanted, Binding& binding, Observable& observable) const;

  std::shared_ptr<const MechanismLayout> layout_;
};

}  // namespace holo
