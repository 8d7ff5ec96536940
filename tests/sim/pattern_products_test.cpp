// Quadratic forms of matrices with the pattern of an elastic model, against dense products.
#include "elastic/pattern_products.h"

#include <gtest/gtest.h>

#include "holo/core/numerics/parallel.h"
#include "term_checks.h"

namespace holo::test {
namespace {

struct QuadraticCase {
  std::shared_ptr<const ElasticModel> model;
  SparseMatrix T;
  Eigen::MatrixXd S, B;

  explicit QuadraticCase(int columns) {
    ElasticModelDefinition definition;
    definition.bodies = {hand_body(HandEnergy::stable, box_source({0.5, 0.4, 0.3}, 120))};
    model = build(definition);
    T = model->pattern().matrix;
    for (int k = 0; k < T.nonZeros(); ++k) T.valuePtr()[k] = wiggle(static_cast<std::size_t>(k));
    S = random_columns(T.rows(), columns, 3);
    B = random_columns(T.rows(), columns, 4);
  }
  Eigen::MatrixXd products() const {
    Eigen::MatrixXd result = Eigen::MatrixXd::Ones(S.cols(), S.cols());
    add_quadratic_products(model->pattern(), T.valuePtr(), S, B, result);
    return result;
  }
};

// Numbers of columns below, at and between those that are multiplied at a time.
TEST(PatternProducts, AreThoseOfDenseMatrices) {
  for (const int columns : {1, 8, 19}) {
    const QuadraticCase of(columns);
    const Eigen::MatrixXd T = Eigen::MatrixXd(of.T).selfadjointView<Eigen::Lower>();
    const Eigen::MatrixXd expected =
        (of.S.transpose() * T * of.S + of.S.transpose() * of.B + of.B.transpose() * of.S).array() + 1;
    EXPECT_LT((of.products() - expected).norm(), 1e-13 * expected.norm()) << columns;
  }
}

TEST(PatternProducts, DoNotDependOnTheNumberOfThreads) {
  const QuadraticCase of(19);
  const Eigen::MatrixXd together = of.products();
  const ThreadLimit one(1);
  EXPECT_EQ(of.products(), together);
}

}  // namespace
}  // namespace holo::test
