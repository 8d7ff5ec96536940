#include "holo/comparison/timing_task.h"

#include <gtest/gtest.h>

#include "holo/sim/mesh/shapes.h"

namespace holo::comparison {
namespace {

void expect_agreement(const TimingTask& task, double tolerance) {
  ASSERT_FALSE(task.contestants.empty());
  for (const Contestant& contestant : task.contestants) {
    contestant.run();
    EXPECT_LE(contestant.difference(), tolerance) << contestant.name;
  }
}

TEST(TimingTask, ContestantsComputeTheSame) {
  expect_agreement(root_derivative_task(3000), 4e-16);
  for (int order : {1, 2, 3}) expect_agreement(quartic_derivative_task(order, 3000), 1e-14);
  expect_agreement(product_chain_task(100, 50), 1e-14);
  expect_agreement(product_chain_task(1, 50), 1e-15);
}

TEST(TimingTask, ElementContestantsComputeTheSame) {
  const PluginHost host;
  const TetrahedralMesh mesh = box_mesh({1, 1, 1}, 50);
  for (const std::string name : {"stvk", "neo_hookean_paper"})
    for (DerivativeKind quantity : derivative_kinds) {
      const auto material = host.get<MaterialPlugin>(name);
      const std::vector<double> c = material->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}});
      const auto reference = host.get_reference<MaterialPlugin>(name);
      const TimingTask task = element_derivative_task(*material, reference.get(), c, quantity, mesh, 0.15);
      EXPECT_GE(task.contestants.size(), 3u);
      EXPECT_EQ(task.evaluations % HOLO_LANE_WIDTH, 0u);
      expect_agreement(task, 1e-12);
      std::vector<std::string> names;
      for (const Contestant& contestant : task.contestants) names.push_back(contestant.name);
      EXPECT_EQ(names, element_derivative_contestants(*material, reference.get(), c, quantity));
    }
}

TEST(TimingTask, ResultsThatWereNotComputedDiffer) {
  const PluginHost host;
  const auto material = host.get<MaterialPlugin>("stvk");
  const std::vector<double> c = material->coefficients({{"youngs_modulus", 1e5}, {"poissons_ratio", 0.45}});
  const TimingTask elements =
      element_derivative_task(*material, nullptr, c, DerivativeKind::gradient, box_mesh({1, 1, 1}, 50), 0.15);
  for (const TimingTask& task :
       {root_derivative_task(100), quartic_derivative_task(3, 100), product_chain_task(9, 9), elements}) {
    EXPECT_GT(task.contestants[0].difference(), 0.5);
    task.contestants[0].run();
    EXPECT_LT(task.contestants[0].difference(), 1e-13);
  }
}

TEST(TimingTaskBadInput, OrdersThatAreNotTimedAreRefused) {
  EXPECT_THROW(quartic_derivative_task(0, 10), Error);
  EXPECT_THROW(quartic_derivative_task(4, 10), Error);
}

}  // namespace
}  // namespace holo::comparison
