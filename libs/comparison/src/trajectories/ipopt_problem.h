#pragma once
// Ipopt [Waechter2006] on a problem with equality constraints: what trajectory optimization is compared with. It is an
// interior-point method with a filter line search, and shares no code with our solvers but values and derivatives of the
// problem.

#ifndef HAVE_CSTDDEF
#define HAVE_CSTDDEF  // asked for by IpSmartPtr.hpp, which tests no standard
#endif
#include <IpIpoptApplication.hpp>
#include <IpSolveStatistics.hpp>
#include <IpTNLP.hpp>
#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "holo/comparison/ipopt_solver.h"
#include "holo/opt/trajectory/banded_saddle_point.h"
#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo::comparison {

struct IpoptResult {
  Ipopt::ApplicationReturnStatus status = Ipopt::Internal_Error;
  Eigen::VectorXd point;
  double objective = 0;
  double constraint_largest = 0, stationarity = 0;  // largest |C_i| and entry of b + A^T lambda, without scales
  int iterations = 0;
  double seconds = 0;
  std::vector<IpoptIteration> history;
};

// Calls visit(constraint, unknown, entry of A) in a fixed order.
template <class Visit>
void visit_jacobian(const BandedBlocks& blocks, const Visit& visit) {
  for (int point = 0; point < blocks.shape().points(); ++point)
    for (int seen = blocks.first_seen(point); seen <= blocks.last_seen(point); ++seen) {
      const ConstBlockReference block = blocks.jacobian_block(point, seen);
      for (int i = 0; i < block.rows(); ++i)
        for (int j = 0; j < block.cols(); ++j)
          visit(blocks.first_constraint(point) + i, blocks.first_unknown(seen) + j, block(i, j));
    }
}

// A problem as Ipopt calls it. The Jacobian is that of a BandedSaddlePoint; for another system the constructor throws
// std::bad_cast. The Hessian of the Lagrangian is forward differences of its gradient, which couple no more points than H has
// to; with H itself, without the curvature of the constraints, Ipopt's whole steps do not converge. Values that are not finite
// make Ipopt shorten its step.
class IpoptProblem final : public Ipopt::TNLP {
  using Index = Ipopt::Index;
  using Number = Ipopt::Number;

 public:
  IpoptProblem(EqualityConstrainedProblem& problem, Eigen::VectorXd start)
      : problem_(problem),
        blocks_(dynamic_cast<const BandedSaddlePoint&>(problem.system()).blocks()),
        start_(std::move(start)),
        constraints_(problem.constraint_count()),
        gradient_(problem.unknown_count()) {
    group_unknowns();
  }
  const IpoptResult& result() const { return result_; }

