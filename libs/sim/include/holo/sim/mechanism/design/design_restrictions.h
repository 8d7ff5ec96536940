#pragma once
// Restrictions of a design: ties between design parameters, such as by symmetry, and bounds.
//
//   DesignRestrictions restrictions(layout, {{.parameter = left, .equals = right}}, {{.parameter = knee, .lower = 0, .upper =
//   0.1}}); Eigen::VectorXd design = restrictions.admissible(layout.rest_parameters());

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

// A tie parameter = factor * equals + offset, in SI units; both parameters by their numbers in the layout.
struct DesignTie {
  int parameter = 0, equals = 0;
  double factor = 1, offset = 0;
};

// SI. Equal bounds fix the parameter.
struct DesignBounds {
  int parameter = 0;
  double lower = 0, upper = 0;
};

class DesignRestrictions {
 public:
  DesignRestrictions() = default;  // none
  // Throws Error(input), with the parameters' names: a number of a quaternion; a tie to itself, in a circle, by the factor 0,
  // or a second one of a parameter; a lower bound above the upper one, or a second pair of bounds; bounds and ties that leave
  // no value; a number that is not finite.
  DesignRestrictions(const MechanismLayout& layout, const std::vector<DesignTie>& ties,
                     const std::vector<DesignBounds>& bounds);

  bool empty() const { return slope_.rows() == 0 && lower_.size() == 0; }
  // The admissible design next to `design`: parameters that follow no other move into the values that all bounds leave them,
  // the others follow. SI.
  Eigen::VectorXd admissible(const Eigen::VectorXd& design) const;
  // A parameter's ties, to another directly or through a chain; and its bounds as given, infinite without. SI.
  bool is_tied(int parameter) const { return !roots_.empty() && root(parameter).number != parameter; }
  const DesignTie& tie(int parameter) const { return ties_[std::size_t(parameter)]; }
  double lower(int parameter) const { return bounds_.empty() ? -infinity : bounds_[std::size_t(parameter)].lower; }
  double upper(int parameter) const { return bounds_.empty() ? infinity : bounds_[std::size_t(parameter)].upper; }
  // The values that all bounds and ties leave a parameter. SI.
  DesignBounds range(int parameter) const;

  // For the solver, in the layout's units: slope p = value holds ties and fixed parameters [row][parameter]; an orthonormal
  // basis of the changes of p that it allows [parameter][free]; bounds [parameter], empty where there are none.
  const Eigen::MatrixXd& slope() const { return slope_; }
  const Eigen::VectorXd& value() const { return value_; }
  const Eigen::MatrixXd& free_directions() const { return free_directions_; }
  const Eigen::VectorXd& lower() const { return lower_; }
  const Eigen::VectorXd& upper() const { return upper_; }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Root {  // the parameter is factor * p[number] + offset
    int number = 0;
    double factor = 1, offset = 0;
  };

  const Root& root(int parameter) const { return roots_[std::size_t(parameter)]; }
  void take(const MechanismLayout& layout, const std::vector<DesignTie>& ties);
  void take(const MechanismLayout& layout, const std::vector<DesignBounds>& bounds);
  void follow_ties(const MechanismLayout& layout);
  void intersect_bounds(const MechanismLayout& layout);
  void make_rows(const MechanismLayout& layout);

  std::vector<DesignTie> ties_;                // [parameter]; equals -1: none
  std::vector<Root> roots_;                    // [parameter]
  std::vector<DesignBounds> bounds_, ranges_;  // [parameter]; ranges of roots
  Eigen::MatrixXd slope_, free_directions_;
  Eigen::VectorXd value_, lower_, upper_;
};

}  // namespace holo
