#include "staged/arrow/rated_states.h"

#include "staged/arrow/block_loop.h"

namespace holo {

namespace {

// The product -row . matrix in one lane, of a matrix given by values of a pattern.
void multiply(const StagePattern& pattern, const StageLanes& values, int lane, const Eigen::Ref<const Eigen::VectorXd>& row,
              Eigen::Ref<Eigen::VectorXd> product) {
  for (int column = 0; column < int(pattern.cols()); ++column) {
    double sum = 0;
    for (int e = pattern.outerIndexPtr()[column]; e < pattern.outerIndexPtr()[column + 1]; ++e)
      sum -= row[pattern.innerIndexPtr()[e]] * values(e, lane);
    product[column] = sum;
  }
}

}  // namespace

RatedStates::RatedStates(const StagedLayout& layout, StateFactors& factors, int parameters_size)
    : layout_(layout), factors_(factors), parameter_(parameters_size), control_(layout.control_count) {
  const Eigen::Index columns = Eigen::Index(count()) * layout.stage_count;
  inverse_.setZero(layout.state_count, columns);
  parameters_.setZero(parameters_size, columns);
  controls_.setZero(layout.control_count, columns);
  work_.resize(empty() ? 0 : std::size_t(layout.block_count()));
  for (StageLanes& work : work_) work.setZero(3 * layout.state_count, stage_lanes);
}

void RatedStates::prepare(const StagedQuadratic& quadratic) {
  if (empty()) return;
  const int ns = layout_.state_count, np = layout_.parameter_count;
  for_each_block(layout_.block_count(), [&](int block) {
    const StageDerivatives& values = quadratic.blocks[std::size_t(block)];
    const int first = block * stage_lanes, lanes = std::min(stage_lanes, layout_.stage_count - first);
    StageLanes& work = work_[std::size_t(block)];
    for (int j = 0; j < count(); ++j) {
      // Row j of C_s^-1 is the solution of C_s^T x = e_j. Its products with C_p and C_u are the rows of P and U.
      work.topRows(ns).setZero();
      work.row(layout_.rated_states[std::size_t(j)]).setOnes();
      factors_.solve_transposed(block, work.data(), work.data() + ns * stage_lanes);
      for (int lane = 0; lane < lanes; ++lane) {
        const int to = column(j, first + lane);
        inverse_.col(to) = work.col(lane).head(ns);
        multiply(layout_.parameters_jacobian, values.parameters_jacobian, lane, inverse_.col(to), parameters_.col(to).head(np));
        multiply(layout_.controls_jacobian, values.controls_jacobian, lane, inverse_.col(to), controls_.col(to));
      }
    }
  });
}

void RatedStates::begin(const StagedConstraints& constraints) {
  for (int k = 0; k < layout_.stage_count && !empty(); ++k)
    for (int j = 0; j < count(); ++j)
      parameters_(layout_.parameter_count, column(j, k)) = -inverse_.col(column(j, k)).dot(constraints.states.col(k));
}

void RatedStates::find(int rated, int stage, const Eigen::VectorXd& offset) {
  // (ds' - ds) / h with ds' = c' + P' dp + U' du' and du' = du + h dv + offset.
  const int now = column(rated, stage);
  column_ = column(rated, stage + 1);
  parameter_ = (parameters_.col(column_) - parameters_.col(now)) / layout_.time_step;
  parameter_[layout_.parameter_count] += controls_.col(column_).dot(offset) / layout_.time_step;
  control_ = (controls_.col(column_) - controls_.col(now)) / layout_.time_step;
}

}  // namespace holo
