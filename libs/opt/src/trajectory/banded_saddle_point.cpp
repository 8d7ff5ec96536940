#include "holo/opt/trajectory/banded_saddle_point.h"

#include <algorithm>

#include "block_tridiagonal/index_loop.h"
#include "trajectory/banded_layout.h"

namespace holo {

namespace {

BlockTridiagonalOptions without_own_shift(BlockTridiagonalOptions options) {
  options.shift = {0, 0};
  options.columns = SaddlePointSystem::largest_columns;
  return options;
}

}  // namespace

// K2 and K1 have a solver each, so that one is solved without the other.
class BandedSaddlePoint::Factors {
 public:
  Factors(const BandedBlocks& blocks, const BlockTridiagonalOptions& options)
      : layout_(blocks), metric_(layout_, without_own_shift(options)), model_(layout_, without_own_shift(options)) {}

  struct Factor {
    BlockTridiagonalMatrix matrix;
    std::unique_ptr<BlockTridiagonalSolver> solver;
    Eigen::MatrixXd right_side, solution;  // [row][column]

    Factor(const BandedLayout& layout, const BlockTridiagonalOptions& options)
        : matrix(layout.shape()), solver(make_block_tridiagonal_solver(layout.shape(), layout.signs(), options)) {
      right_side.setZero(Eigen::Index(layout.shape().system_rows()), largest_columns);
      solution = right_side;
    }
    SaddlePointOutcome factorize() {
      if (solver->factor(matrix)) return SaddlePointOutcome::factorized;
      return solver->report(0).status == BlockTridiagonalReport::Status::not_finite ? SaddlePointOutcome::not_finite
                                                                                    : SaddlePointOutcome::singular;
    }
  };

  const BandedLayout& layout() const { return layout_; }
  Factor& of(SaddlePointMatrix matrix) { return matrix == SaddlePointMatrix::metric ? metric_ : model_; }

  void assemble_metric(const BandedBlocks& blocks, const Eigen::VectorXd& metric, const Eigen::VectorXd& constraint_shift) {
    write_diagonal(metric, metric_);
    write_constraints(blocks, constraint_shift, metric_);
  }
  void assemble_model(const BandedBlocks& blocks, const Eigen::VectorXd& metric, double unknown_shift,
                      const Eigen::VectorXd& constraint_shift) {
    for (int point = 0; point < blocks.shape().points(); ++point)
      for (int earlier = blocks.first_coupled(point); earlier <= point; ++earlier)
        layout_.write_hessian(blocks, point, earlier, model_.matrix);
    for (std::size_t i = 0; i < layout_.unknown_rows().size(); ++i)
      layout_.diagonal(model_.matrix, layout_.unknown_rows()[i]) += unknown_shift * metric[Eigen::Index(i)];
    write_constraints(blocks, constraint_shift, model_);
  }

  bool solve(Factor& factor, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const {
    const std::size_t entries = std::size_t(factor.right_side.rows() * b.cols());
    const auto visit = [&](const auto& copy) {
      const Eigen::Index n = Eigen::Index(layout_.unknown_rows().size());
      for (Eigen::Index column = 0; column < b.cols(); ++column) {
        for (Eigen::Index i = 0; i < n; ++i) copy(i, layout_.unknown_rows()[std::size_t(i)], column);
        for (Eigen::Index i = n; i < b.rows(); ++i) copy(i, layout_.constraint_rows()[std::size_t(i - n)], column);
      }
    };
    visit([&](Eigen::Index i, int row, Eigen::Index column) { factor.right_side(row, column) = b(i, column); });
    if (!factor.solver->solve({factor.right_side.data(), entries}, {factor.solution.data(), entries}, int(b.cols())))
      return false;
    visit([&](Eigen::Index i, int row, Eigen::Index column) { x(i, column) = factor.solution(row, column); });
    return true;
  }

 private:
  void write_diagonal(const Eigen::VectorXd& values, Factor& factor) const {
    for (std::size_t i = 0; i < layout_.unknown_rows().size(); ++i)
      layout_.diagonal(factor.matrix, layout_.unknown_rows()[i]) = values[Eigen::Index(i)];
  }

  // A, -Dc and the rows of padding. These get the largest number on the diagonal, since scales depend on that.
  void write_constraints(const BandedBlocks& blocks, const Eigen::VectorXd& constraint_shift, Factor& factor) const {
    for (int point = 0; point < blocks.shape().points(); ++point)
      for (int other = blocks.first_seen(point); other <= blocks.last_seen(point); ++other)
        layout_.write_jacobian(blocks, point, other, factor.matrix);
    for (std::size_t i = 0; i < layout_.constraint_rows().size(); ++i)
      layout_.diagonal(factor.matrix, layout_.constraint_rows()[i]) = -constraint_shift[Eigen::Index(i)];
    double largest = 0;
    for (int row : layout_.unknown_rows()) largest = std::max(largest, layout_.diagonal(factor.matrix, row));
    for (int row : layout_.padding_rows()) layout_.diagonal(factor.matrix, row) = largest > 0 ? largest : 1;
  }

  BandedLayout layout_;
  Factor metric_, model_;
};

BandedSaddlePoint::BandedSaddlePoint(const BandedSaddleShape& shape, const BlockTridiagonalOptions& options)
    : blocks_(shape), factors_(std::make_unique<Factors>(blocks_, options)) {}

BandedSaddlePoint::~BandedSaddlePoint() = default;

SaddlePointOutcome BandedSaddlePoint::factor(SaddlePointSelection selection, const Eigen::VectorXd& metric,
                                             double unknown_shift, const Eigen::VectorXd& constraint_shift) {
  if (!blocks_.is_finite()) return SaddlePointOutcome::not_finite;
  SaddlePointOutcome outcomes[2] = {SaddlePointOutcome::factorized, SaddlePointOutcome::factorized};  // of K2, K1
  const int begin = selection == SaddlePointSelection::model ? 1 : 0;
  const int end = selection == SaddlePointSelection::metric ? 1 : 2;
  for_each_index(begin, end, [&](int i) {
    if (i == 0)
      factors_->assemble_metric(blocks_, metric, constraint_shift);
    else
      factors_->assemble_model(blocks_, metric, unknown_shift, constraint_shift);
    outcomes[i] = factors_->of(i == 0 ? SaddlePointMatrix::metric : SaddlePointMatrix::model).factorize();
  });
  return outcomes[0] != SaddlePointOutcome::factorized ? outcomes[0] : outcomes[1];
}

bool BandedSaddlePoint::solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b,
                              Eigen::Ref<Eigen::MatrixXd> x) {
  return factors_->solve(factors_->of(matrix), b, x);
}

const BlockTridiagonalReport& BandedSaddlePoint::report(SaddlePointMatrix matrix) const {
  return factors_->of(matrix).solver->report(0);
}

int BandedSaddlePoint::padding_rows() const { return int(factors_->layout().padding_rows().size()); }

}  // namespace holo
