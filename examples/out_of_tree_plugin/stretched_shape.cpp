// psi = k/2 w(s) |E - E_0|^2, E = (F^T F - I)/2: a body whose ends move apart by the stretch 1 + s is drawn to a shape.
#include <holo/plugin/body_energy.h>

struct StretchedShape {
  double stiffness;  // Pa
  Body from, to;
  Target shape;

  static StretchedShape read(const BodyEnergyReader& p) {
    return {p.positive("stiffness", "Pa"), p.subset("from"), p.subset("to"), p.target("shape")};
  }

  template <class S>
  struct Quantities {
    S stretch;
  };
  static constexpr BodyQuantity quantity_names[] = {{"stretch", "1"}};
  template <class S>
  Quantities<S> quantities(const BodyObserver<S>& observe) const {
    const Vector3<S> now = observe.mean_position(to) - observe.mean_position(from);
    const Vector3<S> before = observe.mean_position_at_start(to) - observe.mean_position_at_start(from);
    return {norm(now) / norm(before) - 1.0};
  }

  template <class S>
  S energy_density(const Matrix3<S>& F, const Quantities<S>& body, const Targets<S>& target) const {
    const S distance = squared_norm(green_strain(F) - target[shape]);
    return stiffness / 2 * smooth_step(body.stretch / 0.2) * distance;
  }
};

HOLO_BODY_ENERGY(StretchedShape, "stretched_shape", "a stretched body is drawn to a shape")
