#include "holo/sim/mechanism/constraints/row_selection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/singular_values.h"
#include "holo/core/runs/interruption.h"
#include "mechanism/constraints/left_null_space.h"
#include "smallest_singular_value.h"

namespace holo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

// dC/ds of the rows that the layout keeps, at each pose.
std::vector<Sparse> state_jacobians(const MechanismRows& rows, const MechanismInstants& poses) {
  const MechanismPatterns& patterns = rows.patterns();
  Eigen::MatrixXd states(patterns.states.nonZeros(), poses.count()), controls(patterns.controls.nonZeros(), poses.count()),
      parameters(patterns.parameters.nonZeros(), poses.count());
  rows.jacobians(poses, {states, controls, parameters});
  std::vector<Sparse> jacobians(std::size_t(poses.count()), Sparse(patterns.states));
  for (Eigen::Index k = 0; k < poses.count(); ++k)
    Eigen::Map<Eigen::VectorXd>(jacobians[std::size_t(k)].valuePtr(), states.rows()) = states.col(k);
  return jacobians;
}

// Chosen rows at one pose, each of length 1.
Sparse normalized_rows(const Sparse& jacobian, const std::vector<int>& chosen) {
  Sparse result = chosen_rows(jacobian, chosen);
  normalize_rows(result);
  return result;
}

constexpr double accuracy = 1e-9;  // of a singular value, relative

double smallest_singular_value(const Sparse& jacobian) {
  return SmallestSingularValue(jacobian).find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()),
                                              accuracy);
}

// Picks and removes rows of the null spaces of several poses.
class Elimination {
 public:
  Elimination(std::vector<Eigen::MatrixXd> null_spaces, std::vector<bool> candidate)
      : spaces_(std::move(null_spaces)), candidate_(std::move(candidate)) {}

  int nullity() const { return spaces_.empty() ? 0 : int(spaces_.front().cols()); }

  // How much every pose's null vectors contain of the row.
  double weight(int row) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Eigen::MatrixXd& space : spaces_) least = std::min(least, space.row(row).norm());
    return least;
  }

  // The candidate of the largest weight, -1 where none has any.
  int heaviest() const {
    int best = -1;
    double most = 1e-6;
    for (int row = 0; row < int(candidate_.size()); ++row)
      if (candidate_[std::size_t(row)] && weight(row) > most * (1 + 1e-9)) {
        most = weight(row);
        best = row;
      }
    return best;
  }

  // The row is dropped: what is left of each null space does without it.
  void drop(int row) {
    candidate_[std::size_t(row)] = false;
    for (Eigen::MatrixXd& space : spaces_) {
      const Eigen::VectorXd direction = space.row(row).normalized();
      // An orthonormal basis of what is orthogonal to `direction`, by one reflection that takes it to the last unit vector.
      Eigen::VectorXd mirror = direction;
      const double sign = direction[direction.size() - 1] < 0 ? -1 : 1;
      mirror[mirror.size() - 1] += sign;
      mirror.normalize();
      space = (space - 2 * (space * mirror) * mirror.transpose()).leftCols(space.cols() - 1).eval();
    }
  }

  // [Maloisel2023] Eq 14 and 15, at the first pose.
  int drop_as_in_paper() {
    Eigen::MatrixXd& z = spaces_.front();
    int best = -1, column = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < z.cols(); ++k)
      for (int j = 0; j < z.rows(); ++j) {
        if (!candidate_[std::size_t(j)] || std::abs(z(j, k)) < 1e-9) continue;
        const double quotient = z.col(k).squaredNorm() / (z(j, k) * z(j, k)) - 1;
        if (quotient < least) least = quotient, best = j, column = k;
      }
    if (best < 0) return -1;
    const Eigen::VectorXd pivot = z.col(column);
    for (int k = 0; k < z.cols(); ++k)
      if (k != column) z.col(k) -= z(best, k) / pivot[best] * pivot;
    z.col(column).swap(z.col(z.cols() - 1));
    z = z.leftCols(z.cols() - 1).eval();
    candidate_[std::size_t(best)] = false;
    return best;
  }

 private:
  std::vector<Eigen::MatrixXd> spaces_;
  std::vector<bool> candidate_;
};

