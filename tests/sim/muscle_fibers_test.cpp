// Muscles: distances within a body, weights, the shapes of muscles, and what is refused.
#include "holo/sim/muscle/muscle_fibers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "holo/sim/mesh/shapes.h"
#include "holo/sim/muscle/muscle_definition.h"

namespace holo::test {
namespace {

struct MuscleReading {
  std::shared_ptr<const MusclesDefinition> muscles;
  std::string problems;
};

// `keys` stand beside `list`, one muscle an entry.
MuscleReading read_muscle_list(const std::string& keys, const std::vector<std::string>& list) {
  std::string yaml = "muscles:\n  {" + keys + (keys.empty() ? "" : ", ") + "list: [";
  for (const std::string& muscle : list) yaml += "\n    {" + muscle + "},";
  ConfigurationFile file = ConfigurationFile::parse(yaml + "]}\n", "muscles.yaml");
  Configuration root = file.root();
  MuscleReading reading{read_muscles(root), ""};
  try {
    file.finish();
  } catch (const Error& error) {
    reading.problems = error.what();
  }
  return reading;
}

MuscleFibers fibers_of(const std::string& keys, const std::vector<std::string>& list, const TetrahedralMesh& mesh,
                       const MuscleBody& body = {}) {
  const MuscleReading reading = read_muscle_list(keys, list);
  if (!reading.problems.empty()) throw Error(Failure::input, reading.problems);
  return make_muscle_fibers(*reading.muscles, mesh, body);
}

std::string refusal_of(const std::string& keys, const std::vector<std::string>& list, const MuscleBody& body = {}) {
  try {
    fibers_of(keys, list, box_mesh({1, 0.4, 0.4}, 3000), body);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Eigen::Vector3d centroid_of(const TetrahedralMesh& mesh, int element) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const int v : mesh.tetrahedra[std::size_t(element)]) sum += Eigen::Vector3d::Map(mesh.vertices[std::size_t(v)].data());
  return sum / 4;
}

// By its own formula: the nearer end, or the height above the line.
double straight_distance(const Eigen::Vector3d& p, const MuscleSegment& s) {
  const Eigen::Vector3d d = s.end - s.start;
  if ((p - s.start).dot(d) <= 0) return (p - s.start).norm();
  if ((p - s.end).dot(d) >= 0) return (p - s.end).norm();
  return (p - s.start).cross(d).norm() / d.norm();
}

double length_of(const MuscleFibers& fibers) {
  double sum = 0;
  for (const MuscleSegment& segment : fibers.segments) sum += (segment.end - segment.start).norm();
  return sum;
}

const std::string spine = "name: spine, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}], segments: 4";

TEST(MuscleFibers, InAConvexBodyDistancesAreStraight) {
  const TetrahedralMesh mesh = box_mesh({1, 0.4, 0.4}, 3000);
  const MuscleFibers fibers = fibers_of(
      "width: 0.15", {spine, "name: slant, type: line, points: [{at: [0.1, 0.05, 0.1]}, {at: [0.77, 0.31, 0.34]}]"}, mesh);
  ASSERT_EQ(fibers.segments.size(), 5u);
  for (const MuscleSegment& segment : fibers.segments) {
    std::vector<std::pair<int, double>> expected;
    for (int e = 0; e < int(mesh.tetrahedra.size()); ++e) {
      const double g = straight_distance(centroid_of(mesh, e), segment), w = std::exp(-g * g / (0.15 * 0.15));
      if (w >= 1e-3) expected.emplace_back(e, w);
    }
    ASSERT_EQ(segment.weights.size(), expected.size()) << segment.name;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(segment.weights[i].first, expected[i].first);
      EXPECT_NEAR(segment.weights[i].second, expected[i].second, 1e-12);
    }
  }
}

// Legs x < 0.4 and x > 0.6 of height 1, joined below y = 0.3. The muscle runs up the left leg.
TEST(MuscleFibers, AcrossAGapTheWayAroundCounts) {
  TetrahedralMesh mesh = box_mesh({1, 1, 0.2}, 9600);
  std::vector<std::array<int, 4>> kept;
  for (int e = 0; e < int(mesh.tetrahedra.size()); ++e) {
    const Eigen::Vector3d c = centroid_of(mesh, e);
    if (c.y() < 0.3 || c.x() < 0.4 || c.x() > 0.6) kept.push_back(mesh.tetrahedra[std::size_t(e)]);
  }
  mesh.tetrahedra = kept;
  remove_unused_vertices(mesh);
  const double gap_left = 0.4, gap_right = 0.6, bottom = 0.3;  // lie on the grid
  const double width = 0.6;
  const MuscleFibers fibers =
      fibers_of("width: 0.6", {"name: up, type: line, points: [{at: [0.3, 0.7, 0.1]}, {at: [0.3, 0.9, 0.1]}]"}, mesh);
  int across = 0;
  std::map<int, double> weights(fibers.segments[0].weights.begin(), fibers.segments[0].weights.end());
  for (int e = 0; e < int(mesh.tetrahedra.size()); ++e) {
    const Eigen::Vector3d c = centroid_of(mesh, e);
    if (c.x() < gap_right || c.y() < bottom + 0.05) continue;
    // In the plane, around the two corners of the gap's bottom; depth only adds.
    const Eigen::Vector2d left(gap_left, bottom), right(gap_right, bottom), from(0.3, 0.7), to(c.x(), c.y());
    const double shortest = (from - left).norm() + (right - left).norm() + (to - right).norm();
    if (!weights.count(e)) {
      EXPECT_GT(1.25 * shortest + 0.1, width * std::sqrt(std::log(1000.0)));
      continue;
    }
    const double g = width * std::sqrt(-std::log(weights[e]));
    EXPECT_GT(g, 0.97 * shortest) << c.transpose();
    EXPECT_LT(g, 1.25 * shortest + 0.1) << c.transpose();
    ++across;
  }
  EXPECT_GT(across, 500);
}

const std::vector<std::string> shapes = {
    "name: ring, type: ring, center: [0.5, 0.2, 0.2], axis: [1, 0, 0], radius: 0.15, segments: 6",
    "name: radial, type: radial, center: [0.5, 0.2, 0.2], axis: [1, 0, 0], inner_radius: 0.05, outer_radius: 0.15, count: 8",
    "name: helix, type: helix, center: [0.1, 0.2, 0.2], axis: [1, 0, 0], radius: 0.15, start_height: 0, end_height: 0.8, "
    "turns: -1, segments: 40"};

TEST(MuscleFibers, DirectionsAreUnitAndTangent) {
  const MuscleFibers fibers = fibers_of("width: 0.15", shapes, box_mesh({1, 0.4, 0.4}, 3000));
  ASSERT_EQ(fibers.segments.size(), 6u + 8u + 40u);
  EXPECT_EQ(fibers.segments[2].name, "ring.3");
  EXPECT_EQ(fibers.segments[8].name, "radial_3.1");
  const Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  for (std::size_t i = 0; i < fibers.segments.size(); ++i) {
    const MuscleSegment& s = fibers.segments[i];
    const Eigen::Vector3d middle = (s.start + s.end) / 2 - Eigen::Vector3d(0.5, 0.2, 0.2);
    const Eigen::Vector3d outward = (middle - middle.dot(axis) * axis).normalized();
    EXPECT_NEAR(s.direction.norm(), 1, 1e-14) << s.name;
    EXPECT_NEAR(s.direction.cross(s.end - s.start).norm(), 0, 1e-14) << s.name;
    const Eigen::Vector3d around = axis.cross(outward);
    if (i < 6) {
      EXPECT_NEAR(s.direction.dot(around), 1, 1e-14) << s.name;
    }
    if (i >= 6 && i < 14) {
      EXPECT_NEAR(s.direction.dot(outward), 1, 1e-14) << s.name;
    }
    // A left-handed helix: height 0.8 to one turn backwards.
    if (i >= 14) {
      EXPECT_LT((s.direction - Eigen::Vector3d(0.8 * axis - 2 * M_PI * 0.15 * around).normalized()).norm(), 2e-3) << s.name;
    }
  }
}

TEST(MuscleFibers, LengthsSumToTheCurves) {
  const TetrahedralMesh mesh = box_mesh({1, 0.4, 0.4}, 3000);
  const MuscleFibers line = fibers_of("width: 0.15", {spine}, mesh);
  EXPECT_NEAR(length_of(line), 0.8, 1e-14);
  for (const MuscleSegment& segment : line.segments) EXPECT_NEAR((segment.end - segment.start).norm(), 0.2, 1e-14);
  EXPECT_NEAR(length_of(fibers_of("width: 0.15", {shapes[0]}, mesh)), 12 * 0.15 * std::sin(M_PI / 6), 1e-14);
  EXPECT_NEAR(length_of(fibers_of("width: 0.15", {shapes[1]}, mesh)), 8 * 0.1, 1e-14);
  EXPECT_NEAR(length_of(fibers_of("width: 0.15", {shapes[2]}, mesh)), std::hypot(0.8, 2 * M_PI * 0.15), 2e-3);
}

TEST(MuscleFibers, FibersAroundABentLineAreParallelToIt) {
  const MuscleFibers fibers =
      fibers_of("",
                {"name: bent, type: longitudinal, points: [{at: [0.1, 0.1, 0.2]}, {at: [0.5, 0.1, 0.2]}, "
                 "{at: [0.9, 0.3, 0.2]}], count: 4, offset: 0.05, start_angle: 0.7"},
                box_mesh({1, 0.4, 0.4}, 3000));
  ASSERT_EQ(fibers.segments.size(), 8u);
  EXPECT_EQ(fibers.segments[3].name, "bent_2.2");
  EXPECT_NEAR(fibers.width, 0.6 * 0.05 * std::sqrt(2), 1e-15) << "0.6 of the side of the square";
  const Eigen::Vector3d corners[] = {{0.1, 0.1, 0.2}, {0.5, 0.1, 0.2}, {0.9, 0.3, 0.2}};
  for (std::size_t i = 0; i < 8; ++i) {
    const MuscleSegment& s = fibers.segments[i];
    const Eigen::Vector3d a = corners[i % 2], d = (corners[i % 2 + 1] - a).normalized();
    EXPECT_LT((s.direction - d).norm(), 1e-14) << s.name;
    EXPECT_NEAR((s.start - a).cross(d).norm(), 0.05, 1e-14) << s.name;
    EXPECT_NEAR((s.end - a).cross(d).norm(), 0.05, 1e-14) << s.name;
  }
}

TEST(MuscleFibers, APlacementMovesSegmentsAndLeavesWeights) {
  const TetrahedralMesh mesh = box_mesh({1, 0.4, 0.4}, 3000);
  MuscleBody body;
  body.first_element = 100;
  body.placement.translate(Eigen::Vector3d(1, 2, 3));
  body.placement.rotate(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitZ()));
  const MuscleFibers here = fibers_of("width: 0.1", {spine}, mesh), there = fibers_of("width: 0.1", {spine}, mesh, body);
  for (std::size_t i = 0; i < 4; ++i) {
    const MuscleSegment &a = here.segments[i], &b = there.segments[i];
    EXPECT_LT((b.start - Eigen::Vector3d(1 - a.start.y(), 2 + a.start.x(), 3 + a.start.z())).norm(), 1e-14);
    EXPECT_LT((b.end - Eigen::Vector3d(1 - a.end.y(), 2 + a.end.x(), 3 + a.end.z())).norm(), 1e-14);
    EXPECT_LT((b.direction - Eigen::Vector3d::UnitY()).norm(), 1e-14);
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (std::size_t k = 0; k < a.weights.size(); ++k) {
      EXPECT_EQ(a.weights[k].first + 100, b.weights[k].first);
      EXPECT_EQ(a.weights[k].second, b.weights[k].second);
    }
  }
}

