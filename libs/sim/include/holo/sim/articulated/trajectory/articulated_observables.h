#pragma once
// The observables of an articulated character for losses (losses/loss_sum.h), at the states of a trajectory: points, poses,
// centers of mass and momenta of the character or a body, coordinates of actuated joints and their rates.
//
//   LossSum<ArticulatedObservables> losses{ArticulatedObservables(character, time_step)};
//   losses.add({"center_of_mass_velocity", instance});
//   losses.evaluate(states, data, 1, states.steps() + 1, values.data());

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/articulated/trajectory/trajectory_states.h"
#include "holo/sim/losses/loss_sum.h"

namespace holo::articulated {

// A subject of observables: the character, or a body of it with all that is fixed to that.
struct ArticulatedSubject {
  std::string name;
  bool is_character = false;
  int dof = -1;  // whose frame carries the body; -1: the world
  RigidFrame<double> placement = identity_frame<double>();
};

// The character under its name, then its bodies; of a character without named bodies the degrees of freedom with mass. Controls
// are the actuated hinges and slides.
class ArticulatedNames final : public SimulationNames {
 public:
  explicit ArticulatedNames(const CharacterModel& model);

  std::string kind() const override { return "an articulated character"; }
  bool has(holo_observable_kind kind, int step) const override;
  std::vector<std::string> names(holo_subject subject) const override;

 private:
  std::vector<std::string> bodies_, controls_;
};

class ArticulatedObservables {
 public:
  using Motion = TrajectoryStates;
  struct Bound {
    holo_observable_kind kind;
    ArticulatedSubject subject;  // of a control the degree of freedom alone
    Vector3<double> point = {};  // in the frame of the degree of freedom
    int first = 0, size = 0;     // among the numbers z
    int back = 0;                // steps before this one
    int states_back() const;     // the earliest state that it depends on, in steps before this one
  };
  struct Binding {
    std::vector<Bound> observables;
    int size = 0;
  };

  // The model must outlive it. `time_step` [s] is that of momenta and rates.
  ArticulatedObservables(const CharacterModel& model, double time_step);

  // Throws Error(input) for an observable that characters lack, and for points and poses of the character as a whole.
  Binding bind(const NamedLoss& loss) const;
  int knot_count(const Binding&, const TrajectoryStates& at) const { return at.steps() + 1; }
  // Knots are states 1 ... N; the states 0 and -1 are observed as earlier ones.
  bool exists(const Binding& binding, const TrajectoryStates& at, const LossData& data, int knot) const;
  void values(const Binding& binding, const TrajectoryStates& at, int first, int count, double* z) const;
  // Coordinates of this state, of the one before, and of the one before that.
  Eigen::Index unknown_count(const TrajectoryStates&) const { return 3 * Eigen::Index(model_->dof_count()); }
  void push_forward(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& dx,
                    VectorReference dz) const;
  void pull_back(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& gz, VectorReference gx) const;
  void second_order(const Binding& binding, const TrajectoryStates& at, int knot, const ConstVector& gz, const ConstVector& dx,
                    VectorReference result) const;
  // dz/dx [nz][unknown], whose memory has this size.
  void jacobian(const Binding& binding, const TrajectoryStates& at, int knot, Eigen::Ref<Eigen::MatrixXd> result) const;

 private:
  double subject_mass_of(const Bound& bound) const;  // [kg]; 0 for a control

  const CharacterModel* model_;
  double time_step_;
  std::vector<ArticulatedSubject> subjects_;
};

std::vector<ArticulatedSubject> articulated_subjects(const CharacterModel& model);
std::vector<int> observed_controls(const CharacterModel& model);  // the actuated hinges and slides
// Of the character or one body.
double subject_mass(const CharacterModel& model, const ArticulatedSubject& subject);  // [kg]

}  // namespace holo::articulated
