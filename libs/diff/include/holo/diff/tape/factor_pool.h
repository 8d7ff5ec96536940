#pragma once
// Factorizations that several tapes share: the tapes of the lane groups of one Hessian record the same function at the same
// point, so their solves have the same real matrices, in the same order. Whoever comes first to a solve factors its matrix.

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "holo/core/error.h"
#include "holo/diff/tensor/real_factorization.h"

namespace holo {

class FactorPool {
 public:
  // Forgets all factorizations: the point is another one.
  void renew() { ++generation_; }
  // Since the pool was made.
  long factorizations() const { return factorizations_; }

  // The factorization of number `number`: made by `make`, from `matrix`, unless it is there. Throws Error(internal) where it is
  // there for another matrix: the function does not do the same in each of its evaluations.
  template <class Make>
  const RealFactorization* get(std::size_t number, std::span<const double> matrix, const Make& make) {
    Slot& s = slot(number);
    const std::lock_guard lock(s.mutex);
    if (s.generation != generation_) {
      s.factorization = make();
      s.matrix.assign(matrix.begin(), matrix.end());
      s.generation = generation_;
      const std::lock_guard count_lock(mutex_);
      ++factorizations_;
    } else if (s.matrix.size() != matrix.size() ||
               std::memcmp(s.matrix.data(), matrix.data(), matrix.size() * sizeof(double)) != 0) {
      throw Error(Failure::internal,
                  "a taped function solved with other matrices in another evaluation at the same point: "
                  "a function is a function of its arguments alone");
    }
    return s.factorization.get();
  }

 private:
  struct Slot {
    std::mutex mutex;
    long generation = -1;
    std::vector<double> matrix;
    std::shared_ptr<const RealFactorization> factorization;
  };
  Slot& slot(std::size_t number) {
    const std::lock_guard lock(mutex_);
    while (slots_.size() <= number) slots_.emplace_back();
    return slots_[number];
  }

  std::mutex mutex_;
  std::deque<Slot> slots_;
  long generation_ = 0, factorizations_ = 0;
};

}  // namespace holo
