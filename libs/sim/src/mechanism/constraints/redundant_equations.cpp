#include "holo/sim/mechanism/constraints/redundant_equations.h"

#include <algorithm>
#include <limits>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/runs/interruption.h"
#include "mechanism/constraints/left_null_space.h"
#include "mechanism/constraints/null_space_elimination.h"
#include "mechanism/constraints/state_jacobians.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// Gradients of the chosen equations in the states at one pose, each scaled to length 1.
Sparse normalized_rows(const Sparse& jacobian, const std::vector<int>& chosen) {
  Sparse result = chosen_rows(jacobian, chosen);
  normalize_rows(result);
  return result;
}

// Elimination in two passes: first among the equations without controls, whose redundancy comes from closed loops, then among
// the equations of actuators. Each pass finds the left null spaces of the Jacobians at all regular poses and eliminates one
// equation for each of their dimensions.
class Selector {
 public:
  Selector(const ConstraintEquations& equations, const MechanismUnknowns& poses, const EliminationOptions& options)
      : layout_(equations.layout()), options_(options), jacobians_(state_jacobians(equations, poses)) {
    for (int equation = 0; equation < int(layout_.equations().size()); ++equation)
      (layout_.is_actuation(equation) ? actuation_ : passive_).push_back(equation);
  }

  EliminationResult run() {
    result_.passive_equations = int(passive_.size());
    select_passive();
    select_active();
    std::sort(result_.elimination.redundant.begin(), result_.elimination.redundant.end());
    require_square();
    record_singular_values();
    return std::move(result_);
  }

