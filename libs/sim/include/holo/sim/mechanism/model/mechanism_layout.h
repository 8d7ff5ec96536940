#pragma once
// Layout of a mechanism's unknowns and equations: the numbering of states, controls, design parameters and prescribed
// coordinates, the list of constraint equations, and their scales.
//
// The layout's units: lengths among the unknowns and residuals are divided by the model's length, so that they compare with
// rotations; SI value = scale times value. Prescribed coordinates are always SI. States: for each body B the pose of its
// frame (p_WB / length, unit quaternion w, x, y, z of the rotation from rest), then further coordinates: those of passive
// joints all of whose equations contain them, those of coupled joints, and dependent controls. Equations: the unit length of
// each body's and each further quaternion, then those of each joint, then those between two coordinates. An elimination
// removes equations that follow from the others.
//
// A coupling needs the coordinates of its joints. A pose gives an angle only within a turn, and no derivatives, since it is an
// arc tangent. So these coordinates are states, which the six equations of their joints determine, and a coupling is a
// polynomial of two states. The drive of such a joint adds an equation: its coordinate equals the control, the design parameter
// or the recorded motion. So the equations of a driven joint contain those of the same joint as a passive one, and if a
// coupling connects two drives, one is redundant like that of any redundant actuator.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// One constraint equation: a joint's, or the unit length of a quaternion among the states.
struct ConstraintEquation {
  int joint = -1;     // -1: the unit length of a quaternion
  int index = 0;      // the joint's equation, or the first of the quaternion's states; 6: a relation of the joint's coordinate
  int relation = -1;  // number of the relation between two coordinates, -1: none
};

// The index, in its kind, of one number that the equations of a joint contain.
struct UnknownIndex {
  enum class Kind { constant, state, control, parameter, prescribed } kind = Kind::constant;
  int index = 0;
  double scale = 1;  // SI value over the unknown's value; a constant is 1 if its index is 3, else 0
};

// The equation of - P(from) = 0 between two coordinates, in SI units: a coupling, or the drive of a coupled joint.
struct CoordinateRelation {
  UnknownIndex of, from;  // `of` is a state
  CouplingPolynomial polynomial;
  int joint = 0, leader = 0;  // joints of the two coordinates; equal: `from` drives the joint
  bool is_drive() const { return joint == leader; }
  bool is_curved() const { return polynomial[2] != 0 || polynomial[3] != 0 || polynomial[4] != 0; }
};

// Redundant equations, and controls that become states because they depend on the other controls.
struct Elimination {
  std::vector<int> redundant;           // numbers of equations, ascending
  std::vector<int> dependent_controls;  // numbers in the layout without an elimination, ascending
};

class MechanismLayout {
 public:
  // Throws Error(input) for an equation or control that does not exist, or a dependent control that is part of a quaternion.
  explicit MechanismLayout(std::shared_ptr<const MechanismModel> model, Elimination elimination = {});

  const MechanismModel& model() const { return *model_; }
  const std::shared_ptr<const MechanismModel>& shared_model() const { return model_; }
  const Elimination& elimination() const { return elimination_; }

  int state_count() const { return state_count_; }
  int control_count() const { return int(control_names_.size()); }
  int parameter_count() const { return int(parameter_names_.size()); }
  int prescribed_count() const { return prescribed_count_; }
  const std::vector<std::string>& control_names() const { return control_names_; }      // "knee_left", "hip.first_angle"
  const std::vector<std::string>& parameter_names() const { return parameter_names_; }  // "arm.length"
  // The states that are dependent controls, ascending, and the controls' names.
  const std::vector<int>& dependent_states() const { return dependent_states_; }
  const std::vector<std::string>& dependent_names() const { return dependent_names_; }
  // For each control of the layout without an elimination: its index here, as a control or, if it is dependent, as a state.
  const std::vector<UnknownIndex>& all_controls() const { return all_controls_; }
  const std::vector<std::string>& all_control_names() const { return all_control_names_; }
  const std::vector<int>& control_quaternions() const { return control_quaternions_; }  // first index of each quaternion
  const std::vector<int>& parameter_quaternions() const { return parameter_quaternions_; }
  const std::vector<int>& state_quaternions() const { return state_quaternions_; }  // of bodies, then of further coordinates
  const std::vector<int>& prescribed_quaternions() const { return prescribed_quaternions_; }

  const std::vector<ConstraintEquation>& equations() const { return equations_; }           // all, redundant ones too
  const std::vector<int>& independent_equations() const { return independent_equations_; }  // numbers among all, ascending
  bool is_actuation(int equation) const;                                                    // whether it contains controls
  std::string equation_name(int equation) const;                                            // "knee_left, equation 6"
  // SI value over the layout's value: the model's length [m] for lengths, else 1.
  double equation_scale(int equation) const { return equation_scales_[std::size_t(equation)]; }
  double state_scale(int state) const { return state_scales_[std::size_t(state)]; }
  double control_scale(int control) const { return control_scales_[std::size_t(control)]; }
  double parameter_scale(int parameter) const { return parameter_scales_[std::size_t(parameter)]; }

  // The 14 + m numbers that the joint's equations contain: pose of body A, pose of body B, m coordinates.
  const std::vector<UnknownIndex>& unknowns_of(int joint) const { return unknowns_[std::size_t(joint)]; }
  int first_equation(int joint) const { return first_equations_[std::size_t(joint)]; }
  // Couplings, and drives of coupled joints; their equations are the last ones, in this order.
  const std::vector<CoordinateRelation>& relations() const { return relations_; }
  int first_relation_equation() const { return int(equations_.size()) - int(relations_.size()); }
  // The number that drives a coordinate: that of unknowns_of(joint), or of a driven coupled joint the control, design parameter
  // or prescribed coordinate that it equals.
  const UnknownIndex& drive(int joint, int coordinate) const;

  // States, controls, parameters (in the layout's units) and prescribed coordinates at rest.
  Eigen::VectorXd rest_state() const;
  Eigen::VectorXd rest_controls() const;
  Eigen::VectorXd rest_parameters() const;
  Eigen::VectorXd rest_prescribed() const;  // SI

 private:
  void number_bodies();
  void number_coordinates();
  UnknownIndex number_coordinate(const MechanismJoint& joint, int number, bool depends);
  UnknownIndex number_state(const MechanismJoint& joint, int number);
  UnknownIndex number_drive(const MechanismJoint& joint, int number, bool depends);
  void add_equations();

  std::shared_ptr<const MechanismModel> model_;
  Elimination elimination_;
  int state_count_ = 0, prescribed_count_ = 0;
  std::vector<std::string> control_names_, parameter_names_, dependent_names_;
  std::vector<int> dependent_states_;
  std::vector<UnknownIndex> all_controls_;
  std::vector<std::string> all_control_names_;
  std::vector<int> control_quaternions_, parameter_quaternions_, state_quaternions_, prescribed_quaternions_;
  std::vector<double> equation_scales_, state_scales_, control_scales_, parameter_scales_;
  std::vector<ConstraintEquation> equations_;
  std::vector<int> independent_equations_, first_equations_;
  std::vector<std::vector<UnknownIndex>> unknowns_;
  std::vector<CoordinateRelation> relations_;
};

}  // namespace holo