  bool get_nlp_info(Index& n, Index& m, Index& jacobian_entries, Index& hessian_entries, IndexStyleEnum& style) override {
    n = problem_.unknown_count();
    m = problem_.constraint_count();
    jacobian_entries = hessian_entries = 0;
    visit_jacobian(blocks_, [&](int, int, double) { ++jacobian_entries; });
    visit_lower_hessian([&](int, int) { ++hessian_entries; });
    style = C_STYLE;
    return true;
  }
  bool get_bounds_info(Index n, Number* least, Number* largest, Index m, Number* least_g, Number* largest_g) override {
    std::fill_n(least, n, -1e20);  // Ipopt's infinity is 1e19
    std::fill_n(largest, n, 1e20);
    std::fill_n(least_g, m, 0);
    std::fill_n(largest_g, m, 0);
    return true;
  }
  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    std::copy(start_.begin(), start_.end(), x);
    return true;
  }

  bool eval_f(Index, const Number* x, bool, Number& objective) override {
    evaluate(x);
    objective = objective_;
    return std::isfinite(objective_);
  }
  bool eval_g(Index, const Number* x, bool, Index, Number* constraints) override {
    evaluate(x);
    std::copy(constraints_.begin(), constraints_.end(), constraints);
    return constraints_.allFinite();
  }
  bool eval_grad_f(Index, const Number* x, bool, Number* gradient) override {
    linearize(x);
    std::copy(gradient_.begin(), gradient_.end(), gradient);
    return gradient_.allFinite();
  }
  bool eval_jac_g(Index, const Number* x, bool, Index, Index, Index* rows, Index* columns, Number* values) override {
    if (values) linearize(x);
    Index k = 0;
    visit_jacobian(blocks_, [&](int row, int column, double value) { write(k++, row, column, value, rows, columns, values); });
    return !values || blocks_.is_finite();
  }
  bool eval_h(Index, const Number* x, bool, Number objective_factor, Index, const Number* multipliers, bool, Index, Index* rows,
              Index* columns, Number* values) override {
    if (values) differentiate_gradient(x, objective_factor, multipliers);
    Index k = 0;
    visit_lower_hessian([&](int row, int column) {
      const double value =
          values ? (changes_(row, moved_with_[std::size_t(column)]) + changes_(column, moved_with_[std::size_t(row)])) / 2 : 0;
      write(k++, row, column, value, rows, columns, values);
    });
    return !values || changes_.allFinite();
  }
  // Row 0 is the start. In the restoration of constraints the objective is that of another problem.
  bool intermediate_callback(Ipopt::AlgorithmMode mode, Index iteration, Number objective, Number violation,
                             Number stationarity, Number, Number, Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    const double own = mode == Ipopt::RegularMode ? objective : std::numeric_limits<double>::quiet_NaN();
    if (iteration > 0) result_.history.push_back({int(iteration), own, violation, stationarity});
    return true;
  }
  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number*, const Number*, Index, const Number*,
                         const Number* multipliers, Number, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    result_.point = Eigen::Map<const Eigen::VectorXd>(x, n);
    evaluate(x);
    linearize(x);
    result_.objective = objective_;
    result_.constraint_largest = constraints_.lpNorm<Eigen::Infinity>();
    Eigen::VectorXd product(n);
    blocks_.multiply_jacobian_transposed(Eigen::Map<const Eigen::VectorXd>(multipliers, constraints_.size()), product);
    result_.stationarity = (gradient_ + product).lpNorm<Eigen::Infinity>();
  }

 private:
  static constexpr double step = 1e-7;  // of differences [unknown]

  // Structure or values, whichever Ipopt asks for.
  static void write(Index k, int row, int column, double value, Index* rows, Index* columns, Number* values) {
    if (values) {
      values[k] = value;
    } else {
      rows[k] = row;
      columns[k] = column;
    }
  }
  bool is_at(const Eigen::VectorXd& point, const Number* x) const {
    return point.size() > 0 && std::equal(point.begin(), point.end(), x);
  }
  // Calls visit(row, column) for the lower triangle of the Hessian in a fixed order.
  template <class Visit>
  void visit_lower_hessian(const Visit& visit) const {
    for (int point = 0; point < blocks_.shape().points(); ++point)
      for (int row = first_unknown(point); row < first_unknown(point + 1); ++row)
        for (int column = first_unknown(blocks_.first_coupled(point)); column <= row; ++column) visit(row, column);
  }
  int first_unknown(int point) const {
    return point < blocks_.shape().points() ? blocks_.first_unknown(point) : blocks_.unknown_count();
  }

  // Of objective_factor E + multipliers . C, without matrices where the problem has it so.
  Eigen::VectorXd lagrangian_gradient(const Eigen::VectorXd& point, double objective_factor,
                                      const Eigen::VectorXd& multipliers) {
    Eigen::VectorXd result(point.size());
    if (objective_factor > 0) {
      evaluate(point.data());
      if (problem_.differentiate(point, multipliers / objective_factor, result)) return objective_factor * result;
    }
    linearize(point.data());
    blocks_.multiply_jacobian_transposed(multipliers, result);
    return result + objective_factor * gradient_;
  }
  // Unknowns are moved at once where no row of the Hessian has entries of two of them: the j-th ones of points that are at
  // least 2 reach + 1 apart.
  void group_unknowns() {
    const BandedSaddleShape& shape = blocks_.shape();
    const int apart = std::min(2 * shape.hessian_reach + 1, shape.points());
    const int most = *std::max_element(shape.unknowns.begin(), shape.unknowns.end());
    for (int point = 0; point < shape.points(); ++point)
      for (int j = 0; j < shape.unknowns[std::size_t(point)]; ++j) moved_with_.push_back(point % apart * most + j);
    changes_ = Eigen::MatrixXd::Zero(start_.size(), apart * most);
  }
  // Changes of the gradient of objective_factor E + multipliers . C.
  void differentiate_gradient(const Number* x, double objective_factor, const Number* multipliers) {
    const Eigen::VectorXd point = Eigen::Map<const Eigen::VectorXd>(x, start_.size());
    const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(multipliers, constraints_.size());
    const Eigen::VectorXd here = lagrangian_gradient(point, objective_factor, y);
    for (int group = 0; group < int(changes_.cols()); ++group) {
      Eigen::VectorXd moved = point;
      for (int j = 0; j < int(point.size()); ++j)
        if (moved_with_[std::size_t(j)] == group) moved[j] += step;
      if (moved != point) changes_.col(group) = (lagrangian_gradient(moved, objective_factor, y) - here) / step;
    }
  }
  void evaluate(const Number* x) {
    if (is_at(evaluated_, x)) return;
    evaluated_ = Eigen::Map<const Eigen::VectorXd>(x, start_.size());
    objective_ = problem_.evaluate(evaluated_, constraints_);
  }
  void linearize(const Number* x) {
    if (is_at(linearized_, x)) return;
    linearized_ = Eigen::Map<const Eigen::VectorXd>(x, start_.size());
    problem_.linearize(linearized_, Eigen::VectorXd::Zero(constraints_.size()), gradient_);
  }

  EqualityConstrainedProblem& problem_;
  const BandedBlocks& blocks_;
  Eigen::VectorXd start_, evaluated_, linearized_;  // empty: none
  double objective_ = 0;
  Eigen::VectorXd constraints_, gradient_;
  std::vector<int> moved_with_;  // group [unknown]
  Eigen::MatrixXd changes_;      // of the gradient over the step [unknown][group]
  IpoptResult result_;
};

