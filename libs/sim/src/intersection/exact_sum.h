#pragma once
// Exact sums of products of doubles, as sums of doubles that do not overlap [Shewchuk1997]. Nothing may overflow, and products
// may not underflow: see predicates.h.

#include <cmath>

namespace holo::intersections {

// A sum or product of two doubles is exactly value + error.
struct Exact {
  double value, error;
};

inline Exact exact_sum(double a, double b) {
  const double sum = a + b, b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

inline Exact exact_product(double a, double b) {
  double product = a * b;
  asm("" : "+m"(product));  // rounded: no compiler may fuse it into a later sum
  return {product, std::fma(a, b, -product)};
}

// At most `capacity` doubles, ascending, that do not overlap and are not 0. The last is larger than the sum of the others.
template <int capacity>
class ExactSum {
 public:
  void add(double term) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const Exact sum = exact_sum(term, terms_[i]);
      term = sum.value;
      if (sum.error != 0) terms_[kept++] = sum.error;
    }
    if (term != 0) terms_[kept++] = term;
    count_ = kept;
  }
  void add_product(double a, double b) {
    if (a == 0 || b == 0) return;
    const Exact product = exact_product(a, b);
    add(product.error);
    add(product.value);
  }
  void add_product(double a, double b, double c) {
    if (a == 0 || b == 0) return;
    const Exact product = exact_product(a, b);
    add_product(product.error, c);
    add_product(product.value, c);
  }

  int sign() const { return count_ == 0 ? 0 : terms_[count_ - 1] > 0 ? 1 : -1; }

 private:
  double terms_[capacity];
  int count_ = 0;
};

}  // namespace holo::intersections
