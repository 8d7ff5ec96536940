#pragma once
// Losses of a mechanism: gives each its observables and data at many instants, and turns its derivatives into those in the
// mechanism's own unknowns.
//
// A mechanism has points and poses of bodies, controls, their rates, and design parameters; it lacks masses, and what is not at
// this instant. A loss that observes rates has no term at the last instant of a task, which has none. The rate of a control
// that follows from the others is one of a state, which ties instants to each other: a loss may observe it, but nothing
// besides.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/abi/loss.h"
#include "holo/sim/mechanism/model/mechanism_layout.h"

namespace holo {

class LossInstance;

struct MechanismLoss {
  std::string name;  // for reports and errors: "objectives.3 (track_position)"
  std::shared_ptr<const LossInstance> instance;
};

// What the losses read besides the unknowns.
struct LossData {
  // As the simulation numbered them: [component][instant]. Where a signal is NaN it has no value, and a loss that reads it has
  // no term.
  std::vector<Eigen::MatrixXd> signals;
  Eigen::MatrixXd initial_controls;  // of the initial guess, in SI units: [control][instant], dependent ones too
  Eigen::VectorXd initial_parameters;
  double time_step = 0;                   // [s]
  std::vector<int> task_beginnings = {};  // motion_tasks.h: there time starts anew
};

// A trajectory's unknowns at instants first, first + 1, ..., as they stand in the whole: columns are instants. In the layout's
// units; rates have one column less.
struct LossInstants {
  const Eigen::MatrixXd& states;
  const Eigen::MatrixXd& controls;
  const Eigen::MatrixXd& rates;
  const Eigen::VectorXd& parameters;
};

class MechanismLosses {
 public:
  // Throws Error(input) where a loss asks for what a mechanism lacks, with both names and what there is.
  MechanismLosses(std::shared_ptr<const MechanismLayout> layout, std::vector<MechanismLoss> losses);

  const std::vector<MechanismLoss>& losses() const { return losses_; }

  // Unknowns of a stage are numbered p, u, v, s. The pairs (row <= column) of which some loss has second derivatives.
  std::vector<std::pair<int, int>> hessian_entries() const;
  // Where these pairs stand among the values that differentiate() adds to: in the order of hessian_entries().
  void place(std::vector<int> values) { places_ = std::move(values); }

  // The sum of all losses at the instants [first, last): to objective[k - first].
  void evaluate(const LossInstants& at, const LossData& data, int first, int last, double* objective) const;
  // Of the instants of one block, at most HOLO_LANE_WIDTH: adds gradients to gradient[stage unknown][k - first] and second
  // derivatives to hessian[place][k - first], both with a lane for each instant.
  void differentiate(const LossInstants& at, const LossData& data, bool gauss_newton, int first, int last, double* gradient,
                     double* hessian) const;
  // Losses of rates of dependent controls are left out above. Their states, ascending, and the sum of the losses at rates
  // [rated state][instant], in the layout's units; and each rate's first and second derivative.
  const std::vector<int>& rated_states() const { return rated_states_; }
  double evaluate_state_rates(const Eigen::MatrixXd& rates, const LossData& data) const;
  void differentiate_state_rates(const Eigen::MatrixXd& rates, const LossData& data, Eigen::MatrixXd& slopes,
                                 Eigen::MatrixXd& curvatures) const;
  // How much of the way from here to there, in (0, 1], leaves a hundredth of all distances from limits that are positive here.
  double feasible_step(const LossInstants& at, const LossInstants& after, const LossData& data) const;
  // Of one loss, for reports: [measure][instant] over the whole trajectory; NaN where it has no term.
  Eigen::MatrixXd measures(std::size_t loss, const LossInstants& at, const LossData& data) const;

 private:
  // One number that a loss depends on, and how it follows from a stage's unknowns.
  struct Unknown {
    enum class Kind { parameter, control, rate, state } kind;
    int index;     // in its block
    int number;    // in the stage: p, u, v, s
    double scale;  // for SI units
  };
  struct Observable {
    int first = 0;  // among the numbers z
    int size = 1;
    int unknown = 0;  // its first, among the loss' own; a point has the seven of its body's pose
    bool is_point = false;
    Eigen::Vector3d point;  // in the body's coordinates [m]
    // Of a part's pose: `point` is its origin, and its quaternion the body's times this one.
    bool is_part = false;
    Eigen::Vector4d turn;
    bool has_point() const { return is_point || is_part; }
  };
  struct Term {
    std::vector<Unknown> unknowns;
    std::vector<Observable> observables;
    int size = 0;             // numbers z
    bool has_points = false;  // else z are the unknowns themselves, scaled
    bool has_rates = false;
    int rated_state = -1;  // the state whose rate is all that is observed; the unknown is the rate of that number
    int first_entry = 0;   // among hessian_entries()
  };
  class Block;

  Term make_term(const MechanismLoss& loss) const;
  bool has_term(std::size_t loss, const LossInstants& at, const LossData& data, int instant) const;
  void pull_back(const Term& term, const double* slopes, const double* curvatures, int lane, bool gauss_newton,
                 double* gradient, double* hessian) const;
  Term make_rate_term(const MechanismLoss& loss, const UnknownPlace& dependent) const;
  // [rated state][instant]; and what the loss sees of a point, where it sees these.
  Eigen::MatrixXd state_rates(const Eigen::MatrixXd& states, double time_step) const;
  LossInstants as_seen(std::size_t loss, const LossInstants& at, const Eigen::MatrixXd& rates) const;
  // body(term's number, its first instant, count) for blocks of instants of the rates' losses.
  template <class Body>
  void for_rate_terms(Eigen::Index instants, const Body& body) const;
  int add_unknown(Term& term, Unknown::Kind kind, int index, double scale) const;

  std::shared_ptr<const MechanismLayout> layout_;
  std::vector<MechanismLoss> losses_;
  std::vector<Term> terms_;
  std::vector<int> rated_states_;
  std::vector<int> places_;
};

}  // namespace holo
