#include "bodies.h"

#include <algorithm>
#include <cmath>

namespace holo::benchmark {
namespace {

using Point = std::array<double, 3>;

// A segment from a to b with a radius that changes linearly: Lipschitz 1 up to the factor of the slope's cosine, which the
// distance is divided by.
SignedDistance tapered(const Point& a, const Point& b, double start_radius, double end_radius) {
  return [=](const Point& x) {
    double along = 0, squared = 0, distance = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      along += (x[i] - a[i]) * (b[i] - a[i]);
      squared += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double t = std::clamp(along / squared, 0.0, 1.0);
    for (std::size_t i = 0; i < 3; ++i) distance += std::pow(x[i] - a[i] - t * (b[i] - a[i]), 2);
    const double slope = (end_radius - start_radius) / std::sqrt(squared);
    return (std::sqrt(distance) - start_radius - t * (end_radius - start_radius)) / std::hypot(1.0, slope);
  };
}

SignedDistance half_space_above(double height) {
  return [=](const Point& x) { return height - x[2]; };
}

// Its radius waves along x: 0.12 (1 + 0.06 cos 10 pi x).
SignedDistance caterpillar() {
  const SignedDistance wave = [](const Point& x) {
    const double along = std::clamp(x[0], -0.38, 0.38), radius = 0.12 * (1 + 0.06 * std::cos(10 * M_PI * along));
    return (std::hypot(x[0] - along, x[1], x[2] - 0.09) - radius) / std::hypot(1.0, 0.072 * M_PI);
  };
  return intersection(wave, half_space_above(0));
}

// A solid of revolution about z with the profile (radius, height) of a piece of chess, and a ball on top.
SignedDistance queen() {
  constexpr double profile[][2] = {{.24, 0},   {.24, .08}, {.18, .15}, {.10, .40}, {.085, .65},
                                   {.15, .72}, {.10, .77}, {.17, .92}, {.10, .96}, {0, .97}};
  const SignedDistance turned = [=](const Point& x) {
    const double r = std::hypot(x[0], x[1]), z = x[2];
    double nearest = std::hypot(std::max(r - profile[0][0], 0.0), z);  // of the base
    bool inside = false;
    for (std::size_t k = 1; k < std::size(profile); ++k) {
      const auto [r0, z0] = profile[k - 1];
      const auto [r1, z1] = profile[k];
      const double dr = r1 - r0, dz = z1 - z0;
      const double t = std::clamp(((r - r0) * dr + (z - z0) * dz) / (dr * dr + dz * dz), 0.0, 1.0);
      nearest = std::min(nearest, std::hypot(r - r0 - t * dr, z - z0 - t * dz));
      if (z >= z0 && z < z1) inside = r < r0 + (z - z0) / dz * dr;
    }
    return inside ? -nearest : nearest;
  };
  return smooth_union(turned, sphere({0, 0, 0.98}, 0.05), 0.02);
}

SignedDistance lamp() {
  SignedDistance body = cylinder({0, 0, 0}, {0, 0, 0.07}, 0.20);
  body = smooth_union(body, tapered({0, 0, 0.07}, {-0.08, 0, 0.40}, 0.07, 0.07), 0.02);
  body = smooth_union(body, tapered({-0.08, 0, 0.40}, {0.08, 0, 0.72}, 0.07, 0.07), 0.02);
  return smooth_union(body, tapered({0.08, 0, 0.72}, {0.309, 0, 0.62}, 0.07, 0.15), 0.02);
}

constexpr const char* t_muscles = R"(muscles:
  width: 0.08
  list:
    - {name: trunk, type: longitudinal, points: [{at: [0, 0, 0.03]}, {at: [0, 0, 0.75]}], count: 3, offset: 0.06, segments: 7}
    - {name: left, type: longitudinal, points: [{at: [-0.05, 0, 0.69]}, {at: [-0.33, 0, 0.69]}], count: 3, offset: 0.05,
       segments: 3}
    - {name: right, type: longitudinal, points: [{at: [0.05, 0, 0.69]}, {at: [0.33, 0, 0.69]}], count: 3, offset: 0.05,
       segments: 3}
    - {name: screw, type: helix, center: [0, 0, 0], axis: [0, 0, 1], radius: 0.07, start_height: 0.05, end_height: 0.6,
       turns: 1, segments: 6}
    - {name: unscrew, type: helix, center: [0, 0, 0], axis: [0, 0, 1], radius: 0.07, start_height: 0.05, end_height: 0.6,
       turns: -1, segments: 6}
)";

std::string caterpillar_muscles() {
  std::string text = R"(muscles:
  width: 0.07
  list:
    - {name: long, type: longitudinal, points: [{at: [-0.45, 0, 0.09]}, {at: [0.45, 0, 0.09]}], count: 4, offset: 0.08,
       start_angle: 0.7854, segments: 5}
)";
  for (int k = 0; k < 7; ++k)
    text += "    - {name: ring" + std::to_string(k) + ", type: ring, center: [" + std::to_string(-0.42 + 0.14 * k) +
            ", 0, 0.09], axis: [1, 0, 0], radius: 0.085, segments: 6}\n";
  return text;
}

