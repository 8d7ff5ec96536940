#pragma once
// The set of derivatives that a series of matrices has: monomials in directions (units), with all parts of each monomial, and
// the tables of the splits of each monomial into parts. The product rule and all recursions read these tables, so that one code
// serves mixed derivatives of any order, many directions at once, and full Hessians.
//
// The coefficient of the monomial {k, l} is the second derivative along the directions k and l; k = l is allowed in
// up_to_second().

#include <memory>
#include <span>
#include <vector>

namespace holo {

class DerivativeSet {
 public:
  // The mixed derivatives along `order` directions of Nilpotent<order>; the index is the mask of directions. order in [1, 12].
  static DerivativeSet subsets(int order);
  // The first derivatives along `count` directions of Nilpotent<1, double, Lanes<double, count>>: index 1 + k.
  static DerivativeSet directions(int count);
  // The derivatives of Nilpotent<2, double, Lanes<double, count>>: index 1 is the derivative along the shared direction, 2 + k
  // that along direction k, 2 + count + k the mixed one.
  static DerivativeSet shared_direction(int count);
  // All first and second derivatives in `parameters` directions: index({k}), index({k, l}).
  static DerivativeSet up_to_second(int parameters);

  // The value alone.
  static DerivativeSet none();
  // This set, and the derivative of each of its elements k along one further direction at the index size() + k.
  DerivativeSet with_one_more() const;

  struct Split {
    int first, second;
  };
  struct TripleSplit {
    int first, second, third;
  };

  int size() const { return int(tables_->monomials.size()); }  // with the value, which has index 0
  int order() const { return int(tables_->levels.size()) - 1; }
  int degree(int index) const { return int(tables_->monomials[index].size()); }
  // Indices of one degree. A part of a monomial has a smaller index than the monomial.
  std::span<const int> level(int degree) const { return tables_->levels[degree]; }
  // Ordered pairs of proper parts (neither is the value) whose product is the monomial.
  std::span<const Split> splits(int index) const { return tables_->splits[index]; }
  // Ordered triples of parts whose product is the monomial; a part may be the value, none is the complete monomial.
  std::span<const TripleSplit> triple_splits(int index) const { return tables_->triple_splits[index]; }
  // Ordered triples of parts whose third part contains the monomial's first unit; a part may be the complete monomial.
  std::span<const TripleSplit> anchored_splits(int index) const { return tables_->anchored_splits[index]; }
  // The index of a monomial, in any order of its units (counted from 0), or -1.
  int index(std::vector<int> units) const;

  friend bool operator==(const DerivativeSet& a, const DerivativeSet& b) {
    return a.tables_ == b.tables_ || a.tables_->monomials == b.tables_->monomials;
  }

 private:
  struct Tables {
    std::vector<std::vector<int>> monomials;  // sorted units
    std::vector<std::vector<int>> levels;
    std::vector<std::vector<Split>> splits;
    std::vector<std::vector<TripleSplit>> triple_splits, anchored_splits;
    std::vector<int> by_name;  // indices in lexicographic order of the monomials
    int find(const std::vector<int>& units) const;
  };

  explicit DerivativeSet(std::vector<std::vector<int>> monomials);

  std::shared_ptr<const Tables> tables_;
};

}  // namespace holo
