#include "holo/opt/trajectory/timed_problem.h"

namespace holo {

// The problem's system with a clock.
class TimedProblem::TimedSystem final : public SaddlePointSystem {
 public:
  TimedSystem(SaddlePointSystem& system, Clock clock, ProblemTimes& times) : system_(system), clock_(clock), times_(times) {}

  int unknown_count() const override { return system_.unknown_count(); }
  int constraint_count() const override { return system_.constraint_count(); }
  void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override {
    times_.products += seconds_of(clock_, [&] { system_.multiply_hessian(p, product); });
  }
  void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const override {
    times_.products += seconds_of(clock_, [&] { system_.multiply_jacobian(p, product); });
  }
  void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const override {
    times_.products += seconds_of(clock_, [&] { system_.multiply_jacobian_transposed(y, product); });
  }
  void hessian_diagonal(Eigen::VectorXd& diagonal) const override {
    times_.products += seconds_of(clock_, [&] { system_.hessian_diagonal(diagonal); });
  }
  void jacobian_row_norms(Eigen::VectorXd& norms) const override {
    times_.products += seconds_of(clock_, [&] { system_.jacobian_row_norms(norms); });
  }
  SaddlePointOutcome factor(SaddlePointSelection selection, const Eigen::VectorXd& metric, double unknown_shift,
                            const Eigen::VectorXd& constraint_shift) override {
    SaddlePointOutcome outcome{};
    ++times_.factorizations;
    times_.factorization +=
        seconds_of(clock_, [&] { outcome = system_.factor(selection, metric, unknown_shift, constraint_shift); });
    return outcome;
  }
  bool solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override {
    bool is_accurate = false;
    ++times_.solutions;
    times_.solution += seconds_of(clock_, [&] { is_accurate = system_.solve(matrix, b, x); });
    return is_accurate;
  }

 private:
  SaddlePointSystem& system_;
  Clock clock_;
  ProblemTimes& times_;  // also of the const products: a clock is no part of the system's value
};

TimedProblem::TimedProblem(EqualityConstrainedProblem& problem, Clock clock)
    : problem_(problem), clock_(clock), system_(std::make_unique<TimedSystem>(problem.system(), clock, times_)) {}

TimedProblem::~TimedProblem() = default;

double TimedProblem::evaluate(const Eigen::VectorXd& point, Eigen::VectorXd& constraints) {
  double value = 0;
  ++times_.evaluations;
  times_.evaluation += seconds_of(clock_, [&] { value = problem_.evaluate(point, constraints); });
  return value;
}

void TimedProblem::linearize(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) {
  ++times_.linearizations;
  times_.linearization += seconds_of(clock_, [&] { problem_.linearize(point, multipliers, gradient); });
}

SaddlePointSystem& TimedProblem::system() { return *system_; }

bool TimedProblem::differentiate(const Eigen::VectorXd& point, const Eigen::VectorXd& multipliers, Eigen::VectorXd& gradient) {
  bool is_known = false;
  times_.linearization += seconds_of(clock_, [&] { is_known = problem_.differentiate(point, multipliers, gradient); });
  if (is_known) ++times_.linearizations;
  return is_known;
}

}  // namespace holo
