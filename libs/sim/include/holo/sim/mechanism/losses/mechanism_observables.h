#pragma once
// What losses observe of a mechanism: points and poses of bodies, controls, their rates, and design parameters. A mechanism has
// no masses, and nothing of an earlier knot. A loss that observes rates has no term at the last knot of a task, which has none.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/losses/loss_sum.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// A trajectory's unknowns: columns are knots. In the layout's units; rates have one column less.
struct MechanismKnots {
  const Eigen::MatrixXd& states;
  const Eigen::MatrixXd& controls;
  const Eigen::MatrixXd& rates;
  const Eigen::VectorXd& parameters;
};

class MechanismObservables final : public SimulationNames {
 public:
  using Motion = MechanismKnots;

  // One number that a loss depends on: z in SI units is of `scale` times it.
  struct Unknown {
    enum class Kind { parameter, control, rate, state } kind;
    int index;     // in its block
    int number;    // in the stage: p, u, v, s
    double scale;  // for SI units
  };
  struct Observable {
    int first = 0;  // among the numbers z
    int size = 1;
    int unknown = 0;  // its first, among the binding's own; a point has the seven of its body's pose
    bool is_point = false;
    Eigen::Vector3d point;  // in the body's coordinates [m]
    // A pose of a part of a body: `point` is its origin, and its quaternion the body's times this one.
    bool is_part = false;
    Eigen::Vector4d turn;
    bool has_point() const { return is_point || is_part; }
  };
  // Observables may share unknowns, but a pose and a point of one body share all seven, and others none: their unknowns stand
  // in one piece.
  struct Binding {
    std::vector<Unknown> unknowns;
    std::vector<Observable> observables;
    int size = 0;  // numbers z
    bool has_rates = false;
  };

  explicit MechanismObservables(std::shared_ptr<const MechanismLayout> layout) : layout_(std::move(layout)) {}

  std::string kind() const override { return "a mechanism"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;

  Binding bind(const NamedLoss& loss) const;
  int knot_count(const Binding& binding, const MechanismKnots& at) const;
  bool exists(const Binding& binding, const MechanismKnots& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const MechanismKnots& at, int first, int count, double* z) const;
  // Unknowns of a stage: p, u, v, s.
  Eigen::Index unknown_count(const MechanismKnots& at) const;
  void push_forward(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& dx,
                    VectorReference dz) const;
  void pull_back(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& gz, VectorReference gx) const;
  void second_order(const Binding& binding, const MechanismKnots& at, int knot, const ConstVector& gz, const ConstVector& dx,
                    VectorReference result) const;

  // dz/dy [nz][unknown] in the binding's own unknowns y, each times its scale.
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
