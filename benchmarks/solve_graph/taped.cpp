#include "graph.h"
#include "holo/diff/tape/drivers.h"

namespace holo::benchmark {

namespace {

// The function, once, without a derivative in it.
struct NetworkFunction {
  const Network* network;
  template <class X>
  auto operator()(const X& p) const {
    using V = std::remove_cvref_t<decltype(p[0])>;
    std::vector<V> s(inputs), sine(inputs);
    for (int k = 0; k < inputs; ++k) s[k] = exp(p[k]), sine[k] = sin(p[k]);
    const auto stamps = stamp * gather(s, inputs);
    const auto b = network->sources * gather(sine, inputs);
    const auto y = solve(network->pattern, stamps, b + constant_matrix(b.tape(), network->constant_source));
    V f = 0.0;
    for (int i = 0; i < nodes; ++i) {
      const V t = tanh(y(i));
      f += network->weights[i] * (t * t);
    }
    return f;
  }
  Eigen::MatrixXd stamp;  // [4 inputs][inputs]: +1, +1, -1, -1
};

Eigen::MatrixXd stamps() {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(4 * inputs, inputs);
  for (int k = 0; k < inputs; ++k) result.block(4 * k, k, 4, 1) << 1, 1, -1, -1;
  return result;
}

}  // namespace

struct TapedNetwork::Implementation {
  TapedFunction<NetworkFunction> function;
};
TapedNetwork::TapedNetwork(const Network& network)
    : implementation_(new Implementation{TapedFunction(NetworkFunction{&network, stamps()}, inputs)}) {}
TapedNetwork::~TapedNetwork() = default;
void TapedNetwork::hessian(std::span<const double> p, Derivatives& out) {
  out.value = implementation_->function.hessian(p, out.gradient, out.hessian);
}

}  // namespace holo::benchmark
