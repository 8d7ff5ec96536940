// psi = k/2 (w(theta/theta_0) |E - E_+|^2 + w(-theta/theta_0) |E - E_-|^2),  E = (F^T F - I)/2, w(s) = 3 s^2 - 2 s^3 in [0, 1]
//
// The bending angle theta of a slab at the body's end, of which w is a function, chooses the target shape: w and its slope are
// 0 at rest, so that a body at rest has no force. After the examples of [Martin2011]; [Luo2019] Fig 13 shows such a body.
#include <holo/plugin/body_energy.h>

#include <numbers>
#include <stdexcept>

struct ExampleBased {
  double stiffness, full_angle;
  Vector3<double> normal;
  Body inner, outer;
  Target positive, negative;

  static constexpr const char* documentation =
      "Two target shapes draw the body: one where it bends about the normal, the other where it bends the opposite way. The\n"
      "bending angle is that of the line from the mean position of `inner` to that of `outer`, from its direction at the "
      "start.";

  static ExampleBased read(const BodyEnergyReader& p) {
    constexpr double pi = std::numbers::pi;
    const ExampleBased energy{
        p.positive("stiffness", "Pa", {.documentation = "Of the strain's distance from a target"}),
        p.in_range("full_angle", "rad", 0, pi,
                   {.default_value = pi / 12, .documentation = "Bending angle from which a target acts fully"}),
        p.direction("normal", {.documentation = "About which the body bends by a positive angle, in the scene"}),
        p.subset("inner", {.documentation = "Slab on the body's side"}),
        p.subset("outer", {.documentation = "Slab at the end"}),
        p.target("positive", {.documentation = "Where the body bends about the normal"}),
        p.target("negative", {.documentation = "Where it bends the opposite way"})};
    if (energy.inner.number == energy.outer.number)
      throw std::invalid_argument("inner and outer are one subset, between which no angle is measured");
    return energy;
  }

  template <class S>
  struct Quantities {
    S theta;
  };
  static constexpr BodyQuantity quantity_names[] = {{"bending_angle", "rad"}};

  template <class S>
  Quantities<S> quantities(const BodyObserver<S>& observe) const {
    const Vector3<S> a = observe.mean_position_at_start(outer) - observe.mean_position_at_start(inner);
    const Vector3<S> b = observe.mean_position(outer) - observe.mean_position(inner), n = matrix_cast<S>(normal);
    return {atan2(dot(n, cross(a, b)), dot(a, b))};
  }

  template <class S>
  S energy_density(const Matrix3<S>& F, const Quantities<S>& body, const Targets<S>& target) const {
    const Matrix3<S> E = green_strain(F);
    const S s = body.theta / full_angle;
    return stiffness / 2 *
           (smooth_step(s) * squared_norm(E - target[positive]) + smooth_step(-s) * squared_norm(E - target[negative]));
  }
};

HOLO_BODY_ENERGY(ExampleBased, "example_based", "the bending angle chooses which of two target shapes draws the body")
