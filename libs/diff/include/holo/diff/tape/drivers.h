#pragma once
// Gradient, Hessian and Hessian-vector products by reverse sweeps: the cost of a gradient does not grow with the number of
// inputs, and each sweep over nilpotent numbers gives as many columns of the Hessian as they have directions.
//
//   auto f = [](const auto& x) { ... };               // any scalar, and matrix nodes (holo/diff/tape/nodes.h)
//   auto g = taped_gradient(f, x);                    // g.value, g.gradient, g.status
//   auto h = taped_hessian(f, x);                     // and h.hessian [n][n]: column j: the derivative of the gradient by x_j
//   auto p = taped_hessian_product(f, x, v);          // p.product = H v
//
//   TapedFunction taped(f, n);                        // keeps its tapes: nothing is allocated from the second evaluation on
//   taped.gradient(x, g);
//   taped.hessian(x, g, h);
//
// f is called with a std::span<const Variable<T>>. Groups of columns run in parallel, each on a tape of its own; the
// factorizations that f needs are shared. Results have the same bits on any number of threads.
//
// Throws Error(input) for an empty point, one that is not finite, directions and arrays of another length. A derivative that is
// not finite is a status.

#include <atomic>
#include <mutex>

#include "holo/core/numerics/parallel.h"
#include "holo/diff/drivers.h"
#include "holo/diff/tape/directions.h"
#include "holo/diff/tape/tape.h"

namespace holo {

struct HessianProduct {
  double value = 0;
  std::vector<double> gradient, product;
  DerivativeStatus status;
};

namespace detail {

// Tapes, and their arguments, lent to tasks.
template <class T>
class TapeStock {
 public:
  struct Item {
    explicit Item(const std::shared_ptr<FactorPool>& pool) : tape(pool) {}
    Tape<T> tape;
    std::vector<Variable<T>> arguments;
  };
  std::unique_ptr<Item> take(const std::shared_ptr<FactorPool>& pool) {
    const std::lock_guard lock(mutex_);
    if (items_.empty()) return std::make_unique<Item>(pool);
    std::unique_ptr<Item> item = std::move(items_.back());
    items_.pop_back();
    return item;
  }
  void put_back(std::unique_ptr<Item> item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(std::move(item));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Item>> items_;
};

}  // namespace detail

template <class F>
class TapedFunction {
 public:
  using Wide = Nilpotent<1, double, Directions<4 * LaneBlock::width>>;
  static constexpr int columns_per_sweep = 4 * LaneBlock::width;

  TapedFunction(F f, std::size_t dimension)
      : f_(std::forward<F>(f)), dimension_(dimension), pool_(std::make_shared<FactorPool>()) {}

  std::size_t dimension() const { return dimension_; }
  // The number of matrices that solves have factorized since the construction.
  long factorizations() const { return pool_->factorizations(); }

  // g: [n]. Returns the value.
  double gradient(std::span<const double> x, std::span<double> g) {
    begin(x);
    detail::check_size("gradient", g.size(), dimension_);
    return evaluate(
        plain_, [&](std::size_t i) { return x[i]; }, [&](std::size_t i, double adjoint) { g[i] = adjoint; });
  }
  // g = gradient [n], product = H v [n].
  double hessian_product(std::span<const double> x, std::span<const double> v, std::span<double> g, std::span<double> product) {
    begin(x);
    detail::check_direction(x, v, 1);
    detail::check_size("gradient", g.size(), dimension_);
    detail::check_size("product", product.size(), dimension_);
    using S = Nilpotent<1>;
    const auto seed = [&](std::size_t i) { return S::seed(x[i], {v[i]}); };
    const S value = evaluate(single_, seed, [&](std::size_t i, const S& adjoint) {
      g[i] = adjoint.value();
      product[i] = adjoint.derivative();
    });
    return value.value();
  }
  // g = gradient [n], h = Hessian [n][n].
  double hessian(std::span<const double> x, std::span<double> g, std::span<double> h) {
    begin(x);
    detail::check_size("gradient", g.size(), dimension_);
    detail::check_size("Hessian", h.size(), dimension_ * dimension_);
    double value = 0;
    std::atomic<std::uint64_t> kinks{0}, jumps{0};
    parallel_for(dimension_, columns_per_sweep, [&](std::size_t first, std::size_t end) {
      const KinkCounters before = kink_counters();
      const double v = columns(x, first, end, g, h);
      if (first == 0) value = v;
      kinks += kink_counters().kinks - before.kinks;
      jumps += kink_counters().jumps - before.jumps;
    });
    last_kinks_ = {kinks, jumps};
    return value;
  }
  // Over all columns of the last Hessian, whichever threads they ran on.
  KinkCounters last_kinks() const { return last_kinks_; }