// An application of Ipopt with its messages in a text, no scales of its own, no bounds and the given tolerance.
class IpoptRun {
 public:
  explicit IpoptRun(double tolerance) : application_(new Ipopt::IpoptApplication(false)) {
    application_->Jnlst()->AddJournal(journal_);
    set("print_level", 0);
    set("nlp_scaling_method", "none");  // constraints and unknowns have comparable units
    set("tol", tolerance);
    set("constr_viol_tol", tolerance);
    set("dual_inf_tol", tolerance);
  }
  void set(const std::string& option, int value) { application_->Options()->SetIntegerValue(option, value); }
  void set(const std::string& option, double value) { application_->Options()->SetNumericValue(option, value); }
  void set(const std::string& option, const char* value) { application_->Options()->SetStringValue(option, value); }

  IpoptResult solve(EqualityConstrainedProblem& problem, const Eigen::VectorXd& start) {
    const Ipopt::SmartPtr<IpoptProblem> as_called = new IpoptProblem(problem, start);
    if (application_->Initialize("") != Ipopt::Solve_Succeeded) throw std::runtime_error("Ipopt refuses its options");
    const Ipopt::ApplicationReturnStatus status = application_->OptimizeTNLP(Ipopt::GetRawPtr(as_called));
    IpoptResult result = as_called->result();
    result.status = status;
    if (const Ipopt::SmartPtr<Ipopt::SolveStatistics> statistics = application_->Statistics(); Ipopt::IsValid(statistics)) {
      result.iterations = statistics->IterationCount();
      result.seconds = statistics->TotalWallclockTime();
    }
    return result;
  }
  std::string messages() const { return text_.str(); }

 private:
  std::ostringstream text_;
  Ipopt::SmartPtr<Ipopt::StreamJournal> journal_ = stream_journal(text_);
  Ipopt::SmartPtr<Ipopt::IpoptApplication> application_;

  static Ipopt::StreamJournal* stream_journal(std::ostream& stream) {
    Ipopt::StreamJournal* journal = new Ipopt::StreamJournal("text", Ipopt::J_ITERSUMMARY);
    journal->SetOutputStream(&stream);
    return journal;
  }
};

}  // namespace holo::comparison
