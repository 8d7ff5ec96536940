#include "block_tridiagonal/path_elimination.h"

#include <algorithm>
#include <utility>

#include "block_tridiagonal/dense_products.h"
#include "block_tridiagonal/index_loop.h"
#include "block_tridiagonal/panel_loading.h"

namespace holo {

namespace {

enum Side { left_side = 0, right_side = 1 };

class PathElimination final : public SystemFactor {
 public:
  PathElimination(std::shared_ptr<const PanelLayout> layout, std::shared_ptr<PathWorkspaces> workspaces)
      : layout_(std::move(layout)),
        workspaces_(std::move(workspaces)),
        panels_(layout_->entries()),
        pivots_(std::size_t(layout_->plan().blocks) * std::size_t(layout_->block_size())),
        counts_(layout_->plan().chains.size()) {}

  bool factor(const ScaledSystem& system) override;
  void solve(double* x, int columns) override;

  std::optional<MatrixInertia> inertia() const override {
    if (total_.failed) return std::nullopt;
    return MatrixInertia{total_.positive, total_.negative, 0};
  }
  int wrong_signs() const override { return total_.wrong_signs; }

 private:
  double* panel(int block) { return panels_.data() + layout_->place(block).offset; }
  double* pivots(int block) { return pivots_.data() + block * layout_->block_size(); }
  // What a chain passes to the separator on one side of it, in the workspace of the factorization or of the solution; null for
  // plans without separators, whose workspaces are empty.
  static double* passed(AlignedArray& workspace, int chain_of_phase, Side side, std::size_t entries) {
    return workspace.data() ? workspace.data() + (2 * std::size_t(chain_of_phase) + side) * entries : nullptr;
  }

  PivotCounts factor_chain(const ScaledSystem& system, const EliminationChain& chain, bool is_loaded, AlignedArray& blocks,
                           int chain_of_phase);
  void pass_schur_complement(const Elimination& e, const double* products, double* left, double left_beta, int left_stride,
                             double* right, double right_beta, int right_stride);
  void solve_forward(const EliminationChain& chain, double* x, int columns, AlignedArray& vectors, int chain_of_phase);
  void solve_backward(const EliminationChain& chain, double* x, int columns);

