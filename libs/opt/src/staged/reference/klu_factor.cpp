#include "staged/reference/klu_factor.h"

#include <cmath>

#include "holo/core/error.h"

namespace holo {

namespace {

// Limits: below the first, the pivots of the last factorization are replaced; below the second, the matrix is singular.
constexpr double smallest_reciprocal_growth = 1e-8, smallest_klu_pivot_ratio = 1e-14;

}  // namespace

KluAnalysis::KluAnalysis(const StagePattern& pattern)
    : size_(int(pattern.cols())),
      columns_(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1),
      rows_(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros()) {
  klu_defaults(&settings_);
  if (rows_.empty()) return;  // singular
  settings_.tol = 0.1;        // the pivots of one stage serve others too: away from the smallest
  symbolic_ = klu_analyze(size_, columns(), rows(), &settings_);
  if (symbolic_ == nullptr && settings_.status != KLU_SINGULAR)
    throw Error(Failure::internal, "KLU cannot analyze the states' Jacobian (status " + std::to_string(settings_.status) + ")");
}

KluAnalysis::~KluAnalysis() { klu_free_symbolic(&symbolic_, &settings_); }

KluFactor::KluFactor(std::shared_ptr<const KluAnalysis> analysis)
    : analysis_(std::move(analysis)),
      common_(analysis_->settings()),
      values_(std::size_t(analysis_->value_count())),
      x_(std::size_t(analysis_->size()) * largest_count) {}

KluFactor::~KluFactor() { klu_free_numeric(&numeric_, &common_); }

bool KluFactor::factor_anew() {
  klu_free_numeric(&numeric_, &common_);
  numeric_ = klu_factor(analysis_->columns(), analysis_->rows(), values_.data(), analysis_->symbolic(), &common_);
  return numeric_ != nullptr && common_.status == KLU_OK && is_regular();
}

bool KluFactor::is_regular() {
  return klu_rcond(analysis_->symbolic(), numeric_, &common_) && common_.rcond > smallest_klu_pivot_ratio;
}

// Refactors with the pivots of the last time and chooses new ones only where those do not suit.
bool KluFactor::factor(const double* values, int stride) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = values[i * std::size_t(stride)];
    if (!std::isfinite(values_[i])) return false;
  }
  if (numeric_ == nullptr) return factor_anew();
  const bool refactored =
      klu_refactor(analysis_->columns(), analysis_->rows(), values_.data(), analysis_->symbolic(), numeric_, &common_) &&
      common_.status == KLU_OK;
  if (!refactored) return factor_anew();
  klu_rgrowth(analysis_->columns(), analysis_->rows(), values_.data(), analysis_->symbolic(), numeric_, &common_);
  if (!(common_.rgrowth > smallest_reciprocal_growth) || !is_regular()) return factor_anew();
  return true;
}

void KluFactor::solve(int count) { klu_solve(analysis_->symbolic(), numeric_, analysis_->size(), count, x_.data(), &common_); }

void KluFactor::solve_transposed(int count) {
  klu_tsolve(analysis_->symbolic(), numeric_, analysis_->size(), count, x_.data(), &common_);
}

KluFactor::Order KluFactor::order() {
  const auto n = std::size_t(analysis_->size());
  Order order{std::vector<int>(n), std::vector<int>(n), std::vector<int>(n + 1)};
  klu_extract(numeric_, analysis_->symbolic(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              order.rows.data(), order.columns.data(), nullptr, order.blocks.data(), &common_);
  order.blocks.resize(std::size_t(analysis_->symbolic()->nblocks) + 1);
  return order;
}

}  // namespace holo
