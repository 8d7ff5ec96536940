// The Markovian regularization of trajectories against its formulas over complex numbers, which share no code with it.
#include "holo/sim/articulated/trajectory/markov_term.h"

#include <complex>

#include "holo/core/error.h"
#include "refusal_message.h"
#include "trajectory_samples.h"

namespace holo::articulated::markov_term_tests {

using namespace test;
using Eigen::MatrixXd, Eigen::VectorXd;
using Complex = std::complex<double>;
using ComplexVector = Eigen::VectorXcd;

constexpr int steps = 40, length = 10, points = 4;

NetworkShape small_network(const PointRecurrence& recurrence) {
  return {{recurrence.feature_count(), 7, 5, recurrence.state_size()}};
}

// Points near the start with headings of up to a radian and positions of up to a meter.
MatrixXd random_points(const TrajectoryModel& model, unsigned seed) {
  const int n = model.character().dof_count();
  MatrixXd result = Eigen::Map<const MatrixXd>(random_vector(2 * n * points, seed).eval().data(), 2 * n, points);
  const VectorXd start = Eigen::Map<const VectorXd>(model.definition().start.coordinates.data(), n);
  result.topRows(n).colwise() += start;
  return result;
}

// y = W sp(...) + b, from the layout of NetworkShape.
ComplexVector network_of(const NetworkShape& shape, const VectorXd& weights, ComplexVector y) {
  Eigen::Index at = 0;
  for (int layer = 1; layer <= shape.layers(); ++layer) {
    const int rows = shape.widths[std::size_t(layer)], columns = shape.widths[std::size_t(layer - 1)];
    const MatrixXd W = Eigen::Map<const MatrixXd>(weights.data() + at, rows, columns);
    const VectorXd b = weights.segment(at + W.size(), rows);
    at += W.size() + rows;
    y = (W.cast<Complex>() * y + b.cast<Complex>()).eval();
    if (layer < shape.layers())
      for (Complex& entry : y) entry = std::log(1.0 + std::exp(entry));
  }
  return y;
}

// Of a base with x, y, z, yaw: what is left of the later point after the prediction from the earlier one, both normalized. It
// is found as seen along the heading of the earlier one, and then turned into the world.
ComplexVector residual_of(const PointRecurrence& recurrence, const VectorXd& start, const NetworkShape& shape,
                          const VectorXd& weights, const ComplexVector& earlier, const ComplexVector& later) {
  const VectorXd scale = recurrence.normalization();
  const Eigen::Index n = earlier.size() / 2;
  const Complex c = std::cos(earlier[3]), s = std::sin(earlier[3]);
  const auto seen = [&](const ComplexVector& v) {
    ComplexVector result = v;
    for (const Eigen::Index at : {Eigen::Index(0), n}) {
      result[at] = c * v[at] + s * v[at + 1];
      result[at + 1] = c * v[at + 1] - s * v[at];
    }
    return result;
  };
  const ComplexVector own = seen(earlier), change = seen(later - earlier);
  ComplexVector features(2 * n - 3);
  Eigen::Index k = 0;
  for (Eigen::Index j = 0; j < 2 * n; ++j)
    if (j != 0 && j != 1 && j != 3) features[k++] = (own[j] - (j < n ? start[j] : 0)) * scale[j];
  const ComplexVector rest = change.cwiseProduct(scale.cast<Complex>()) - network_of(shape, weights, features);
  ComplexVector result = rest;
  for (const Eigen::Index at : {Eigen::Index(0), n}) {
    result[at] = c * rest[at] - s * rest[at + 1];
    result[at + 1] = s * rest[at] + c * rest[at + 1];
  }
  return result;
}

class MarkovTerms : public ::testing::Test {
 protected:
  MarkovTerms()
      : model(walk("biped14", steps, 0.5, BaseChart::euler)),
        recurrence(model, PointFrame::heading),
        shape(small_network(recurrence)),
        weights(initial_weights(shape, 0.5, 3)),
        term(recurrence, shape, points, 0.3) {
    term.set_network(weights);
  }
  VectorXd start() const {
    return Eigen::Map<const VectorXd>(model.definition().start.coordinates.data(), model.character().dof_count());
  }

