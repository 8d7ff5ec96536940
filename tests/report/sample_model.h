#pragma once
// A sample model with sliders: a bar of `length` and `height` that swings up and down, with the frequency 2 height/length^2.

#include <cmath>
#include <numbers>

#include "holo/study/parameter_model.h"
#include "sample_surfaces.h"

namespace holo_test {

inline double bar_frequency(double length, double height) { return 2 * height / (length * length); }

inline holo::ParameterModel bar_model() {
  const Surface bar = box_surface({12, 2, 2});
  holo::ParameterModel model;
  model.title = "Change the bar";
  model.caption = "Interpolated between 25 bars.";
  model.points = 5;
  model.parameters = {{"length", "m", 1, 2, 1.25}, {"bar_height", "m", 0.1, 0.4, 0.25}};
  model.quantities = {{"frequency", "Hz", {}, bar_frequency(1.25, 0.25), 2e-4}};
  model.triangles = bar.triangles;
  std::vector<std::vector<double>> positions, displacements;
  for (std::size_t n = 0; n < model.node_count(); ++n) {
    const std::vector<double> at = model.node(n);
    model.quantities[0].values.push_back(bar_frequency(at[0], at[1]));
    positions.emplace_back();
    displacements.emplace_back();
    for (const std::array<float, 3>& point : bar.points) {
      positions.back().insert(positions.back().end(), {at[0] * point[0], 0.2 * point[1], at[1] * point[2]});
      displacements.back().insert(displacements.back().end(), {0, 0, std::sin(std::numbers::pi * point[0])});
    }
  }
  model.positions = holo::reduced(positions, 8, 1e-10);
  model.displacements = holo::reduced(displacements, 8, 1e-10);
  return model;
}

}  // namespace holo_test
