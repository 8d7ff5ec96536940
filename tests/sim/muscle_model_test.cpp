// Muscles of a scene in the model that is built of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "holo/sim/elastic/elastic_contents.h"
#include "scenes.h"

namespace holo::test {
namespace {

ElasticModelDefinition bodies_with_muscles() {
  MusclesDefinition muscles;
  muscles.width = 0.1;
  MuscleDefinition spine;
  spine.name = "spine";
  spine.curves.fibers = {{{0.1, 0.2, 0.2}, {0.5, 0.2, 0.2}, {0.9, 0.2, 0.2}}};
  spine.activation.value = 100;
  muscles.list = {spine};
  ElasticBodyDefinition with = hand_body(HandEnergy::stable, box_source({1, 0.4, 0.4}, 600));
  with.muscles = std::make_shared<const MusclesDefinition>(muscles);
  with.name = "with";
  with.translation = {0, 0, 5};
  with.rotation_axis = {0, 0, 1};
  with.rotation_angle = M_PI / 2;
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::stable, box_source({1, 1, 1}, 48)), with};
  return definition;
}

TEST(MuscleModel, ABodyHasItsMusclesWhereItIsPlaced) {
  const auto model = build(bodies_with_muscles());
  ASSERT_EQ(model->bodies()[0].muscles, nullptr);
  const ElasticBody& body = model->bodies()[1];
  ASSERT_NE(body.muscles, nullptr);
  ASSERT_EQ(body.muscles->segments.size(), 2u);
  const MuscleSegment& segment = body.muscles->segments[1];
  EXPECT_EQ(segment.name, "spine.2");
  EXPECT_LT((segment.start - Eigen::Vector3d(-0.2, 0.5, 5.2)).norm(), 1e-14);
  EXPECT_LT((segment.direction - Eigen::Vector3d::UnitY()).norm(), 1e-14);
  ASSERT_EQ(body.muscles->muscles.size(), 1u);
  EXPECT_EQ(body.muscles->muscles[0].activation.value, 100);
  // The numbers are the model's: weights follow from the placed centroids.
  for (const auto& [element, weight] : segment.weights) {
    ASSERT_GE(element, body.first_element);
    Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
    for (const int v : body.mesh.tetrahedra[std::size_t(element - body.first_element)])
      centroid += Eigen::Vector3d::Map(body.mesh.vertices[std::size_t(v)].data()) / 4;
    const double along = std::clamp(centroid.y(), 0.5, 0.9);
    const double distance = (centroid - Eigen::Vector3d(-0.2, along, 5.2)).norm();
    EXPECT_NEAR(weight, std::exp(-distance * distance / 0.01), 1e-12);
  }
}

TEST(MuscleModel, ContentsTellWhatTheMusclesReach) {
  const auto model = build(bodies_with_muscles());
  const std::vector<std::string> lines = elastic_contents(*model, DirichletSchedule());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NE(lines[2].find("body 'with': 1 muscle of width 0.1 m with 2 segments, which reach "), std::string::npos) << lines[2];
}

TEST(MuscleModel, TheShearModulusAtRestIsTheMaterials) {
  ElasticModelDefinition definition;
  definition.bodies = {hand_body(HandEnergy::log, box_source({1, 1, 1}, 48), 1e5, 0.25)};
  EXPECT_NEAR(build(definition)->bodies()[0].shear_modulus, 4e4, 1e-6);
}

}  // namespace
}  // namespace holo::test