  TrajectoryModel model;
  PointRecurrence recurrence;
  NetworkShape shape;
  VectorXd weights;
  MarkovTerm term;
};

TEST_F(MarkovTerms, HaveTheLengthOfTheResidualsOfTheFormula) {
  const MatrixXd at = random_points(model, 1);
  double sum = 0;
  for (int z = 0; z + 1 < points; ++z)
    sum += residual_of(recurrence, start(), shape, weights, at.col(z).cast<Complex>(), at.col(z + 1).cast<Complex>())
               .squaredNorm();
  EXPECT_NEAR(term.value(at), 0.3 * sum, 1e-13 * sum);
}

TEST_F(MarkovTerms, DerivativesAreThoseOfComplexSteps) {
  const MatrixXd at = random_points(model, 2);
  term.value(at);
  const Eigen::Index size = recurrence.state_size();
  const double factor = std::sqrt(0.3);
  VectorXd residual(size);
  MatrixXd by_point[2] = {MatrixXd(size, size), MatrixXd(size, size)};
  for (int z = 0; z + 1 < points; ++z) {
    term.differentiate(z, residual, by_point[0], by_point[1]);
    const ComplexVector c[2] = {at.col(z).cast<Complex>(), at.col(z + 1).cast<Complex>()};
    for (int which = 0; which < 2; ++which)
      for (Eigen::Index j = 0; j < size; ++j) {
        ComplexVector moved[2] = {c[0], c[1]};
        moved[which][j] += Complex(0, 1e-30);
        const ComplexVector r = residual_of(recurrence, start(), shape, weights, moved[0], moved[1]);
        const VectorXd slope = factor * r.imag() / 1e-30;
        EXPECT_LT((by_point[which].col(j) - slope).norm(), 1e-12 * (1 + slope.norm())) << z << " " << which << " " << j;
        EXPECT_LT((residual - factor * r.real()).norm(), 1e-12 * (1 + residual.norm()));
      }
  }
}

// The whole of what the term adds to b and H of a problem: H p = 2 J^T J p by forward products of the formula.
TEST_F(MarkovTerms, AddToGradientAndHessianOfTheProblem) {
  TrajectoryProblem problem(model, TrajectoryBasis::spline(steps, length));
  const VectorXd point = problem.point() + random_vector(problem.unknown_count(), 5, 0.05);
  const VectorXd none = VectorXd::Zero(problem.constraint_count()), direction = random_vector(problem.unknown_count(), 6);
  VectorXd plain(point.size()), full(point.size()), plain_product(point.size()), full_product(point.size());
  VectorXd constraints(problem.constraint_count());
  problem.linearize(point, none, plain);
  problem.system().multiply_hessian(direction, plain_product);
  const double plain_value = problem.evaluate(point, constraints);
  problem.set_transition_term(&term);
  problem.linearize(point, none, full);
  problem.system().multiply_hessian(direction, full_product);
  const double full_value = problem.evaluate(point, constraints);
  EXPECT_NEAR(full_value - plain_value, term.value(problem.transition_points(point)), 1e-14 * full_value);
  EXPECT_NEAR(problem.values(point).total(), full_value, 1e-14 * full_value);  // a compiler may fuse one of the sums
  const MatrixXd at = problem.transition_points(point), along = problem.transition_points(point + direction) - at;
  double slope = 0, curvature = 0;
  for (int z = 0; z + 1 < points; ++z) {
    const ComplexVector r = residual_of(recurrence, start(), shape, weights, at.col(z) + Complex(0, 1e-30) * along.col(z),
                                        at.col(z + 1) + Complex(0, 1e-30) * along.col(z + 1));
    slope += 2 * 0.3 * (r.imag() / 1e-30).dot(r.real());
    curvature += 2 * 0.3 * (r.imag() / 1e-30).squaredNorm();
  }
  EXPECT_NEAR((full - plain).dot(direction), slope, 1e-11 * std::abs(slope));
  EXPECT_NEAR((full_product - plain_product).dot(direction), curvature, 1e-11 * curvature);
}

TEST_F(MarkovTerms, DoNotDependOnWhereTheMotionIsAndHeads) {
  const int n = model.character().dof_count();
  const MatrixXd at = random_points(model, 4);
  MatrixXd moved = at;
  const double angle = 0.7;
  for (int z = 0; z < points; ++z)
    for (const int row : {0, n}) {
      moved(row, z) = std::cos(angle) * at(row, z) - std::sin(angle) * at(row + 1, z) + (row == 0 ? 3 : 0);
      moved(row + 1, z) = std::sin(angle) * at(row, z) + std::cos(angle) * at(row + 1, z) - (row == 0 ? 2 : 0);
    }
  moved.row(3).array() += angle;
  EXPECT_NEAR(term.value(moved), term.value(at), 1e-12 * term.value(at));
}

TEST_F(MarkovTerms, OfTransitionsThatTheNetworkMakesAreZero) {
  MatrixXd states = recurrence.normalized(random_points(model, 7));
  NetworkBatch batch(shape, 1);
  for (int z = 0; z + 1 < points; ++z) {
    recurrence.features(states.col(z), batch.inputs().col(0));
    evaluate(shape, weights, batch, 0, 1);
    recurrence.next(states.col(z), batch.outputs().col(0), states.col(z + 1));
    VectorXd output(recurrence.state_size());
    recurrence.output_between(states.col(z), states.col(z + 1), output);
    EXPECT_LT((output - batch.outputs().col(0)).norm(), 1e-13 * (1 + states.norm()));
  }
  MatrixXd at = states.array().colwise() / recurrence.normalization().array();
  at.topRows(model.character().dof_count()).colwise() += start();
  EXPECT_LT(term.value(at), 1e-26 * states.squaredNorm());
}

TEST_F(MarkovTerms, WithoutOutputPredictThePresentStateOrRest) {
  const VectorXd nothing = VectorXd::Zero(shape.weight_count());
  const MatrixXd at = random_points(model, 8), states = recurrence.normalized(at);
  term.set_network(nothing);
  EXPECT_NEAR(term.value(at), 0.3 * (states.rightCols(points - 1) - states.leftCols(points - 1)).squaredNorm(),
              1e-12 * states.squaredNorm());
  const PointRecurrence world(model, PointFrame::world);
  const NetworkShape other{{world.feature_count(), 4, world.state_size()}};
  MarkovTerm of_world(world, other, points, 1);
  EXPECT_NEAR(of_world.value(at), world.normalized(at).rightCols(points - 1).squaredNorm(), 1e-12 * states.squaredNorm());
}

// Adjoints against products with the derivatives by differences of the recurrence along a line, whose complex forms are above.
TEST_F(MarkovTerms, PullBackWhatRolloutsNeed) {
  const MatrixXd states = recurrence.normalized(random_points(model, 9));
  RolloutLoss loss(shape, states, recurrence, 1e3);
  ASSERT_TRUE(std::isfinite(loss.value(weights)));
  VectorXd gradient(weights.size());
  loss.gradient(weights, gradient);
  const VectorXd direction = random_vector(weights.size(), 10);
  const double h = 1e-5;
  const auto at = [&](double t) { return loss.value(weights + t * direction); };
  const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  EXPECT_NEAR(gradient.dot(direction), slope, 1e-8 * std::abs(slope));
}

TEST(MarkovTermsOfOtherBases, NeedAYawOfTheirOwn) {
  const TrajectoryModel model = walk("biped14", 20);
  EXPECT_EQ(holo::test::message([&] { PointRecurrence(model, PointFrame::heading); }),
            "the heading of 'biped14' is no coordinate of its own; describe its base by `base: {rotation: euler, order: zyx}`, "
            "or predict points in the frame `world`.");
  EXPECT_EQ(PointRecurrence(model, PointFrame::world).feature_count(), 28);
}

// The axes of a base's slides are those of the world, however their frames are turned.
TEST(MarkovTermsOfOtherBases, HaveTheAxesOfTheWorld) {
  CharacterBuilder builder("turned");
  const int forward = builder.add_slide("forward", -1, Eigen::Isometry3d::Identity(), Eigen::Vector3d::UnitX());
  const Eigen::Isometry3d upward(Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), Eigen::Vector3d::UnitZ()));
  const int height = builder.add_slide("height", forward, upward, Eigen::Vector3d::UnitX());
  builder.add_mass(height, sphere_mass(0.1, 1000), Eigen::Isometry3d::Identity());
  builder.actuate(height);
  TrajectoryModel::Definition definition = above_a_floor(std::make_shared<const CharacterModel>(builder.build()), 20);
  definition.start.coordinates = {1, 2};
  definition.before = definition.start;
  const TrajectoryModel model(std::move(definition));
  const PointRecurrence recurrence(model, PointFrame::heading);
  ASSERT_EQ(recurrence.feature_count(), 3);
  VectorXd features(3), state(4);
  state << 0.1, 0.2, 0.3, 0.4;
  recurrence.features(state, features);
  EXPECT_EQ(features, VectorXd(Eigen::Vector3d(0.2, 0.3, 0.4)));  // without `forward`
}

TEST(MarkovTermsOfOtherBases, OfAPlaneLeaveOutTheirPlaceAlone) {
  const TrajectoryModel model = walk("hopper6", 20);
  EXPECT_EQ(PointRecurrence(model, PointFrame::heading).feature_count(), 2 * model.character().dof_count() - 1);
}

}  // namespace holo::articulated::markov_term_tests
