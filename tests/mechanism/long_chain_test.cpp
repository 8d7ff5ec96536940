// What stands around the optimization of a long chain takes time that grows with the number of bodies, not with its cube.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>

#include "holo/core/numerics/parallel.h"
#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "oracle_mechanisms.h"

namespace holo {
namespace long_chain {

MechanismModel chain(int count) {
  MechanismBuilder builder(oracle::plugins());
  std::string before = "world";
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    builder.body(name, {0.05 + 0.1 * i, 0, 0});
    oracle::hinge(builder, "j" + std::to_string(i), before, name, {0.1 * i, 0, 0},
                  i % 2 == 0 ? oracle::along_y : oracle::along_z, JointRole::actuator);
    before = name;
  }
  return builder.build();
}

// Of choosing equations and of singular values at some poses, by one thread [s].
double processor_time(int count, int repetitions) {
  constexpr int poses = 4;
  const ThreadLimit one(1);
  const oracle::Oracle mechanism(chain(count));
  const Eigen::MatrixXd states = mechanism.layout->rest_state().replicate(1, poses),
                        controls = mechanism.layout->rest_controls().replicate(1, poses),
                        none = mechanism.nothing_prescribed(poses);
  const Eigen::VectorXd parameters = mechanism.layout->rest_parameters();
  const MechanismUnknowns at{states, controls, parameters, none};
  const std::clock_t begin = std::clock();
  for (int i = 0; i < repetitions; ++i) {
    const EliminationResult found = eliminate_redundant_equations(*mechanism.equations, at);
    EXPECT_EQ(found.mobility, count);
    EXPECT_TRUE(found.redundant.empty());
    EXPECT_GT(smallest_singular_values(*mechanism.equations, at, true).minCoeff(), 1e-8);
  }
  return double(std::clock() - begin) / CLOCKS_PER_SEC / repetitions;
}

// The least of three measurements: what else the machine does can only add to one.
double least_processor_time(int count, int repetitions) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) least = std::min(least, processor_time(count, repetitions));
  return least;
}

// Four times as many bodies: 4 where time is linear, 64 where it is cubic.
TEST(LongChain, TimeIsLinearInBodies) {
  processor_time(40, 1);
  const double few = least_processor_time(40, 4), many = least_processor_time(160, 1);
  EXPECT_LT(many, 14 * few);
}

}  // namespace long_chain
}  // namespace holo
