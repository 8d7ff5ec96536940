// What holds for every node, whatever it computes: one suite for all nodes of nodes.h.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "diff_tape/functions.h"
#include "diff_tape/nodes.h"
#include "holo/diff/tape/drivers.h"

namespace holo::test {
namespace {

// A number of which the Hessian is full even where the node is linear.
struct ScalarOfNode {
  const Node& node;
  template <class T>
  Variable<T> operator()(std::span<const Variable<T>> x) const {
    const std::vector<Variable<T>> y = node(x);
    Variable<T> sum = y[0] * y[0] * y[0];
    for (std::size_t i = 0; i < y.size(); ++i) sum += std::sin(1.0 + double(i)) * y[i] + 0.5 * y[i] * y[i];
    return sum;
  }
};

class NodeProperties : public ::testing::TestWithParam<Node> {
 protected:
  const Node node = GetParam();
  const std::size_t inputs = std::size_t(node.inputs);
  const std::vector<double> x = point_of(node.inputs), u = numbers(inputs, 2), v = numbers(inputs, 3), w = numbers(inputs, 4);
  const ScalarOfNode f{node};

  // A tape with the node's inputs seed(i) and outputs.
  template <class T>
  struct Recorded {
    Tape<T> tape;
    std::vector<Variable<T>> x, y;
    template <class Seed>
    Recorded(const Node& node, const Seed& seed) {
      for (int i = 0; i < node.inputs; ++i) x.push_back(tape.variable(seed(std::size_t(i))));
      y = node(std::span<const Variable<T>>(x));
    }
  };
  std::vector<double> values(const std::vector<double>& at) const {
    const Recorded<double> recorded(node, [&](std::size_t i) { return at[i]; });
    std::vector<double> result;
    for (const auto& y : recorded.y) result.push_back(y.value());
    return result;
  }
};
// <ybar, J v> = <J' ybar, v> with all three in the algebra of Nilpotent<1>, so for derivatives along u, too; J v comes from the
// second unit of Nilpotent<2>.
TEST_P(NodeProperties, AdjointIsTheTransposeOfTheDerivative) {
  using S = Nilpotent<2>;
  using R = Nilpotent<1>;
  const Recorded<S> forward(node, [&](std::size_t i) {
    S s = S::seed(x[i], {u[i], v[i]});  // x + u eps + (v + w eps) eta
    s.set_coefficient<3>(w[i]);
    return s;
  });
  Recorded<R> reverse(node, [&](std::size_t i) { return R::seed(x[i], {u[i]}); });
  ASSERT_EQ(forward.y.size(), reverse.y.size());
  const std::vector<double> a = numbers(reverse.y.size(), 5), b = numbers(reverse.y.size(), 6);
  R left = 0.0, right = 0.0;
  double scale = 0;
  reverse.tape.begin_sweep();
  for (std::size_t i = 0; i < reverse.y.size(); ++i) {
    const S y = forward.y[i].value();
    const R bar = R::seed(a[i], {b[i]}), tangent = R::seed(y.coefficient(2), {y.coefficient(3)});
    left += bar * tangent;
    scale += std::abs(a[i] * tangent.value()) + std::abs(a[i] * tangent.derivative()) + std::abs(b[i] * tangent.value());
    reverse.tape.accumulate(reverse.y[i].index(), bar);
  }
  reverse.tape.sweep();
  for (std::size_t i = 0; i < x.size(); ++i) right += reverse.tape.adjoint(reverse.x[i]) * R::seed(v[i], {w[i]});
  EXPECT_GT(scale, 1e-3);
  EXPECT_NEAR(left.value(), right.value(), 1e-13 * scale);
  EXPECT_NEAR(left.derivative(), right.derivative(), 1e-13 * scale);
}

// Of values alone, by differences of fourth order: whatever the derivatives have in common with the adjoints.
TEST_P(NodeProperties, DerivativeIsThatOfDifferences) {
  using R = Nilpotent<1>;
  const Recorded<R> found(node, [&](std::size_t i) { return R::seed(x[i], {v[i]}); });
  const double h = 1e-3;
  const auto at = [&](double step) {
    std::vector<double> moved = x;
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * v[i];
    return values(moved);
  };
  const auto p = at(h), m = at(-h), pp = at(2 * h), mm = at(-2 * h), value = at(0);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const double expected = (8 * (p[i] - m[i]) - (pp[i] - mm[i])) / (12 * h);
    EXPECT_NEAR(value[i], found.y[i].value().value(), 1e-14 * (1 + std::abs(value[i])));
    EXPECT_NEAR(expected, found.y[i].value().derivative(), 1e-8 * (1 + std::abs(expected)));
  }
}

TEST_P(NodeProperties, HessianIsSymmetricAndItsProductsAreLinear) {
  const std::size_t n = x.size();
  const auto h = taped_hessian(f, x);
  ASSERT_TRUE(h.status.ok());
  const double scale = largest(h.hessian);
  EXPECT_GT(scale, 1e-3);
  std::vector<double> both(n), expected(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) both[i] = 2 * u[i] - 3 * v[i];
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(h.hessian[n * i + j], h.hessian[n * j + i], 1e-13 * scale);
      expected[i] += h.hessian[n * i + j] * both[j];
    }
  const auto pu = taped_hessian_product(f, x, u).product, pv = taped_hessian_product(f, x, v).product,
             pw = taped_hessian_product(f, x, both).product;
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(pw[i], 2 * pu[i] - 3 * pv[i], 1e-13 * double(n) * scale);
  EXPECT_LE(difference(pw, expected), 1e-13 * double(n) * scale);
  const auto g = taped_gradient(f, x);
  EXPECT_LE(difference(g.gradient, h.gradient), 1e-13 * largest(g.gradient));
}

