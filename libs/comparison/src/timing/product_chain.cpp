// The derivative of a product of many factors, [Luo2019] Eqs 11 to 13: values a_k and derivatives b_k of the factors are given.

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "holo/comparison/timing_task.h"

namespace holo::comparison {

namespace {

constexpr std::size_t chain_count = 16;         // different chains, in the first cache
constexpr double division_threshold = 1.0e-16;  // below which Eq 13 does not divide by a factor

struct Chain {
  std::vector<double> a, b;
};

std::vector<Chain> random_chains(std::size_t factors) {
  std::mt19937_64 random(1);
  const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  std::vector<Chain> chains(chain_count);
  for (Chain& chain : chains)
    for (std::size_t k = 0; k < factors; ++k) {
      chain.a.push_back(0.75 + 0.5 * uniform());
      chain.b.push_back(0.5 + uniform());
    }
  return chains;
}

// All leaves with one b, each multiplied out.
double explicit_leaves(const Chain& chain) {
  double sum = 0;
  for (std::size_t k = 0; k < chain.a.size(); ++k) {
    double leaf = chain.b[k];
    for (std::size_t j = 0; j < chain.a.size(); ++j)
      if (j != k) leaf *= chain.a[j];
    sum += leaf;
  }
  return sum;
}

// Eqs 12 and 13: the product of all values once, each leaf by a division.
double shared_product(const Chain& chain) {
  double product = 1, sum = 0;
  for (double a : chain.a) product *= a;
  for (std::size_t k = 0; k < chain.a.size(); ++k) {
    if (std::abs(chain.a[k]) > division_threshold) {
      sum += product / chain.a[k] * chain.b[k];
    } else {
      double leaf = chain.b[k];
      for (std::size_t j = 0; j < chain.a.size(); ++j)
        if (j != k) leaf *= chain.a[j];
      sum += leaf;
    }
  }
  return sum;
}

// The nilpotent product: no division, no threshold.
template <class T>
T running_product(const Chain& chain) {
  T re = 1, im = 0;
  for (std::size_t k = 0; k < chain.a.size(); ++k) {
    im = im * chain.a[k] + re * chain.b[k];
    re *= chain.a[k];
  }
  return im;
}

}  // namespace

TimingTask product_chain_task(std::size_t factors, std::size_t evaluations) {
  const auto chains = std::make_shared<const std::vector<Chain>>(random_chains(factors));
  TimingTask task{"chain", evaluations, {}};
  const auto add = [&](const char* name, const char* summary, auto derivative) {
    const auto results = std::make_shared<std::vector<double>>(chain_count);
    const auto run = [=] {
      for (std::size_t i = 0; i < evaluations; ++i) (*results)[i % chain_count] = derivative((*chains)[i % chain_count]);
    };
    const auto difference = [=] {
      double worst = 0;
      for (std::size_t i = 0; i < std::min(evaluations, chain_count); ++i) {
        const auto exact = running_product<long double>((*chains)[i]);
        const auto d = double(std::abs((*results)[i] - exact) / std::abs(exact));
        if (!(d <= worst)) worst = d;
      }
      return worst;
    };
    task.contestants.push_back({name, summary, false, run, difference});
  };
  add("explicit_leaves", "every leaf multiplied out", explicit_leaves);
  add("shared_product", "Eqs 12 and 13: one product, a division for each leaf", shared_product);
  add("running_product", "the nilpotent product: im = im a + re b, re = re a", running_product<double>);
  return task;
}

}  // namespace holo::comparison
