#pragma once
// Factorizations, and other results that depend on the value alone, that several tapes share. The tapes of the lane groups of
// one Hessian record the same function at the same point, so their nodes have the same real matrices, in the same order. The
// first tape that comes to a node computes its result.

#include <atomic>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <typeindex>
#include <vector>

#include "holo/core/error.h"
#include "holo/diff/tensor/real_factorization.h"

namespace holo {

class FactorPool {
 public:
  // Invalidates all results, for another point.
  void renew() { ++generation_; }
  // The number of factorized matrices since the pool's construction.
  long factorizations() const { return factorizations_; }

  // The result number `number`. If it does not exist, it is computed by `make`, which returns a std::shared_ptr<const Product>.
  // `values` are the numbers on which it depends. Throws Error(internal) if it exists for other values or with another type:
  // the function then does not execute the same operations in each of its evaluations.
  template <class Product, class Make>
  const Product* get(std::size_t number, std::span<const double> values, const Make& make) {
    Slot& s = slot(number);
    const std::lock_guard lock(s.mutex);
    if (s.generation != generation_) {
      s.product = std::shared_ptr<const Product>(make());
      s.kind = typeid(Product);
      s.values.assign(values.begin(), values.end());
      s.generation = generation_;
    } else if (s.kind != typeid(Product) || s.values.size() != values.size() ||
               std::memcmp(s.values.data(), values.data(), values.size() * sizeof(double)) != 0) {
      throw Error(Failure::internal,
                  "a taped function solved with other matrices in another evaluation at the same point: "
                  "a function is a function of its arguments alone");
    }
    return static_cast<const Product*>(s.product.get());
  }
  template <class Make>
  const RealFactorization* factorization(std::size_t number, std::span<const double> matrix, const Make& make) {
    return get<RealFactorization>(number, matrix, [&]() -> std::shared_ptr<const RealFactorization> {
      ++factorizations_;
      return make();
    });
  }

 private:
  struct Slot {
    std::mutex mutex;
    long generation = -1;
    std::type_index kind = typeid(void);
    std::vector<double> values;
    std::shared_ptr<const void> product;
  };
  Slot& slot(std::size_t number) {
    const std::lock_guard lock(mutex_);
    while (slots_.size() <= number) slots_.emplace_back();
    return slots_[number];
  }

  std::mutex mutex_;
  std::deque<Slot> slots_;
  long generation_ = 0;
  std::atomic<long> factorizations_ = 0;
};

}  // namespace holo
