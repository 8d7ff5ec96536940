#include "holo/comparison/contact_branches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "contact/contact_branch.h"

namespace holo::comparison {

namespace {

constexpr double held_to = 1e-9;     // of conditions at the start, over the largest force or displacement
constexpr double at_the_end = 1e-6;  // of friction, over its limit, from which on a contact counts as sliding

ContactBranches branches_of(const ContactProblem& problem, const Eigen::VectorXd& f) {
  ContactBranches branches(static_cast<std::size_t>(problem.contacts()));
  const double no_force = held_to * f.lpNorm<Eigen::Infinity>();
  for (Eigen::Index i = 0; i < problem.contacts(); ++i) {
    if (!(f[3 * i] > no_force)) continue;
    ContactBranch& branch = branches[static_cast<std::size_t>(i)];
    branch.touches = true;
    const double limit = (1 - at_the_end) * problem.friction[i] * f[3 * i];
    for (int a = 0; a < 2; ++a) {
      const double force = f[3 * i + 1 + a];
      branch.slides[static_cast<std::size_t>(a)] = (force <= -limit) - (force >= limit);
    }
  }
  return branches;
}

class BranchSearch {
 public:
  BranchSearch(const ContactProblem& problem, const BranchSearchOptions& options) : problem_(problem), options_(options) {}

  // Principal pivoting at fixed activations: the condition that is violated most changes its contact's branch.
  std::optional<BranchPiece> find_start(const Eigen::VectorXd& u, ContactBranches branches) {
    for (result_.pivots = 0; result_.pivots <= options_.max_pivots; ++result_.pivots) {
      const BranchPiece piece(problem_, branches);
      if (!piece.is_regular()) return std::nullopt;
      const int violated = piece.most_violated(u, held_to);
      if (violated < 0) return piece;
      branches = piece.beyond({violated}, u);
    }
    return std::nullopt;
  }

  void descend_from(BranchPiece piece) {
    if (!solve(piece)) return;
    for (;;) {
      accept(piece);
      std::optional<BranchPiece> better = better_neighbor(piece);
      if (!better) break;
      ++result_.moves;
      piece = std::move(*better);
    }
    result_.status = is_limited_ ? BranchSearchStatus::branch_limit : BranchSearchStatus::stationary;
  }

  void look_at(const ContactBranches& branches) {
    BranchPiece piece(problem_, branches);
    if (!solve(piece) || piece.objective() >= best_) return;
    accept(piece);
    result_.status = BranchSearchStatus::stationary;
  }

  BranchSearchResult& result() { return result_; }

 private:
  bool solve(BranchPiece& piece) {
    ++result_.branches;
    return piece.is_regular() && piece.minimize();
  }

  void accept(const BranchPiece& piece) {
    result_.activations = piece.activations();
    result_.forces = piece.forces(piece.activations());
    result_.objective = best_ = piece.objective();
  }

  // The first better one of: all ends that press at once, then each of them, the strongest first.
  std::optional<BranchPiece> better_neighbor(const BranchPiece& from) {
    const std::vector<int>& pressed = from.pressed();
    for (std::size_t i = 0; i <= pressed.size() && !pressed.empty(); ++i) {
      const std::vector<int> crossed = i == 0 ? pressed : std::vector<int>{pressed[i - 1]};
      const ContactBranches next = from.beyond(crossed, from.activations());
      if (!seen_.insert(next).second) continue;
      if (result_.branches >= options_.max_branches) {
        is_limited_ = true;
        return std::nullopt;
      }
      BranchPiece piece(problem_, next);
      const double enough = options_.least_decrease * std::abs(from.objective());
      if (solve(piece) && piece.objective() < from.objective() - enough) return piece;
    }
    return std::nullopt;
  }

  const ContactProblem& problem_;
  BranchSearchOptions options_;
  BranchSearchResult result_;
  double best_ = std::numeric_limits<double>::infinity();
  bool is_limited_ = false;
  std::set<ContactBranches> seen_;
};

// The next of the ten branches; false after the last one.
bool advance(ContactBranch& branch) {
  if (!branch.touches) {
    branch = {true, {-1, -1}};
    return true;
  }
  for (int& sign : branch.slides) {
    if (++sign <= 1) return true;
    sign = -1;
  }
  branch = {};
  return false;
}

}  // namespace

std::string to_string(BranchSearchStatus status) {
  switch (status) {
    case BranchSearchStatus::stationary:
      return "stationary";
    case BranchSearchStatus::branch_limit:
      return "branch_limit";
    case BranchSearchStatus::no_start:
      return "no_start";
  }
  return "unknown";
}

BranchSearchResult search_branches(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f,
                                   const BranchSearchOptions& options) {
  BranchSearch search(problem, options);
  search.result().activations = u;
  search.result().forces = f;
  search.result().objective = contact_objective(problem, u, f);
  if (std::optional<BranchPiece> start = search.find_start(u, branches_of(problem, f))) search.descend_from(std::move(*start));
  return search.result();
}

BranchSearchResult search_all_branches(const ContactProblem& problem) {
  BranchSearch search(problem, {});
  ContactBranches branches(static_cast<std::size_t>(problem.contacts()));
  for (;;) {
    search.look_at(branches);
    std::size_t contact = 0;
    while (contact < branches.size() && !advance(branches[contact])) ++contact;
    if (contact == branches.size()) return search.result();
  }
}

}  // namespace holo::comparison