  std::shared_ptr<const PanelLayout> layout_;
  std::shared_ptr<PathWorkspaces> workspaces_;
  AlignedArray panels_;              // of PanelLayout
  std::vector<double> pivots_;       // [block][row]
  std::vector<PivotCounts> counts_;  // [chain]
  PivotCounts total_{.failed = true};
};

// Adds -L P^T to what the two neighbors of an eliminated block are left with, and couples them.
void PathElimination::pass_schur_complement(const Elimination& e, const double* products, double* left, double left_beta,
                                            int left_stride, double* right, double right_beta, int right_stride) {
  const PanelPlace& place = layout_->place(e.block);
  const double* lower = panel(e.block);
  const int size = layout_->block_size(), stride = place.stride;
  if (e.left >= 0)
    subtract_symmetric_product(size, lower + place.left_row, products + place.left_row, stride, left_beta, left, left_stride);
  if (e.right >= 0)
    subtract_symmetric_product(size, lower + place.right_row, products + place.right_row, stride, right_beta, right,
                               right_stride);
  if (e.left < 0 || e.right < 0) return;
  // The new coupling lies in the panel of the neighbor that is eliminated first.
  if (layout_->is_before(e.left, e.right)) {
    const PanelPlace& to = layout_->place(e.left);
    subtract_product(size, size, size, lower + place.right_row, stride, products + place.left_row, stride, 0,
                     panel(e.left) + to.right_row, to.stride);
  } else {
    const PanelPlace& to = layout_->place(e.right);
    subtract_product(size, size, size, lower + place.left_row, stride, products + place.right_row, stride, 0,
                     panel(e.right) + to.left_row, to.stride);
  }
}

PivotCounts PathElimination::factor_chain(const ScaledSystem& system, const EliminationChain& chain, bool is_loaded,
                                          AlignedArray& blocks, int chain_of_phase) {
  const EliminationPlan& plan = layout_->plan();
  WorkspacePool<AlignedArray>::Lease products(workspaces_->products());
  const std::size_t entries = layout_->separator_entries();
  double *to_left = passed(blocks, chain_of_phase, left_side, entries),
         *to_right = passed(blocks, chain_of_phase, right_side, entries);
  double left_beta = 0, right_beta = 0;  // the first product overwrites
  PivotCounts counts;
  if (!is_loaded)
    load_panel(system, *layout_, plan.eliminations[std::size_t(chain.begin)].block,
               panel(plan.eliminations[std::size_t(chain.begin)].block));
  for (int i = chain.begin; i < chain.end; ++i) {
    const Elimination& e = plan.eliminations[std::size_t(i)];
    const int next = i + 1 < chain.end ? plan.eliminations[std::size_t(i) + 1].block : -1;
    if (!is_loaded && next >= 0) load_panel(system, *layout_, next, panel(next));
    const PanelPlace& place = layout_->place(e.block);
    const signed char* signs = system.signs + e.block * layout_->block_size();
    counts.add(
        eliminate({panel(e.block), layout_->block_size(), place.rows, place.stride}, signs, pivots(e.block), products->data()));
    if (counts.failed) break;
    const bool stays_left = e.left >= 0 && e.left == next, stays_right = e.right >= 0 && e.right == next;
    const int stride = layout_->separator_stride(), next_stride = next >= 0 ? layout_->place(next).stride : 0;
    pass_schur_complement(e, products->data(), stays_left ? panel(next) : to_left, stays_left ? 1 : left_beta,
                          stays_left ? next_stride : stride, stays_right ? panel(next) : to_right, stays_right ? 1 : right_beta,
                          stays_right ? next_stride : stride);
    if (e.left >= 0 && !stays_left) left_beta = 1;
    if (e.right >= 0 && !stays_right) right_beta = 1;
  }
  return counts;
}

bool PathElimination::factor(const ScaledSystem& system) {
  const EliminationPlan& plan = layout_->plan();
  WorkspacePool<AlignedArray>::Lease blocks(workspaces_->blocks());
  const int size = layout_->block_size(), stride = layout_->separator_stride();
  const std::size_t entries = layout_->separator_entries();
  total_ = {};
  // Chains of the first phase load their blocks one by one, which then are in the cache; separators are changed before their
  // chain begins.
  const int first_separator = plan.chains[std::size_t(plan.phases.front().end) - 1].end;
  if (first_separator < plan.blocks)
    for_each_index(first_separator, plan.blocks, [&](int i) {
      const int block = plan.eliminations[std::size_t(i)].block;
      load_panel(system, *layout_, block, panel(block));
    });
  for (const EliminationPhase& phase : plan.phases) {
    const bool is_loaded = &phase != &plan.phases.front();
    for_each_index(phase.begin, phase.end, [&](int c) {
      counts_[std::size_t(c)] = factor_chain(system, plan.chains[std::size_t(c)], is_loaded, *blocks, c - phase.begin);
    });
    for (int c = phase.begin; c < phase.end; ++c) total_.add(counts_[std::size_t(c)]);
    if (total_.failed) return false;
    for_each_index(phase.updates_begin, phase.updates_end, [&](int u) {
      const SeparatorUpdate& update = plan.updates[std::size_t(u)];
      const int to_stride = layout_->place(update.block).stride;
      for (const auto& [chain, side] : {std::pair(update.left_chain, right_side), std::pair(update.right_chain, left_side)}) {
        if (chain < 0) continue;
        const double* from = passed(*blocks, chain - phase.begin, side, entries);
        double* to = panel(update.block);
        for (int column = 0; column < size; ++column)
          for (int row = column; row < size; ++row) to[column * to_stride + row] += from[column * stride + row];
      }
    });
  }
  return true;
}

void PathElimination::solve_forward(const EliminationChain& chain, double* x, int columns, AlignedArray& vectors,
                                    int chain_of_phase) {
  const EliminationPlan& plan = layout_->plan();
  const int size = layout_->block_size(), ldx = size * plan.blocks;
  const std::size_t entries = std::size_t(size) * std::size_t(columns);
  double beta[2] = {0, 0};  // the first product overwrites
  for (int i = chain.begin; i < chain.end; ++i) {
    const Elimination& e = plan.eliminations[std::size_t(i)];
    const PanelPlace& place = layout_->place(e.block);
    const int next = i + 1 < chain.end ? plan.eliminations[std::size_t(i) + 1].block : -1;
    double* own = x + e.block * size;
    solve_unit_lower("N", size, panel(e.block), place.stride, own, ldx, columns);
    for (const auto& [neighbor, row, side] :
         {std::tuple(e.left, place.left_row, left_side), std::tuple(e.right, place.right_row, right_side)}) {
      if (neighbor < 0) continue;
      const bool stays = neighbor == next;
      double* to = stays ? x + neighbor * size : passed(vectors, chain_of_phase, side, entries);
      add_product("N", size, size, -1, panel(e.block) + row, place.stride, own, ldx, stays ? 1 : beta[side], to,
                  stays ? ldx : size, columns);
      if (!stays) beta[side] = 1;
    }
  }
}

void PathElimination::solve_backward(const EliminationChain& chain, double* x, int columns) {
  const EliminationPlan& plan = layout_->plan();
  const int size = layout_->block_size(), ldx = size * plan.blocks;
  for (int i = chain.end - 1; i >= chain.begin; --i) {
    const Elimination& e = plan.eliminations[std::size_t(i)];
    const PanelPlace& place = layout_->place(e.block);
    double* own = x + e.block * size;
    const double* d = pivots(e.block);
    for (int column = 0; column < columns; ++column)
      for (int row = 0; row < size; ++row) own[column * ldx + row] /= d[row];
    for (const auto& [neighbor, row] : {std::pair(e.left, place.left_row), std::pair(e.right, place.right_row)})
      if (neighbor >= 0)
        add_product("T", size, size, -1, panel(e.block) + row, place.stride, x + neighbor * size, ldx, 1, own, ldx, columns);
    solve_unit_lower("T", size, panel(e.block), place.stride, own, ldx, columns);
  }
}

void PathElimination::solve(double* x, int columns) {
  const EliminationPlan& plan = layout_->plan();
  WorkspacePool<AlignedArray>::Lease vectors(workspaces_->vectors());
  const int size = layout_->block_size(), ldx = size * plan.blocks;
  const std::size_t entries = std::size_t(size) * std::size_t(columns);
  for (const EliminationPhase& phase : plan.phases) {
    for_each_index(phase.begin, phase.end,
                   [&](int c) { solve_forward(plan.chains[std::size_t(c)], x, columns, *vectors, c - phase.begin); });
    for (int u = phase.updates_begin; u < phase.updates_end; ++u) {
      const SeparatorUpdate& update = plan.updates[std::size_t(u)];
      for (const auto& [chain, side] : {std::pair(update.left_chain, right_side), std::pair(update.right_chain, left_side)}) {
        if (chain < 0) continue;
        const double* from = passed(*vectors, chain - phase.begin, side, entries);
        for (int column = 0; column < columns; ++column)
          for (int row = 0; row < size; ++row) x[update.block * size + column * ldx + row] += from[column * size + row];
      }
    }
  }
  for (auto phase = plan.phases.rbegin(); phase != plan.phases.rend(); ++phase)
    for_each_index(phase->begin, phase->end, [&](int c) { solve_backward(plan.chains[std::size_t(c)], x, columns); });
}

}  // namespace

// As many leases at the same time as threads may hold, so that later ones find memory.
static void make_workspaces(WorkspacePool<AlignedArray>& pool, std::size_t count) {
  std::vector<std::unique_ptr<WorkspacePool<AlignedArray>::Lease>> leases;
  for (std::size_t i = 0; i < count; ++i) leases.push_back(std::make_unique<WorkspacePool<AlignedArray>::Lease>(pool));
}

PathWorkspaces::PathWorkspaces(const PanelLayout& layout, int columns, int systems)
    : products_([entries = layout.largest_panel()] { return std::make_unique<AlignedArray>(entries); }),
      blocks_([entries = 2 * layout.most_chains() * layout.separator_entries()] {
        return std::make_unique<AlignedArray>(entries);
      }),
      vectors_([entries = 2 * layout.most_chains() * std::size_t(layout.block_size() * columns)] {
        return std::make_unique<AlignedArray>(entries);
      }) {
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t factorizations = std::min(threads, std::size_t(systems));
  make_workspaces(products_, std::min(threads, factorizations * std::max<std::size_t>(layout.most_chains(), 1)));
  make_workspaces(blocks_, factorizations);
  make_workspaces(vectors_, factorizations);
}

std::unique_ptr<SystemFactor> make_path_elimination(std::shared_ptr<const PanelLayout> layout,
                                                    std::shared_ptr<PathWorkspaces> workspaces) {
  return std::make_unique<PathElimination>(std::move(layout), std::move(workspaces));
}

}  // namespace holo
