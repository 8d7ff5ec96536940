#include <algorithm>
#include <cmath>

#include "holo/core/numerics/blas.h"
#include "holo/core/numerics/workspace_pool.h"
#include "numerics/bunch_kaufman/assembly_tree.h"
#include "numerics/bunch_kaufman/dense_front.h"
#include "numerics/bunch_kaufman/elimination_order.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

constexpr double zero_pivot = 1e-13;  // of a matrix scaled to entries of at most about 1
constexpr int scaling_sweeps = 4;
constexpr Eigen::Index columns_at_once = 8;  // right-hand sides that share a pass over the factor

// Sums in a fixed order, so that the result does not depend on how the compiler vectorizes the loop.
double dot_product(const double* a, const double* b, int begin, int end) {
  constexpr int width = 8;
  double sums[width] = {};
  int i = begin;
  for (; i + width <= end; i += width)
    for (int k = 0; k < width; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < end; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

// The multifrontal factorization S A S = P L D L^T P^T with pivots of one and two columns; S is a diagonal of powers of two.
// [DuffReid1983]
class BunchKaufmanSolver final : public SparseSolver {
 public:
  explicit BunchKaufmanSolver(const SparseSolverOptions& options) : SparseSolver(options) { prepare_blas(); }

  std::string name() const override {
    return "multifrontal LDL^T with Bunch-Kaufman pivots (AMD ordering, OpenBLAS, 1 thread)";
  }
  std::size_t factor_nonzeros() const override { return size() > 0 ? factor_.size() : 0; }

 protected:
  void analyze_pattern(const SparseMatrix& lower) override { tree_ = AssemblyTree(lower, elimination_order(lower)); }

  Outcome factorize_values(const SparseMatrix& lower) override {
    find_scales(lower);
    nodes_.clear();
    indices_.clear();
    factor_.clear();
    diagonal_.clear();
    left_.clear();
    waiting_.clear();  // nodes of a factorization that ran out of memory
    inertia_ = {};
    place_.resize(static_cast<std::size_t>(size()));
    largest_front_ = 0;
    // Nodes are in postorder, so each one finds its children eliminated.
    for (int node = 0; node < tree_.node_count(); ++node) factorize_node(lower, node);
    for (double d : diagonal_)
      if (!std::isfinite(d)) return Outcome::not_finite;
    // Pivots that no front could eliminate are those of the null space.
    inertia_.zero = size() - inertia_.positive - inertia_.negative;
    return inertia_.zero > 0 ? Outcome::singular : Outcome::factorized;
  }

  std::optional<MatrixInertia> factor_inertia() const override { return inertia_; }

  // Several right-hand sides share each pass over the factor. Their arithmetic is separate, so that the solution of one does
  // not depend on the others.
  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool) const override {
    WorkspacePool<Work>::Lease work(workspaces_);
    work->solution.resize(static_cast<std::size_t>(size() * columns_at_once));
    work->front.resize(static_cast<std::size_t>(largest_front_));
    for (Eigen::Index begin = 0; begin < b.cols(); begin += columns_at_once) {
      const Eigen::Index count = std::min(columns_at_once, b.cols() - begin);
      // Scale and permute: P^T S b.
      for (Eigen::Index c = 0; c < count; ++c)
        for (Eigen::Index k = 0; k < size(); ++k) {
          const int row = tree_.row_of_pivot[static_cast<std::size_t>(k)];
          work->solution[static_cast<std::size_t>(c * size() + k)] = std::ldexp(b(row, begin + c), scale_[std::size_t(row)]);
        }
      // Forward through the nodes by L and D, back by L^T, then permute and scale the solution.
      for (const Node& node : nodes_)
        for (Eigen::Index c = 0; c < count; ++c) eliminate(node, work->solution.data() + c * size(), work->front.data());
      for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
        for (Eigen::Index c = 0; c < count; ++c) substitute(*node, work->solution.data() + c * size(), work->front.data());
      for (Eigen::Index c = 0; c < count; ++c)
        for (Eigen::Index k = 0; k < size(); ++k) {
          const int row = tree_.row_of_pivot[static_cast<std::size_t>(k)];
          x(row, begin + c) = std::ldexp(work->solution[static_cast<std::size_t>(c * size() + k)], scale_[std::size_t(row)]);
        }
    }
  }

 private:
  struct Node {
    int front = 0, candidates = 0, eliminated = 0;
    std::size_t indices = 0, factor = 0,
                diagonal = 0;  // first entries of its pivots' numbers [front], L [eliminated][front], D
    std::size_t left = 0;      // first entry of its Schur complement on the stack, until its parent assembles it
  };
  struct Work {
    std::vector<double> solution, front;
  };

  // Scales rows and columns symmetrically, so that the largest entry of each row is about 1: each sweep divides a row by the
  // root of its largest entry. Powers of two cause no rounding, and a congruence S A S keeps the inertia.
  void find_scales(const SparseMatrix& lower) {
    const int n = static_cast<int>(size());
    scale_.assign(std::size_t(n), 0);
    std::vector<double>& largest = largest_in_row_;
    for (int sweep = 0; sweep < scaling_sweeps; ++sweep) {
      largest.assign(std::size_t(n), 0);
      for (const AssemblyTree::Entry& entry : tree_.entries) {
        const int i = tree_.row_of_pivot[std::size_t(entry.row)], j = tree_.row_of_pivot[std::size_t(entry.column)];
        const double value = std::abs(scaled(lower, entry));
        largest[std::size_t(i)] = std::max(largest[std::size_t(i)], value);
        largest[std::size_t(j)] = std::max(largest[std::size_t(j)], value);
      }
      for (int i = 0; i < n; ++i)
        if (largest[std::size_t(i)] > 0) scale_[std::size_t(i)] -= int(std::lround(std::log2(largest[std::size_t(i)]) / 2));
    }
  }

  double scaled(const SparseMatrix& lower, const AssemblyTree::Entry& entry) const {
    return std::ldexp(lower.valuePtr()[entry.value], scale_[std::size_t(tree_.row_of_pivot[std::size_t(entry.row)])] +
                                                         scale_[std::size_t(tree_.row_of_pivot[std::size_t(entry.column)])]);
  }

  // The front's pivots in the order of its rows: the node's own, those its children could not eliminate, then further rows.
  void list_indices(int number, Node& node, std::size_t first_child) {
    const auto at = std::size_t(number);
    node.indices = indices_.size();
    for (int k = tree_.first_pivot[at]; k < tree_.first_pivot[at + 1]; ++k) indices_.push_back(k);
    for (std::size_t c = first_child; c < waiting_.size(); ++c) {
      const Node child = nodes_[waiting_[c]];
      for (int i = child.eliminated; i < child.candidates; ++i) indices_.push_back(indices_[child.indices + std::size_t(i)]);
    }
    node.candidates = int(indices_.size() - node.indices);
    indices_.insert(indices_.end(), tree_.rows.begin() + tree_.row_starts[at], tree_.rows.begin() + tree_.row_starts[at + 1]);
    node.front = int(indices_.size() - node.indices);
    for (int i = 0; i < node.front; ++i) place_[std::size_t(indices_[node.indices + std::size_t(i)])] = i;
  }

  // Adds the Schur complement of a child to the front (the extend-add operation).
  void assemble_child(const Node& child) {
    const int count = child.front - child.eliminated;
    const int* ids = indices_.data() + child.indices + child.eliminated;
    const double* values = left_.data() + child.left;
    for (int j = 0; j < count; ++j) {
      const int column = place_[std::size_t(ids[j])];
      for (int i = j; i < count; ++i) {
        const int row = place_[std::size_t(ids[i])];
        front_.column(std::min(row, column))[std::max(row, column)] +=
            values[std::size_t(j) * std::size_t(count) + std::size_t(i)];
      }
    }
  }

  // The front: entries of the matrix in the node's columns, plus the Schur complements of its children.
  void assemble(const SparseMatrix& lower, int number, const Node& node, std::size_t first_child) {
    const auto at = std::size_t(number);
    front_.reset(node.front);
    for (int e = tree_.entry_starts[at]; e < tree_.entry_starts[at + 1]; ++e) {
      const AssemblyTree::Entry& entry = tree_.entries[std::size_t(e)];
      front_.column(place_[std::size_t(entry.column)])[place_[std::size_t(entry.row)]] += scaled(lower, entry);
    }
    for (std::size_t c = first_child; c < waiting_.size(); ++c) assemble_child(nodes_[waiting_[c]]);
  }

  // The stack position of a node's first child. Postorder puts a node's children, and their Schur complements, on top of the
  // stack.
  std::size_t first_child(int number) const {
    std::size_t first = waiting_.size();
    while (first > 0 && tree_.parent[waiting_[first - 1]] == number) --first;
    return first;
  }

  void factorize_node(const SparseMatrix& lower, int number) {
    const std::size_t first = first_child(number);
    Node node;
    list_indices(number, node, first);
    assemble(lower, number, node, first);
    // Pop the children from the stack.
    if (first < waiting_.size()) left_.resize(nodes_[waiting_[first]].left);
    waiting_.resize(first);
    node.diagonal = diagonal_.size();
    diagonal_.resize(node.diagonal + 2 * std::size_t(node.candidates));
    node.eliminated =
        front_.eliminate(node.candidates, zero_pivot, indices_.data() + node.indices, diagonal_.data() + node.diagonal);
    diagonal_.resize(node.diagonal + 2 * std::size_t(node.eliminated));
    count_inertia(node);
    keep(number, node);
    nodes_.push_back(node);
    largest_front_ = std::max(largest_front_, node.front);
  }

  // Counts the signs of D's eigenvalues: of a pair [a b; b c], one of each if its determinant is negative, else two of a's
  // sign.
  void count_inertia(const Node& node) {
    const double* d = diagonal_.data() + node.diagonal;
    for (int k = 0; k < node.eliminated; ++k, d += 2) {
      if (d[1] == 0) {
        ++(d[0] > 0 ? inertia_.positive : inertia_.negative);
        continue;
      }
      const bool is_saddle = d[0] * d[2] < d[1] * d[1];
      inertia_.positive += is_saddle ? 1 : d[0] > 0 ? 2 : 0;
      inertia_.negative += is_saddle ? 1 : d[0] > 0 ? 0 : 2;
      ++k;
      d += 2;
    }
  }

  // Appends L to the factor, and pushes the Schur complement on the stack for the parent.
  void keep(int number, Node& node) {
    node.factor = factor_.size();
    factor_.insert(factor_.end(), front_.column(0), front_.column(0) + std::size_t(node.eliminated) * std::size_t(node.front));
    if (tree_.parent[std::size_t(number)] < 0) return;
    node.left = left_.size();
    const int count = node.front - node.eliminated;
    left_.resize(node.left + std::size_t(count) * std::size_t(count));
    for (int j = 0; j < count; ++j)
      std::copy(front_.column(node.eliminated + j) + node.eliminated + j, front_.column(node.eliminated + j) + node.front,
                left_.data() + node.left + std::size_t(j) * std::size_t(count) + std::size_t(j));
    waiting_.push_back(std::size_t(number));
  }

  // Forward substitution: y = D^-1 L^-1 y for the node's pivots, y -= L y for its other rows.
  void eliminate(const Node& node, double* solution, double* y) const {
    const int* ids = indices_.data() + node.indices;
    for (int i = 0; i < node.front; ++i) y[i] = solution[ids[i]];
    const double* l = factor_.data() + node.factor;
    for (int k = 0; k < node.eliminated; ++k, l += node.front) {
      const double value = y[k];
      for (int i = k + 1; i < node.front; ++i) y[i] -= l[i] * value;
    }
    const double* d = diagonal_.data() + node.diagonal;
    for (int k = 0; k < node.eliminated; ++k) {
      if (d[2 * k + 1] == 0) {
        y[k] /= d[2 * k];
      } else {
        const double a = d[2 * k], b = d[2 * k + 1], c = d[2 * k + 2], determinant = a * c - b * b, one = y[k], two = y[k + 1];
        y[k] = (c * one - b * two) / determinant;
        y[k + 1] = (a * two - b * one) / determinant;
        ++k;
      }
    }
    for (int i = 0; i < node.front; ++i) solution[ids[i]] = y[i];
  }

  // Back substitution: y = L^-T y for the node's pivots.
  void substitute(const Node& node, double* solution, double* y) const {
    const int* ids = indices_.data() + node.indices;
    for (int i = 0; i < node.front; ++i) y[i] = solution[ids[i]];
    for (int k = node.eliminated - 1; k >= 0; --k)
      y[k] -= dot_product(factor_.data() + node.factor + std::size_t(k) * std::size_t(node.front), y, k + 1, node.front);
    for (int k = 0; k < node.eliminated; ++k) solution[ids[k]] = y[k];
  }

  AssemblyTree tree_;
  std::vector<int> scale_;  // exponents of two, [row]
  std::vector<Node> nodes_;
  std::vector<int> indices_;
  std::vector<double> factor_, diagonal_;
  MatrixInertia inertia_;
  int largest_front_ = 0;
  // Used during a factorization alone: a stack of nodes without their parents (waiting_) and their Schur complements (left_).
  std::vector<double> largest_in_row_, left_;
  std::vector<std::size_t> waiting_;
  std::vector<int> place_;  // [pivot] row of the present front
  DenseFront front_;
  mutable WorkspacePool<Work> workspaces_;
};

}  // namespace

std::unique_ptr<SparseSolver> make_bunch_kaufman_solver(const SparseSolverOptions& options) {
  return std::make_unique<BunchKaufmanSolver>(options);
}

}  // namespace holo
