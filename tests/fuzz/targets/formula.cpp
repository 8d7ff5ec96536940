// Formulas of an experiment.
#include "holo/sim/motion/formula.h"

#include <array>

#include "fuzz/target.h"

namespace holo::fuzz {

namespace {

void read_formula(std::string_view bytes) {
  const Formula formula(std::string(bytes), {"t", "T", "phase"}, {"input.yaml", 3, 5});
  for (const double t : {0.0, 0.5, 1e200}) attempt([&] { formula(std::array{t, 2.0, -1.0}); });
}

std::vector<std::string> formulas() {
  return {"0.1*sin(2*pi*t/T)", "-2^2 + (1 - t)*(t + 3)/7e-3", "20*deg*clamp(phase, -1, max(t, mod(T, 3)))",
          "smoother_step(t/T)*atan2(t, T)^pow(2, 0.5) - floor(abs(phase))"};
}

}  // namespace

const Registration formula(Target{.name = "formula", .read = read_formula, .seeds = formulas, .places = {"input.yaml:3:5"}});

}  // namespace holo::fuzz
