// The basis of trajectories: cubic splines and single steps as linear functions of coefficients.
#include "holo/sim/articulated/trajectory/trajectory_basis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

namespace holo::articulated::trajectory_basis_tests {

// Steps and segment lengths: equal segments, a shorter last one, one of a single step, one segment alone.
const std::tuple<int, int> shapes[] = {{20, 10}, {23, 10}, {21, 10}, {4, 10}, {7, 2}, {1, 2}, {40, 5}};

// The state x_i of a trajectory of one degree of freedom.
double state_of(const TrajectoryBasis& basis, const std::vector<double>& coefficients, int i) {
  double sum = 0;
  for (const BasisWeight& entry : basis.weights(i)) sum += entry.weight * coefficients[std::size_t(entry.column)];
  return sum;
}

TEST(TrajectoryBasis, WeightsOfPositionsSumToOne) {
  for (const auto& [steps, length] : shapes) {
    const TrajectoryBasis basis = TrajectoryBasis::spline(steps, length);
    for (int i = 0; i <= steps; ++i) {
      double sum = 0;
      for (const BasisWeight& entry : basis.weights(i))
        if (entry.column % 2 == 0) sum += entry.weight;
      EXPECT_NEAR(sum, 1, 1e-14) << steps << " steps by " << length << ", state " << i;
    }
  }
}

// With x and tau = L dt x' of a cubic at the points, all states and tangents lie on it.
TEST(TrajectoryBasis, SplinesReproduceCubics) {
  const auto cubic = [](double t) { return 0.3 - 1.1 * t + 0.7 * t * t - 0.2 * t * t * t; };
  const auto slope = [](double t) { return -1.1 + 1.4 * t - 0.6 * t * t; };
  const double dt = 0.05;
  for (const auto& [steps, length] : shapes) {
    const TrajectoryBasis basis = TrajectoryBasis::spline(steps, length);
    std::vector<double> coefficients;
    for (int point = 0; point < basis.point_count(); ++point) {
      const double t = dt * basis.step_of(point);
      coefficients.push_back(cubic(t));
      coefficients.push_back(length * dt * slope(t));
    }
    ASSERT_EQ(int(coefficients.size()), basis.columns());
    for (int i = 0; i <= steps; ++i) {
      EXPECT_NEAR(state_of(basis, coefficients, i), cubic(dt * i), 1e-14) << steps << " by " << length << ", state " << i;
      double tangent = 0;
      for (const BasisWeight& entry : basis.tangent_weights(i))
        tangent += entry.weight * coefficients[std::size_t(entry.column)];
      EXPECT_NEAR(tangent, length * dt * slope(dt * i), 1e-13) << steps << " by " << length << ", state " << i;
    }
  }
}

TEST(TrajectoryBasis, PointsStandOnTheirSteps) {
  for (const auto& [steps, length] : shapes)
    for (const TrajectoryBasis& basis : {TrajectoryBasis::spline(steps, length), TrajectoryBasis::nodal(steps)}) {
      EXPECT_EQ(basis.step_of(0), 0);
      EXPECT_EQ(basis.step_of(basis.point_count() - 1), steps);
      for (int point = 0; point < basis.point_count(); ++point) {
        const auto weights = basis.weights(basis.step_of(point));
        ASSERT_EQ(weights.size(), 1u);
        EXPECT_EQ(weights[0].column, point * basis.components());
        EXPECT_EQ(weights[0].weight, 1);
      }
    }
  EXPECT_EQ(TrajectoryBasis::spline(400, 10).point_count(), 41);  // Z = N / L points after the start
}

TEST(TrajectoryBasis, OfSingleStepsIsTheIdentity) {
  const TrajectoryBasis basis = TrajectoryBasis::nodal(9);
  EXPECT_EQ(basis.columns(), 10);
  for (int i = 0; i <= 9; ++i) {
    ASSERT_EQ(basis.weights(i).size(), 1u);
    EXPECT_EQ(basis.weights(i)[0].column, i);
    EXPECT_EQ(basis.weights(i)[0].weight, 1);
  }
}

TEST(TrajectoryBasis, UnknownsAreAllColumnsButTheGivenOnesOfBothEnds) {
  struct Case {
    TrajectoryEnd end;
    bool has_position, has_tangent;  // as unknowns of the last point
  };
  for (const Case& given : {Case{TrajectoryEnd::free, true, true}, Case{TrajectoryEnd::position, false, true},
                            Case{TrajectoryEnd::state, false, false}}) {
    const TrajectoryBasis spline = TrajectoryBasis::spline(23, 10, given.end);
    const int last = spline.columns() - 2;
    for (int column = 0; column < spline.columns(); ++column) {
      const bool expected = column >= 2 && (column != last || given.has_position) && (column != last + 1 || given.has_tangent);
      EXPECT_EQ(spline.is_unknown(column), expected) << column;
      EXPECT_EQ(spline.unknown_in_point(column) == -1, !expected) << column;
    }
    EXPECT_EQ(spline.unknown_columns(0), 0);
    EXPECT_EQ(spline.unknown_columns(1), 2);
    EXPECT_EQ(spline.unknown_columns(3), int(given.has_position) + int(given.has_tangent));
    EXPECT_EQ(spline.unknown_in_point(3), 1);
    EXPECT_EQ(spline.unknown_in_point(last + 1), given.has_tangent ? int(given.has_position) : -1);

    const TrajectoryBasis nodal = TrajectoryBasis::nodal(5, given.end);
    EXPECT_FALSE(nodal.is_unknown(0));
    EXPECT_TRUE(nodal.is_unknown(4));
    EXPECT_EQ(nodal.is_unknown(5), given.has_position);
  }
}

// Segments partition the steps, and their points have all columns with weights in the states that the steps depend on.
TEST(TrajectoryBasis, SegmentsHaveThePointsOfTheirStates) {
  for (const auto& [steps, length] : shapes)
    for (const TrajectoryBasis& basis : {TrajectoryBasis::spline(steps, length), TrajectoryBasis::nodal(steps)}) {
      int next = 1;
      for (const TrajectorySegment& segment : basis.segments()) {
        EXPECT_EQ(segment.first_step, next);
        EXPECT_GE(segment.last_step, segment.first_step);
        next = segment.last_step + 1;
        int first = basis.point_count(), last = 0, first_test = basis.point_count();
        for (int i = std::max(segment.first_step - 2, 0); i <= segment.last_step; ++i)
          for (const BasisWeight& entry : basis.weights(i)) {
            const int point = entry.column / basis.components();
            first = std::min(first, point);
            last = std::max(last, point);
            if (i >= segment.first_step && point > 0) first_test = std::min(first_test, point);
          }
        EXPECT_LE(segment.first_point, first);
        EXPECT_EQ(segment.last_point, last);
        EXPECT_LE(segment.first_test_point, first_test);
      }
      EXPECT_EQ(next, steps + 1);
    }
}

}  // namespace holo::articulated::trajectory_basis_tests