// The cells of a box map to themselves under x -> size - x.
TEST(MuscleFibers, SymmetricMusclesHaveSymmetricWeights) {
  const TetrahedralMesh mesh = box_mesh({1, 0.4, 0.4}, 3000);
  const MuscleFibers fibers = fibers_of(
      "width: 0.1", {"name: pair, type: line, points: [{at: [0.1, 0.1, 0.3]}, {at: [0.5, 0.2, 0.2]}, {at: [0.9, 0.3, 0.1]}]"},
      mesh);
  const auto& first = fibers.segments[0].weights;
  const std::map<int, double> second(fibers.segments[1].weights.begin(), fibers.segments[1].weights.end());
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [element, weight] : first) {
    const Eigen::Vector3d mirrored = Eigen::Vector3d(1, 0.4, 0.4) - centroid_of(mesh, element);
    const auto same = std::find_if(second.begin(), second.end(), [&](const auto& other) {
      return (centroid_of(mesh, other.first) - mirrored).norm() < 1e-9;
    });
    ASSERT_NE(same, second.end());
    EXPECT_NEAR(same->second, weight, 1e-12);
  }
}

TEST(MuscleFibers, NormalizedWeightsSumToOneAtMost) {
  const TetrahedralMesh mesh = box_mesh({1, 0.4, 0.4}, 3000);
  std::vector<double> sums(mesh.tetrahedra.size(), 0.0);
  for (const MuscleSegment& segment : fibers_of("width: 0.2, normalize: true", {spine, shapes[0]}, mesh).segments)
    for (const auto& [element, weight] : segment.weights) sums[std::size_t(element)] += weight;
  EXPECT_NEAR(*std::max_element(sums.begin(), sums.end()), 1, 1e-14);
}

