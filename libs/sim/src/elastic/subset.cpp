#include "holo/sim/elastic/subset.h"

#include <fmt/format.h>

#include <limits>

#include "elastic/element/vector3d.h"

namespace holo {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

SubsetDefinition read_box(Parameters& box) {
  SubsetDefinition subset;
  subset.kind = SubsetDefinition::Kind::box;
  subset.minimum = box.vector3("min", {.unit = "m",
                                       .default_value = Vector3d{-infinite, -infinite, -infinite},
                                       .documentation = "lower corner; without it open below"});
  subset.maximum = box.vector3("max", {.unit = "m",
                                       .default_value = Vector3d{infinite, infinite, infinite},
                                       .documentation = "upper corner; without it open above"});
  for (int i = 0; i < 3; ++i)
    if (subset.minimum[i] > subset.maximum[i])
      box.problem(box.location(), fmt::format("the box has min[{0}] = {1} above max[{0}] = {2}, so that nothing is inside.", i,
                                              subset.minimum[i], subset.maximum[i]));
  return subset;
}

}  // namespace

bool SubsetDefinition::contains(const Vector3d& point) const {
  switch (kind) {
    case Kind::all:
      return true;
    case Kind::box:
      for (int i = 0; i < 3; ++i)
        if (!(point[i] >= minimum[i] && point[i] <= maximum[i])) return false;
      return true;
    case Kind::sphere:
      return squared_length(point - center) <= radius * radius;
  }
  return false;
}

SubsetDefinition read_subset(Parameters& parameters) {
  SubsetDefinition subset;
  parameters.branch_on_key({{"box", "points within a box, by their position at the start",
                             [&](Parameters& p) {
                               Parameters box = p.section("box");
                               subset = read_box(box);
                             }},
                            {"sphere", "points within a sphere, by their position at the start",
                             [&](Parameters& p) {
                               Parameters sphere = p.section("sphere");
                               subset.kind = SubsetDefinition::Kind::sphere;
                               subset.center = sphere.vector3("center", {.unit = "m"});
                               subset.radius = sphere.number("radius", {.unit = "m", .minimum = 0, .minimum_excluded = true});
                             }},
                            {"all", "every vertex of the body",
                             [&](Parameters& p) {
                               const std::size_t problems = p.problem_count();
                               const bool all = p.boolean("all", std::nullopt, "true");
                               if (!all && !p.recording() && p.problem_count() == problems)
                                 p.problem(p.location("all"),
                                           "all: false selects nothing; write all: true, a box or a sphere.");
                               subset.kind = SubsetDefinition::Kind::all;
                             }}},
                           "which vertices");
  subset.location = parameters.location();
  return subset;
}

}  // namespace holo
