#pragma once
// A small experiment for the tests: a bar with one moving end, ten steps.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace holo_test {

// Line numbers are those that the tests of messages expect.
inline const std::string small_experiment = R"(# A bar is shaken at one end.
name: small
study: elastic_dynamics
seed: 1
differentiation: {elements: compiled, sensitivity: none}
scene:
  time_step: 0.01
  duration: 0.1
  gravity: [0, 0, -9.81]
  bodies:
    - name: bar
      mesh: {shape: box, size: [0.4, 0.1, 0.1], elements: 100}
      density: 1000
      material: {type: neo_hookean_paper, youngs_modulus: 1.0e5, poissons_ratio: 0.4}
      handles: [{subset: {box: {max: [0.001, 9, 9]}}, motion: {type: sinusoid, amplitude: [0, 0, 0.02], period: 0.2}}]
solver: {type: newton, tolerance: 1.0e-8, max_iterations: 50}
output: {frames_per_second: 100, checkpoint_every: 2}
acceptance:
  - {metric: inverted_elements, at_most: 0}
variants:
  long: {scene.duration: 0.6}
)";

// The small experiment with one text replaced by another; the first must be there.
inline std::string changed(const std::string& from, const std::string& to, std::string text = small_experiment) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the small experiment does not hold: " + from);
  return text.replace(at, from.size(), to);
}

}  // namespace holo_test
