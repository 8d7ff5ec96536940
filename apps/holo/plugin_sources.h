#pragma once
// What `holo plugin new` writes. {0}: the type's name, {1}: the plugin's.

namespace holo {

inline constexpr const char* material_source =
    R"(// What it models, and whose it is: psi(F) = mu/2 (|F|^2 - 3) - mu log J + lambda/2 (log J)^2   [J/m^3],  J = det F
#include <holo/plugin/material.h>

struct {0} {{
  // The energy exists for det F > 0 only. Leave this line out when it exists for every F.
  static constexpr auto domain = holo::Domain::positive_determinant;

  template <class S>
  struct Coefficients {{
    S mu, lambda;  // Pa
  }};

  // What an experiment states, and what the energy needs of it.
  template <class P>
  static Coefficients<P> read(const holo::ParameterReader<P>& p) {{
    P E = p.positive("youngs_modulus", "Pa"), nu = p.in_range("poissons_ratio", "1", 0, 0.5);
    return {{E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))}};
  }}

  // Fill in yours: zero, and stationary, at F = I. Its derivatives follow from it.
  template <class S>
  static constexpr S energy_density(const holo::Matrix3<S>& F, const Coefficients<S>& c) {{
    S log_J = log(determinant(F));
    return c.mu / 2 * (squared_norm(F) - 3) - c.mu * log_J + c.lambda / 2 * log_J * log_J;
  }}
}};

HOLO_MATERIAL({0}, "{1}", "what it models, in one line")
)";

inline constexpr const char* joint_source =
    R"(// How it moves: turns about its first axis, and moves along it by `lead` in a full turn.
#include <holo/plugin/joint.h>

struct {0} {{
  // Numbers that an experiment states; leave out Constants, read and the argument c when there are none.
  template <class S>
  struct Constants {{
    S lead;  // m
  }};
  template <class P>
  static Constants<P> read(const ParameterReader<P>& p) {{
    return {{p.number("lead", "m", {{.documentation = "advance in a full turn"}})}};
  }}

  // What drives it: angle(name), length(name) or quaternion(name) for each.
  static constexpr Coordinate coordinates[] = {{angle("angle")}};

  // Fill in yours: B's frame as seen from A's; no motion where all coordinates are 0. Everything else follows from it.
  template <class S>
  static constexpr Transform<S> motion(const S* q, const Constants<S>& c) {{
    return translation_along_x(c.lead * q[0] / (2 * pi)) * rotation_about_x(q[0]);
  }}

  // The coordinates of a motion; leave it out to have them found by iteration.
  template <class S>
  static constexpr Vector<S, 1> coordinates_of(const Transform<S>& motion) {{
    return {{2.0 * atan2(motion.rotation.x, motion.rotation.w)}};
  }}
}};

HOLO_JOINT({0}, "{1}", "how it moves, in one line")
)";

inline constexpr const char* loss_source =
    R"(// What it asks for: w/2 |x - target|^2 of a body's point x.
#include <holo/plugin/loss.h>

struct {0} {{
  Body body;
  Vector3<double> point;  // in the body's coordinates [m]
  Signal<3> target;       // m
  Signal<1> weight;       // 1/m^2

  // What an experiment states. A signal may vary in time; `body` takes one name, a list of names, or `all`.
  static {0} read(const LossReader& p) {{
    return {{p.body("body"), p.vector3("point", "m", {{.default_value = Vector3<double>{{}}}}), p.signal<3>("target", "m"),
            p.weight("weight", "1/m^2", {{.default_value = 1.0}})}};
  }}

  // Fill in yours: each residual r with its weight w counts w r^2 / 2. Their derivatives follow from it.
  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {{
    const Vector3<S> gap = observe.point(body, point) - observe.at(target);
    for (int i = 0; i < 3; ++i) residuals.add(gap[i], observe.at(weight)[0]);
    residuals.measure("{1}_error", "m", norm(gap));  // for the reports
  }}
}};

HOLO_LOSS({0}, "{1}", "what it asks for, in one line")
)";

inline constexpr const char* body_energy_source =
    R"(// What it models: psi = k/2 w(s) |E - E_0|^2  [J/m^3], with the Green strain E = (F^T F - I)/2 and the stretch 1 + s of a line in
// the body.
#include <holo/plugin/body_energy.h>

struct {0} {{
  double stiffness;  // Pa
  Body from, to;     // subsets of the body's vertices
  Target shape;

  // What an experiment states, and what the energy needs of it.
  static {0} read(const BodyEnergyReader& p) {{
    return {{p.positive("stiffness", "Pa"), p.subset("from"), p.subset("to"), p.target("shape")}};
  }}

  // Fill in yours: 1 to 8 quantities that all elements share, each with its name and unit.
  template <class S>
  struct Quantities {{
    S stretch;
  }};
  static constexpr BodyQuantity quantity_names[] = {{{{"stretch", "1"}}}};
  template <class S>
  Quantities<S> quantities(const BodyObserver<S>& observe) const {{
    const Vector3<S> now = observe.mean_position(to) - observe.mean_position(from);
    const Vector3<S> before = observe.mean_position_at_start(to) - observe.mean_position_at_start(from);
    return {{norm(now) / norm(before) - 1.0}};
  }}

  // Fill in yours: the energy of an element per rest volume. Its derivatives follow from it.
  template <class S>
  S energy_density(const Matrix3<S>& F, const Quantities<S>& body, const Targets<S>& target) const {{
    return stiffness / 2 * smooth_step(body.stretch) * squared_norm(green_strain(F) - target[shape]);
  }}
}};

HOLO_BODY_ENERGY({0}, "{1}", "what it models, in one line")
)";

inline constexpr const char* plugin_build = R"(cmake_minimum_required(VERSION 3.24)
project({0} LANGUAGES CXX)
find_package(Holomorph REQUIRED)
enable_testing()
holo_add_plugin({0} {0}.cpp)
)";

}  // namespace holo