struct RefusedMuscle {
  const char *keys, *muscle, *told;
};

TEST(MuscleFibers, BadInputIsRefusedByItsReason) {
  const RefusedMuscle refused[] = {
      {"width: 0.1", "name: a, type: line, points: [{at: [0, 2, 0]}, {at: [1, 2, 0]}]", "a muscle outside its body"},
      {"width: 0.001", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}]", "is too small for these"},
      {"width: 0.1", "name: a, type: line, points: [{at: [0.2, 0.2, 0.2]}, {at: [0.2, 0.2, 0.2]}]", "it has no length"},
      {"width: 0.1", "name: a, type: rings, center: [0, 0, 0], radius: 1, segments: 4", "'ring'"},
      {"", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}]", "muscles need a width"},
      {"width: -0.1", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}]", "width"},
      {"width: 0.1, law: fibber", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}]",
       "fiber_squared"},
      {"width: 0.1", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}], segments: 0", "segments"},
      {"width: 0.1", "name: a, type: line, points: [{at: [0.1, 0.2, 0.2]}]", "points"},
      {"width: 0.1", "name: a, type: radial, center: [0, 0, 0], inner_radius: 2, outer_radius: 1, count: 3",
       "above inner_radius"}};
  for (const RefusedMuscle& bad : refused) {
    const std::string told = refusal_of(bad.keys, {bad.muscle});
    EXPECT_NE(told.find(bad.told), std::string::npos) << bad.keys << " " << bad.muscle << ": " << told;
    EXPECT_NE(told.find("muscles.yaml:"), std::string::npos) << told;
  }
  const std::string outside = refusal_of("width: 0.1", {"name: a, type: line, points: [{at: [0, 2, 0]}, {at: [1, 2, 0]}]"});
  EXPECT_NE(outside.find("piece 'a.1'"), std::string::npos) << outside;
  EXPECT_NE(outside.find("the nearest is element "), std::string::npos) << outside;
}