// The reference mode: the same tape in full complex arithmetic, with the step 2^-133.
TEST_P(NodeProperties, FullComplexArithmeticAgrees) {
  using C = Complex<double>;
  Tape<C> tape;
  std::vector<Variable<C>> z;
  for (std::size_t i = 0; i < x.size(); ++i) z.push_back(tape.variable(C::seed(x[i], v[i])));
  const Variable<C> y = f(std::span<const Variable<C>>(z));
  tape.reverse(y);
  const auto p = taped_hessian_product(f, x, v);
  EXPECT_NEAR(p.value, y.value().value(), 1e-13 * (1 + std::abs(p.value)));
  for (std::size_t i = 0; i < z.size(); ++i) {
    EXPECT_NEAR(p.gradient[i], tape.adjoint(z[i]).value(), 1e-13 * largest(p.gradient));
    EXPECT_NEAR(p.product[i], tape.adjoint(z[i]).derivative(), 1e-13 * largest(p.product));
  }
}

// The functions of holo/diff/tape that give a matrix, a number or a pair of matrices of a tape for a matrix of it, outside of
// detail: an operator by its sign.
std::set<std::string> nodes_of_the_headers() {
  const std::regex start(R"(^(MatrixVariable<T>|Variable<T>|PolarVariables<T>) (operator)?([^ (]+)\(.*MatrixVariable<T>&.*)");
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(HOLO_SOURCE_DIR "/libs/diff/include/holo/diff/tape")) {
    std::ifstream in(file.path());
    bool in_detail = false;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with("namespace detail")) in_detail = true;
      if (line == "}  // namespace detail") in_detail = false;
      std::smatch match;
      if (!in_detail && std::regex_match(line, match, start)) names.insert(match[3]);
    }
  }
  return names;
}

TEST(NodeList, HoldsEveryNodeOfTheHeaders) {
  const std::set<std::string> names = nodes_of_the_headers();
  for (const char* known : {"*", "solve", "polar_rotation", "checkpoint", "element_energy", "determinant"})
    EXPECT_TRUE(names.contains(known)) << "the headers are not read as they are: " << known << " is not found";
  std::string tested;
  for (const Node& node : all_nodes()) tested += std::string(node.text) + '\n';
  for (const std::string& name : names) {
    const bool is_word = std::isalpha(static_cast<unsigned char>(name[0])) != 0;
    const bool found = is_word ? std::regex_search(tested, std::regex("\\b" + name + "(<\\d+>)?\\("))
                               : tested.find(" " + name + " ") != std::string::npos;
    EXPECT_TRUE(found) << name << " is in no list of tests/diff_tape/*_nodes_test.cpp: its derivatives are not tested";
  }
}

INSTANTIATE_TEST_SUITE_P(AllNodes, NodeProperties, ::testing::ValuesIn(all_nodes()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace holo::test