 private:
  void begin(std::span<const double> x) {
    detail::check_point(x);
    if (x.size() != dimension_)
      throw Error(Failure::input, "the point has " + std::to_string(x.size()) + " entries, the taped function takes " +
                                      std::to_string(dimension_));
    pool_->renew();
  }

  double columns(std::span<const double> x, std::size_t first, std::size_t end, std::span<double> g, std::span<double> h) {
    const auto seed = [&](std::size_t i) {
      Wide s(x[i]);
      if (i >= first && i < end) {
        Directions<columns_per_sweep> unit(0.0);
        unit.set(int(i - first), 1.0);
        s.template set_coefficient<1>(unit);
      }
      return s;
    };
    const auto store = [&](std::size_t i, const Wide& adjoint) {
      if (first == 0) g[i] = adjoint.value();
      for (std::size_t j = first; j < end; ++j) h[i * dimension_ + j] = adjoint.derivative()[int(j - first)];
    };
    return evaluate(wide_, seed, store).value();
  }

  // Records f at the seeds, sweeps, stores the adjoint of each input.
  template <class T, class Seed, class Store>
  T evaluate(detail::TapeStock<T>& stock, const Seed& seed, const Store& store) {
    auto item = stock.take(pool_);
    Tape<T>& tape = item->tape;
    tape.clear();
    item->arguments.resize(dimension_);
    for (std::size_t i = 0; i < dimension_; ++i) item->arguments[i] = tape.variable(seed(i));
    const Variable<T> y = f_(std::span<const Variable<T>>(item->arguments));
    tape.reverse(y);
    for (std::size_t i = 0; i < dimension_; ++i) store(i, tape.adjoint(item->arguments[i]));
    const T value = y.value();
    stock.put_back(std::move(item));
    return value;
  }

  F f_;
  std::size_t dimension_;
  std::shared_ptr<FactorPool> pool_;
  detail::TapeStock<double> plain_;
  detail::TapeStock<Nilpotent<1>> single_;
  detail::TapeStock<Wide> wide_;
  KinkCounters last_kinks_;
};

template <class F>
GradientResult<std::vector<double>> taped_gradient(F&& f, std::span<const double> x) {
  TapedFunction<F&> taped(f, x.size());
  const KinkCounters before = kink_counters();
  GradientResult<std::vector<double>> result;
  result.gradient.resize(x.size());
  result.value = taped.gradient(x, result.gradient);
  result.status = detail::judge(result.value, result.gradient, {}, before);
  return result;
}

template <class F>
HessianResult<std::vector<double>, std::vector<double>> taped_hessian(F&& f, std::span<const double> x) {
  TapedFunction<F&> taped(f, x.size());
  HessianResult<std::vector<double>, std::vector<double>> result;
  result.gradient.resize(x.size());
  result.hessian.resize(x.size() * x.size());
  result.value = taped.hessian(x, result.gradient, result.hessian);
  KinkCounters before = kink_counters();
  before.kinks -= taped.last_kinks().kinks;
  before.jumps -= taped.last_kinks().jumps;
  result.status = detail::judge(result.value, result.gradient, result.hessian, before);
  return result;
}

template <class F>
HessianProduct taped_hessian_product(F&& f, std::span<const double> x, std::span<const double> v) {
  detail::check_point(x);
  detail::check_direction(x, v, 1);
  TapedFunction<F&> taped(f, x.size());
  const KinkCounters before = kink_counters();
  HessianProduct result;
  result.gradient.resize(x.size());
  result.product.resize(x.size());
  result.value = taped.hessian_product(x, v, result.gradient, result.product);
  result.status = detail::judge(result.value, result.gradient, result.product, before);
  return result;
}

}  // namespace holo