class Selector {
 public:
  Selector(const MechanismRows& rows, const MechanismInstants& poses, const RowSelectionOptions& options)
      : layout_(rows.layout()), options_(options), jacobians_(state_jacobians(rows, poses)) {
    for (int row = 0; row < int(layout_.rows().size()); ++row)
      (layout_.is_actuation(row) ? actuation_ : passive_).push_back(row);
  }

  RowSelectionResult run() {
    result_.passive_rows = int(passive_.size());
    select_passive();
    select_active();
    std::sort(result_.selection.dropped.begin(), result_.selection.dropped.end());
    require_square();
    record_singular_values();
    return std::move(result_);
  }

 private:
  // The null spaces of the chosen rows at the poses that are not singular.
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
      if (!(spaces[i].last_kept > options_.gap * spaces[i].first_dropped))
        result_.near_singular.push_back("pose " + std::to_string(regular[i]) + ": singular values " +
                                        std::to_string(spaces[i].last_kept) + " and " +
                                        std::to_string(spaces[i].first_dropped) + " are both near 0");
    return spaces;
  }

  void select_passive() {
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
    eliminate(passive_, Elimination(std::move(regular), std::vector<bool>(passive_.size(), true)),
              "implied by the other rows of its loops");
    result_.passive_dropped = int(result_.dropped.size());
  }

  void select_active() {
    std::vector<int> chosen;
    for (const int row : passive_)
      if (!is_dropped(row)) chosen.push_back(row);
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
    eliminate(chosen, Elimination(std::move(spaces), std::move(candidate)), "the other actuators determine it");
    result_.active_dropped = int(result_.dropped.size()) - result_.passive_dropped;
  }

  void eliminate(const std::vector<int>& chosen, Elimination elimination, const std::string& reason) {
    for (int left = elimination.nullity(); left > 0; --left) {
      int pick = preferred(chosen, elimination);
      if (pick >= 0)
        elimination.drop(pick);
      else if (options_.method == RowSelectionOptions::Method::paper)
        pick = elimination.drop_as_in_paper();
      else if (pick = elimination.heaviest(); pick >= 0)
        elimination.drop(pick);
      if (pick < 0)
        throw Error(Failure::input,
                    "the rows of the mechanism depend on each other at these poses, but no row of an actuator is "
                    "among those that do: the poses are singular, or do not satisfy the constraints");
      const int row = chosen[std::size_t(pick)];
      result_.selection.dropped.push_back(row);
      result_.dropped.push_back({row, layout_.row_name(row), reason});
    }
  }

  int preferred(const std::vector<int>& chosen, const Elimination& elimination) const {
    for (const std::string& name : options_.drop_first)
      for (std::size_t i = 0; i < chosen.size(); ++i)
        if (layout_.is_actuation(chosen[i]) && !is_dropped(chosen[i]) && row_of_control(chosen[i], name) &&
            elimination.weight(int(i)) > 1e-2)
          return int(i);
    return -1;
  }

  bool row_of_control(int row, const std::string& name) const {
    return layout_.model().joints()[std::size_t(layout_.rows()[std::size_t(row)].joint)].name == name.substr(0, name.find('.'));
  }

  bool is_dropped(int row) const {
    return std::find(result_.selection.dropped.begin(), result_.selection.dropped.end(), row) !=
           result_.selection.dropped.end();
  }

  std::vector<int> kept() const {
    std::vector<int> chosen;
    for (int row = 0; row < int(layout_.rows().size()); ++row)
      if (!is_dropped(row)) chosen.push_back(row);
    return chosen;
  }

  void require_square() const {
    const std::vector<int> chosen = kept();
    if (int(chosen.size()) == layout_.state_count()) return;
    const Sparse transposed = normalized_rows(jacobians_.front(), chosen).transpose();
    const Eigen::MatrixXd free = left_null_space(transposed, options_.rank_tolerance).vectors;
    throw Error(Failure::input, "the actuators do not determine the mechanism: it has " + std::to_string(result_.mobility) +
                                    " degrees of freedom, and " + std::to_string(free.cols()) +
                                    " stay free. What moves most freely: " + freest_bodies(free) +
                                    ". Drive a joint of these, or fix one");
  }

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

  void record_singular_values() {
    const std::vector<int> chosen = kept();
    parallel_for(jacobians_.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        throw_if_interrupted();
        result_.poses[k].smallest_kept = smallest_singular_value(chosen_rows(jacobians_[k], chosen));
        result_.poses[k].smallest_all = smallest_singular_value(jacobians_[k]);
      }
    });
  }

  const MechanismLayout& layout_;
  const RowSelectionOptions& options_;
  const std::vector<Sparse> jacobians_;
  std::vector<int> passive_, actuation_;
  RowSelectionResult result_;
};

}  // namespace

