#include "staged/arrow/state_factors.h"

#include <algorithm>

#include "staged/arrow/block_loop.h"

namespace holo {

namespace {

// Limits beyond which a lane's factor is rejected: its error would be 1e-11 of the matrix.
constexpr double largest_growth = 1e5, smallest_pivot_ratio = 1e-13;
constexpr int most_plans = 8;

}  // namespace

StateFactors::StateFactors(const StagedLayout& layout, StateFactorization kind)
    : stage_count_(layout.stage_count),
      size_(layout.state_count),
      kind_(kind),
      pattern_(layout.states_jacobian),
      analysis_(std::make_shared<KluAnalysis>(layout.states_jacobian)),
      blocks_(std::size_t(layout.block_count())),
      klu_(std::size_t(layout.stage_count)),
      singular_(std::size_t(layout.stage_count)) {}

int StateFactors::klu_count() const {
  int count = 0;
  for (int k = 0; k < stage_count_; ++k) count += klu(k) != nullptr;
  return count;
}

// False where that stage's matrix is singular.
bool StateFactors::add_plan(const StageDerivatives& values, int stage) {
  const int lane = stage % stage_lanes;
  KluFactor klu(analysis_);
  if (analysis_->is_singular() || !klu.factor(values.states_jacobian.data() + lane, stage_lanes)) return false;
  plans_.push_back(std::make_shared<LaneLu>(pattern_, klu.order(), values.states_jacobian.data() + lane, stage_lanes));
  return true;
}

bool StateFactors::all_good(int block) const {
  const Block& b = blocks_[std::size_t(block)];
  return std::all_of(b.in_lanes, b.in_lanes + lanes_of(block), [](bool good) { return good; });
}

bool StateFactors::try_plan(int block, int plan, const StageDerivatives& values, double* work) {
  Block& b = blocks_[std::size_t(block)];
  const LaneLu& lu = *plans_[std::size_t(plan)];
  if (b.factor.rows() != lu.factor_length()) b.factor.resize(lu.factor_length(), stage_lanes);
  b.plan = plan;
  const LaneLu::Quality quality = lu.factor(values.states_jacobian.data(), b.factor.data(), work);
  b.any_lanes = false;
  for (int lane = 0; lane < stage_lanes; ++lane) {
    b.in_lanes[lane] = quality.growth[lane] < largest_growth && quality.pivot_ratio[lane] > smallest_pivot_ratio;
    b.any_lanes |= b.in_lanes[lane] && lane < lanes_of(block);
  }
  return all_good(block);
}

// The plan of the last time first.
void StateFactors::factor_block(int block, const StageDerivatives& values) {
  double* work = work_[std::size_t(block)].data();
  const int last = blocks_[std::size_t(block)].plan;
  if (try_plan(block, last, values, work)) return;
  for (int plan = 0; plan < plan_count(); ++plan)
    if (plan != last && try_plan(block, plan, values, work)) return;
}

void StateFactors::factor_by_klu(int block, const StageDerivatives& values) {
  Block& b = blocks_[std::size_t(block)];
  for (int lane = 0; lane < lanes_of(block); ++lane) {
    const auto stage = std::size_t(block * stage_lanes + lane);
    if (b.in_lanes[lane]) continue;
    if (klu_[stage] == nullptr) klu_[stage] = std::make_unique<KluFactor>(analysis_);
    singular_[stage] = !klu_[stage]->factor(values.states_jacobian.data() + lane, stage_lanes);
  }
}

int StateFactors::factor(const std::vector<StageDerivatives>& blocks) {
  std::fill(singular_.begin(), singular_.end(), char(0));
  if (plans_.empty() && !add_plan(blocks[0], 0)) return 0;
  if (kind_ == StateFactorization::lanes) {
    if (work_.empty()) work_.resize(blocks_.size(), StageLanes(2 * size_, stage_lanes));
    for_each_block(int(blocks_.size()), [&](int b) { factor_block(b, blocks[std::size_t(b)]); });
    // A block that no order suits gets a new one, of its first stage that suits none.
    const int plans_before = plan_count();
    for (int b = 0; b < int(blocks_.size()); ++b) {
      for (int plan = plans_before; plan < plan_count() && !all_good(b); ++plan)
        try_plan(b, plan, blocks[std::size_t(b)], work_[std::size_t(b)].data());
      if (all_good(b) || plan_count() == most_plans) continue;
      const bool* good = blocks_[std::size_t(b)].in_lanes;
      const int stage = b * stage_lanes + int(std::find(good, good + lanes_of(b), false) - good);
      if (!add_plan(blocks[std::size_t(b)], stage)) return stage;
      try_plan(b, plan_count() - 1, blocks[std::size_t(b)], work_[std::size_t(b)].data());
    }
  }
  for_each_block(int(blocks_.size()), [&](int b) { factor_by_klu(b, blocks[std::size_t(b)]); });
  const auto first = std::find(singular_.begin(), singular_.end(), char(1));
  return first == singular_.end() ? -1 : int(first - singular_.begin());
}

template <bool transposed>
void StateFactors::solve_block(int block, double* x, double* work) {
  const Block& b = blocks_[std::size_t(block)];
  auto for_each_klu = [&](const auto& body) {
    for (int lane = 0; lane < lanes_of(block); ++lane)
      if (!b.in_lanes[lane]) body(*klu_[std::size_t(block * stage_lanes + lane)], lane);
  };
  for_each_klu([&](KluFactor& klu, int lane) {
    for (int i = 0; i < size_; ++i) klu.right_sides()[i] = x[i * stage_lanes + lane];
    transposed ? klu.solve_transposed(1) : klu.solve(1);
  });
  if (b.any_lanes) {
    const LaneLu& lu = *plans_[std::size_t(b.plan)];
    transposed ? lu.solve_transposed(b.factor.data(), x, work) : lu.solve(b.factor.data(), x, work);
  }
  for_each_klu([&](KluFactor& klu, int lane) {
    for (int i = 0; i < size_; ++i) x[i * stage_lanes + lane] = klu.right_sides()[i];
  });
}

void StateFactors::solve(int block, double* x, double* work) { solve_block<false>(block, x, work); }
void StateFactors::solve_transposed(int block, double* x, double* work) { solve_block<true>(block, x, work); }

}  // namespace holo