TEST(MuscleFibers, BadInputOfNamesIsRefused) {
  const std::string told = refusal_of("width: 0.1", {spine, spine});
  EXPECT_NE(told.find("two muscles are named 'spine'"), std::string::npos) << told;
  const std::string fiber = refusal_of(
      "width: 0.1", {"name: a, type: radial, center: [0.5, 0.2, 0.2], inner_radius: 0.01, outer_radius: 0.1, count: 3",
                     "name: a_2, type: line, points: [{at: [0.1, 0.2, 0.2]}, {at: [0.9, 0.2, 0.2]}]"});
  EXPECT_NE(fiber.find("two muscles are named 'a_2'"), std::string::npos) << fiber;
}

TEST(MuscleFibers, BadInputOfActivationsWithoutEquilibriumIsRefused) {
  MuscleBody body;
  body.shear_modulus = 1e4;
  const std::string law = "width: 0.1, law: fiber_squared";
  EXPECT_NE(refusal_of(law, {spine + ", activation: -8.1e3"}, body).find("-0.8 of the shear modulus"), std::string::npos);
  EXPECT_EQ(refusal_of(law, {spine + ", activation: -7.9e3"}, body), "");
  EXPECT_EQ(refusal_of("width: 0.1", {spine + ", activation: -8.1e3"}, body), "");
  body.shear_modulus = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal_of(law, {spine + ", activation: -1"}, body).find("is not known"), std::string::npos);
  EXPECT_EQ(refusal_of(law, {spine + ", activation: strength"}, body), "");
}

}  // namespace
}  // namespace holo::test