RowSelectionResult select_rows(const MechanismRows& rows, const MechanismInstants& poses, const RowSelectionOptions& options) {
  if (!rows.layout().selection().dropped.empty())
    throw Error(Failure::internal, "rows are selected among all rows, but the layout leaves some out");
  if (poses.count() == 0) throw Error(Failure::internal, "rows are selected at no pose");
  return Selector(rows, poses, options).run();
}

Eigen::VectorXd smallest_singular_values(const MechanismRows& rows, const MechanismInstants& poses, bool kept_only) {
  constexpr std::size_t chunk = 8;  // instants that share an analysis of the pattern
  const MechanismLayout& layout = rows.layout();
  if (!kept_only && !layout.selection().dropped.empty())
    return smallest_singular_values(MechanismRows(with_all_rows(layout)), poses, true);
  Eigen::VectorXd result(poses.count());
  parallel_for(std::size_t(poses.count()), chunk, [&](std::size_t begin, std::size_t end) {
    throw_if_interrupted();
    const Eigen::Index first = Eigen::Index(begin), count = Eigen::Index(end - begin);
    const std::vector<Sparse> jacobians =
        state_jacobians(rows, {poses.states.middleCols(first, count), poses.controls.middleCols(first, count), poses.parameters,
                               poses.prescribed.middleCols(first, count)});
    SmallestSingularValue solver(rows.patterns().states);
    for (Eigen::Index k = 0; k < count; ++k) {
      const Sparse& jacobian = jacobians[std::size_t(k)];
      result[first + k] = solver.find(Eigen::Map<const Eigen::VectorXd>(jacobian.valuePtr(), jacobian.nonZeros()), accuracy);
    }
  });
  return result;
}

std::shared_ptr<const MechanismLayout> with_all_rows(const MechanismLayout& layout) {
  return std::make_shared<const MechanismLayout>(layout.shared_model(),
                                                 RowSelection{{}, layout.selection().dependent_controls});
}

int assembly_rank(const MechanismRows& rows, const MechanismInstants& poses, int nullity, double tolerance) {
  const MechanismLayout& layout = rows.layout();
  if (nullity == 0 || layout.parameter_count() == 0) return 0;
  std::vector<int> passive;
  for (int row = 0; row < int(layout.rows().size()); ++row)
    if (!layout.is_actuation(row)) passive.push_back(row);
  Eigen::MatrixXd stacked(Eigen::Index(nullity) * poses.count(), layout.parameter_count());
  for (Eigen::Index k = 0; k < poses.count(); ++k) {
    const Eigen::MatrixXd jacobian = rows.dense_jacobian(poses, k)(passive, Eigen::all);
    const auto svd = singular_value_decomposition(jacobian.leftCols(layout.state_count()), SingularVectors::left);
    stacked.middleRows(k * nullity, nullity) =
        svd.U.rightCols(nullity).transpose() * jacobian.rightCols(layout.parameter_count());
  }
  return int((singular_values(stacked).array() > tolerance).count());
}

}  // namespace holo