std::string queen_muscles() {
  std::string text = R"(muscles:
  width: 0.08
  list:
    - {name: long, type: longitudinal, points: [{at: [0, 0, 0.04]}, {at: [0, 0, 0.88]}], count: 6, offset: 0.06, segments: 6}
    - {name: screw, type: helix, center: [0, 0, 0], axis: [0, 0, 1], radius: 0.07, start_height: 0.1, end_height: 0.8,
       turns: 1, segments: 6}
    - {name: unscrew, type: helix, center: [0, 0, 0], axis: [0, 0, 1], radius: 0.07, start_height: 0.1, end_height: 0.8,
       turns: -1, segments: 6}
)";
  constexpr double rings[][2] = {{.06, .17}, {.2, .11}, {.35, .08}, {.5, .065}, {.65, .06}, {.85, .09}};
  for (const auto& [height, radius] : rings)
    text += "    - {name: ring" + std::to_string(int(100 * height)) + ", type: ring, center: [0, 0, " + std::to_string(height) +
            "], axis: [0, 0, 1], radius: " + std::to_string(radius) + ", segments: 4}\n";
  return text;
}

std::string lamp_muscles() {
  std::string text = R"(muscles:
  width: 0.07
  list:
    - {name: stem, type: longitudinal, points: [{at: [0, 0, 0.07]}, {at: [-0.08, 0, 0.40]}, {at: [0.08, 0, 0.72]}], count: 4,
       offset: 0.045, segments: 6}
    - {name: foot, type: radial, center: [0, 0, 0.035], axis: [0, 0, 1], inner_radius: 0.04, outer_radius: 0.18, count: 8}
    - {name: sole, type: ring, center: [0, 0, 0.035], axis: [0, 0, 1], radius: 0.16, segments: 8}
    - {name: shade, type: longitudinal, points: [{at: [0.1, 0, 0.711]}, {at: [0.29, 0, 0.628]}], count: 4, offset: 0.05,
       segments: 1}
    - {name: rim, type: ring, center: [0.27, 0, 0.637], axis: [0.8, 0, -0.35], radius: 0.10, segments: 4}
)";
  constexpr const char* stems[] = {"center: [0, 0, 0.07], axis: [-0.08, 0, 0.33]",
                                   "center: [-0.08, 0, 0.40], axis: [0.16, 0, 0.32]"};
  for (int k = 0; k < 4; ++k)
    text += "    - {name: helix" + std::to_string(k) + ", type: helix, " + stems[k / 2] +
            ", radius: 0.045, start_height: 0, end_height: 0.34, turns: " + (k % 2 ? "-1" : "1") + ", segments: 5}\n";
  return text;
}

}  // namespace

std::vector<LocomotionBody> locomotion_bodies() {
  return {{"T",
           1200,
           51,
           {25, 0.2, 0.2, 3.4, 5.5},
           1e5,
           0.40,
           smooth_union(box({0, 0, 0.3}, {0.1, 0.1, 0.3}, 0), box({0, 0, 0.69}, {0.35, 0.1, 0.09}, 0), 0.02),
           {{-0.4, -0.15, -0.05}, {0.4, 0.15, 0.85}},
           t_muscles},
          {"caterpillar",
           2600,
           62,
           {140, 0.8, 0.5, 5.2, 15.4},
           5e4,
           0.45,
           caterpillar(),
           {{-0.6, -0.2, -0.05}, {0.6, 0.2, 0.3}},
           caterpillar_muscles()},
          {"lamp",
           5200,
           68,
           {166, 1.1, 0.9, 8.8, 19.5},
           2e5,
           0.40,
           lamp(),
           {{-0.3, -0.25, -0.05}, {0.6, 0.25, 0.95}},
           lamp_muscles()},
          {"queen",
           8400,
           72,
           {224, 1.4, 1.0, 12.8, 36.6},
           1.5e5,
           0.40,
           queen(),
           {{-0.3, -0.3, -0.05}, {0.3, 0.3, 1.1}},
           queen_muscles()}};
}

std::shared_ptr<const MusclesDefinition> muscles_of(const LocomotionBody& body) {
  ConfigurationFile file = ConfigurationFile::parse(body.muscles, "muscles of " + body.name);
  Configuration root = file.root();
  auto muscles = read_muscles(root);
  file.finish();
  return muscles;
}

}  // namespace holo::benchmark
