#pragma once
// Which numbers of a mechanism are states, controls and design parameters, and which equations its constraints are made of.
//
// Lengths among the unknowns, and equations that are lengths, are in units of the model's length, so that they compare with
// rotations: `scale` says which. States: the pose of each body (origin, quaternion w, x, y, z), then coordinates that follow:
// those of passive joints whose equations all contain them, those of coupled joints, and controls that depend on the others
// because their equation was redundant and took them along. Equations: one of unit length for each body and each quaternion
// that follows, then each joint's, then those between two coordinates. An elimination leaves out equations that the others
// imply.
//
// A coupling needs the coordinates of its joints. A pose gives an angle only within a turn, and no derivatives (it is an arc
// tangent); so these coordinates are states, determined by the six equations of their joints, and a coupling is a polynomial of
// two states. What drives such a joint adds an equation: its coordinate equals the control, the design parameter or the
// recorded motion. So the equations of a driven joint contain those of the same joint as a passive one, and of two drives that
// a coupling ties together one is redundant like that of any redundant actuator.

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_model.h"

namespace holo {

// What an equation is.
struct ConstraintEquation {
  int joint = -1;     // -1: the unit length of a quaternion
  int index = 0;      // the joint's equation, or the first of the quaternion's states; 6: a relation of the joint's coordinate
  int relation = -1;  // number of the relation between two coordinates, -1: none
};

// Where one number that the equations of a joint contain is found.
struct UnknownPlace {
  enum class Kind { constant, state, control, parameter, prescribed } kind = Kind::constant;
  int index = 0;
  double scale = 1;  // of the unknown, for SI units; a constant's value is 1 where index is 3, else 0
};

// The equation of - P(from) = 0 between two coordinates, in SI units: a coupling, or what drives a coupled joint.
struct CoordinateRelation {
  UnknownPlace of, from;  // `of` is a state
  CouplingPolynomial polynomial;
  int joint = 0, leader = 0;  // whose coordinates they are; equal: `from` drives the joint
  bool is_drive() const { return joint == leader; }
  bool is_curved() const { return polynomial[2] != 0 || polynomial[3] != 0 || polynomial[4] != 0; }
};

struct Elimination {
  std::vector<int> redundant;           // numbers of equations, ascending
  std::vector<int> dependent_controls;  // as numbered without this elimination, ascending: they become states
};

class MechanismLayout {
 public:
  // Throws Error(input) for an equation or control that is not there, or a control that is part of a quaternion.
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
  // The states that are dependent controls, and their names.
  const std::vector<int>& dependent_states() const { return dependent_states_; }
  const std::vector<std::string>& dependent_names() const { return dependent_names_; }
  // Where each control of the layout without an elimination is now: a control, or a state where it depends.
  const std::vector<UnknownPlace>& all_controls() const { return all_controls_; }
  const std::vector<std::string>& all_control_names() const { return all_control_names_; }
  const std::vector<int>& control_quaternions() const { return control_quaternions_; }  // first of each four
  const std::vector<int>& parameter_quaternions() const { return parameter_quaternions_; }
  const std::vector<int>& state_quaternions() const { return state_quaternions_; }  // of bodies, then of joints
  const std::vector<int>& prescribed_quaternions() const { return prescribed_quaternions_; }

  const std::vector<ConstraintEquation>& equations() const { return equations_; }           // all
  const std::vector<int>& independent_equations() const { return independent_equations_; }  // numbers among all, ascending
  bool is_actuation(int equation) const;                                                    // contains controls
  std::string equation_name(int equation) const;  // "knee_left, row 6", "length of pelvis' quaternion"
  // What the numbers are to be multiplied by for SI units: the model's length or 1.
  double equation_scale(int equation) const { return equation_scales_[std::size_t(equation)]; }
  double state_scale(int state) const { return state_scales_[std::size_t(state)]; }
  double control_scale(int control) const { return control_scales_[std::size_t(control)]; }
  double parameter_scale(int parameter) const { return parameter_scales_[std::size_t(parameter)]; }

  // The 14 + m numbers that the joint's equations contain: pose of A, pose of B, coordinates.
  const std::vector<UnknownPlace>& places(int joint) const { return places_[std::size_t(joint)]; }
  int first_equation(int joint) const { return first_equations_[std::size_t(joint)]; }
  // Couplings, and drives of coupled joints; their equations are the last ones, in this order.
  const std::vector<CoordinateRelation>& relations() const { return relations_; }
  int first_relation_equation() const { return int(equations_.size()) - int(relations_.size()); }
  // Where the number is that drives a coordinate: its place among places(joint), but of a driven coupled joint the control,
  // design parameter or prescribed coordinate that it equals.
  const UnknownPlace& drive(int joint, int coordinate) const;

  // States, controls, parameters and prescribed coordinates at rest.
  Eigen::VectorXd rest_state() const;
  Eigen::VectorXd rest_controls() const;
  Eigen::VectorXd rest_parameters() const;
  Eigen::VectorXd rest_prescribed() const;  // SI

 private:
  void place_bodies();
  void place_coordinates();
  UnknownPlace place_coordinate(const MechanismJoint& joint, int number, bool depends);
  UnknownPlace place_state(const MechanismJoint& joint, int number);
  UnknownPlace place_drive(const MechanismJoint& joint, int number, bool depends);
  void add_equations();

  std::shared_ptr<const MechanismModel> model_;
  Elimination elimination_;
  int state_count_ = 0, prescribed_count_ = 0;
  std::vector<std::string> control_names_, parameter_names_, dependent_names_;
  std::vector<int> dependent_states_;
  std::vector<UnknownPlace> all_controls_;
  std::vector<std::string> all_control_names_;
  std::vector<int> control_quaternions_, parameter_quaternions_, state_quaternions_, prescribed_quaternions_;
  std::vector<double> equation_scales_, state_scales_, control_scales_, parameter_scales_;
  std::vector<ConstraintEquation> equations_;
  std::vector<int> independent_equations_, first_equations_;
  std::vector<std::vector<UnknownPlace>> places_;
  std::vector<CoordinateRelation> relations_;
};

}  // namespace holo