 private:
  // The null spaces of the chosen equations at the poses that are not singular.
  std::vector<LeftNullSpace> null_spaces(const std::vector<int>& chosen) {
    std::vector<int> regular;
    for (int k = 0; k < int(jacobians_.size()); ++k)
      if (!std::binary_search(result_.singular_poses.begin(), result_.singular_poses.end(), k)) regular.push_back(k);
    std::vector<LeftNullSpace> spaces(regular.size());
    parallel_for(regular.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        throw_if_interrupted();
        spaces[i] = left_null_space(normalized_rows(jacobians_[std::size_t(regular[i])], chosen), options_.rank_tolerance);
      }
    });
    for (std::size_t i = 0; i < regular.size(); ++i)
      // A rank is clear if the singular values on both sides of the threshold are far apart.
      if (!(spaces[i].smallest_counted > options_.gap * spaces[i].largest_uncounted))
        result_.near_singular.push_back("pose " + std::to_string(regular[i]) + ": singular values " +
                                        std::to_string(spaces[i].smallest_counted) + " and " +
                                        std::to_string(spaces[i].largest_uncounted) + " are both near 0");
    return spaces;
  }

  void select_passive() {
    // The largest rank over the poses is the mechanism's; poses of a lower rank are singular and do not vote.
    std::vector<LeftNullSpace> spaces = null_spaces(passive_);
    int rank = 0;
    for (const LeftNullSpace& space : spaces) rank = std::max(rank, space.rank);
    result_.passive_rank = rank;
    result_.mobility = layout_.state_count() - rank;
    std::vector<Eigen::MatrixXd> regular;
    for (std::size_t k = 0; k < spaces.size(); ++k) {
      result_.poses.push_back({spaces[k].rank, 0, 0});
      if (spaces[k].rank == rank)
        regular.push_back(std::move(spaces[k].vectors));
      else
        result_.singular_poses.push_back(int(k));
    }
    eliminate(passive_, NullSpaceElimination(std::move(regular), std::vector<bool>(passive_.size(), true)),
              "follows from the other equations of its loops");
    result_.passive_redundant = int(result_.redundant.size());
  }

  void select_active() {
    // Only equations of actuators are candidates here: the passive ones that are left are independent.
    std::vector<int> chosen;
    for (const int equation : passive_)
      if (!is_redundant(equation)) chosen.push_back(equation);
    const std::size_t passive = chosen.size();
    chosen.insert(chosen.end(), actuation_.begin(), actuation_.end());
    std::vector<Eigen::MatrixXd> spaces;
    Eigen::Index least = std::numeric_limits<Eigen::Index>::max();
    std::vector<LeftNullSpace> all = null_spaces(chosen);
    for (const LeftNullSpace& space : all) least = std::min(least, space.vectors.cols());
    for (LeftNullSpace& space : all)
      if (space.vectors.cols() == least) spaces.push_back(std::move(space.vectors));
    std::vector<bool> candidate(chosen.size(), false);
    std::fill(candidate.begin() + std::ptrdiff_t(passive), candidate.end(), true);
    eliminate(chosen, NullSpaceElimination(std::move(spaces), std::move(candidate)), "follows from the other actuators");
    result_.active_redundant = int(result_.redundant.size()) - result_.passive_redundant;
  }

  void eliminate(const std::vector<int>& chosen, NullSpaceElimination elimination, const std::string& reason) {
    for (int left = elimination.nullity(); left > 0; --left) {
      // One equation for each dimension of the null spaces: the user's choice first, then that of the method.
      int pick = preferred(chosen, elimination);
      if (pick < 0 && options_.method == EliminationOptions::Method::paper) {
        pick = elimination.eliminate_as_in_paper();
      } else {
        if (pick < 0) pick = elimination.heaviest();
        if (pick >= 0) elimination.eliminate(pick);
      }
      if (pick < 0)
        throw Error(Failure::input,
                    "the mechanism's constraint equations are dependent at these poses, but no equation of an actuator is "
                    "among the dependent ones: the poses are singular, or do not satisfy the constraints");
      const int equation = chosen[std::size_t(pick)];
      result_.elimination.redundant.push_back(equation);
      result_.redundant.push_back({equation, layout_.equation_name(equation), reason});
    }
  }

  // The first of the user's choice that takes part in the dependence: a control whose equation has a weight in the null
  // space.
  int preferred(const std::vector<int>& chosen, const NullSpaceElimination& elimination) const {
    for (const std::string& name : options_.eliminate_first)
      for (std::size_t i = 0; i < chosen.size(); ++i)
        if (layout_.is_actuation(chosen[i]) && !is_redundant(chosen[i]) && equation_of_control(chosen[i], name) &&
            elimination.weight(int(i)) > 1e-2)
          return int(i);
    return -1;
  }

  bool equation_of_control(int equation, const std::string& name) const {
    return layout_.model().joints()[std::size_t(layout_.equations()[std::size_t(equation)].joint)].name ==
           name.substr(0, name.find('.'));
  }

  bool is_redundant(int equation) const {
    return std::find(result_.elimination.redundant.begin(), result_.elimination.redundant.end(), equation) !=
           result_.elimination.redundant.end();
  }

  std::vector<int> independent() const {
    std::vector<int> chosen;
    for (int equation = 0; equation < int(layout_.equations().size()); ++equation)
      if (!is_redundant(equation)) chosen.push_back(equation);
    return chosen;
  }

  // As many independent equations as states are required; fewer mean that actuators are missing.
  void require_square() const {
    const std::vector<int> chosen = independent();
    if (int(chosen.size()) == layout_.state_count()) return;
    // The right null space of the Jacobian consists of the motions that no equation determines.
    const Sparse transposed = normalized_rows(jacobians_.front(), chosen).transpose();
    const Eigen::MatrixXd free = left_null_space(transposed, options_.rank_tolerance).vectors;
    throw Error(Failure::input, "the actuators do not determine the mechanism: it has " + std::to_string(result_.mobility) +
                                    " degrees of freedom, and " + std::to_string(free.cols()) +
                                    " remain free. These bodies move most: " + freest_bodies(free) +
                                    ". Drive a joint of one of them, or fix one");
  }

  // The bodies with the largest share of the free motions, largest first.
  std::string freest_bodies(const Eigen::MatrixXd& free) const {
    std::vector<std::pair<double, std::string>> moved;
    for (std::size_t b = 0; b < layout_.model().bodies().size(); ++b)
      moved.emplace_back(-free.middleRows(Eigen::Index(b) * int(HOLO_POSE_SIZE), int(HOLO_POSE_SIZE)).norm(),
                         layout_.model().bodies()[b].name);
    std::sort(moved.begin(), moved.end());
    std::string names;
    for (std::size_t i = 0; i < moved.size() && i < 4 && moved[i].first < 0.5 * moved[0].first; ++i)
      names += (names.empty() ? "'" : ", '") + moved[i].second + "'";
    return names;
  }

  // The smallest singular values before and after the elimination show how well the choice is conditioned at each pose.
  void record_singular_values() {
    const std::vector<int> chosen = independent();
    parallel_for(jacobians_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        throw_if_interrupted();
        result_.poses[k].smallest_independent = smallest_singular_value(chosen_rows(jacobians_[k], chosen));
        result_.poses[k].smallest_all = smallest_singular_value(jacobians_[k]);
      }
    });
  }

  const MechanismLayout& layout_;
  const EliminationOptions& options_;
  const std::vector<Sparse> jacobians_;
  std::vector<int> passive_, actuation_;
  EliminationResult result_;
};

}  // namespace

EliminationResult eliminate_redundant_equations(const ConstraintEquations& equations, const MechanismUnknowns& poses,
                                                const EliminationOptions& options) {
  if (!equations.layout().elimination().redundant.empty())
    throw Error(Failure::internal, "redundant equations are eliminated from all equations, but the layout has an elimination");
  if (poses.count() == 0) throw Error(Failure::internal, "redundant equations are eliminated at no pose");
  return Selector(equations, poses, options).run();
}

std::shared_ptr<const MechanismLayout> with_all_equations(const MechanismLayout& layout) {
  return std::make_shared<const MechanismLayout>(layout.shared_model(),
                                                 Elimination{{}, layout.elimination().dependent_controls});
}

}  // namespace holo
