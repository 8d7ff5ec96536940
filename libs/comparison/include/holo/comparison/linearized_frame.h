#pragma once
// A frame of a controlled motion, linear about its start, with a few contacts that complementarity decides: the model that
// [Tan2012] controls. Our frames keep the nonlinear step and all contacts (holo/sim/control/inverse_step.h).
//
//   const auto frame = linearize_frame({scene, loss, state, activations, unit, bounds}, 40);
//   const GaussSeidelResult start = solve_contact_forces(frame->problem, frame->start_activations);

#include <optional>
#include <string>
#include <vector>

#include "holo/comparison/contact_problem.h"
#include "holo/sim/control/step_loss.h"
#include "holo/sim/dynamics/elastic_scene.h"

namespace holo::comparison {

struct FrameToLinearize {
  const ElasticScene& scene;           // with planes that stand still
  StepLoss& loss;                      // of the frame
  const ElasticState& state;           // at its start
  const Eigen::VectorXd& activations;  // of the frame before, at which stiffness is taken [activation] [Pa]
  double unit;                         // of u [Pa]
  DenseBounds bounds;                  // of u
};

// The end of the frame is at
//
//   x = start + motion (1, u, f) = x_n + H^-1 (-dE/dx + A (a - a_n) + J^T f)
//
// with the potential E of the step without contact, its projected Hessian H and -A = d2E/(dx da), all at x_n with the handles
// at their targets: one Newton step of implicit Euler. The objective is the loss with its Gauss-Newton Hessian there,
// which losses that are plain values do not have: of these only the slope counts.
struct LinearizedFrame {
  ContactProblem problem;
  std::vector<int> vertices;          // [contact]
  Eigen::VectorXd start_activations;  // u of the frame before
  Eigen::VectorXd start;              // [3 * vertex] [m]
  Eigen::MatrixXd motion;             // [3 * vertex][1 + activation + 3 * contact]

  Eigen::VectorXd end(const Eigen::VectorXd& u, const Eigen::VectorXd& f) const;  // x [3 * vertex] [m]
};

// The frame with `contacts` vertices of surfaces, or with all of them where they are fewer, each against the plane that is
// nearest. Vertices within the activation distance touch: they may not come nearer. Chosen are first those that touch, or would
// without forces, far from each other: the nearest to its plane, then one after the other the farthest from all before. Then
// the others follow, by their gaps at the frame's end without forces. So the contacts of a smaller number are among those of a
// larger one. Contacts of surfaces with each other are left out.
//
// None where the Hessian has no factor. Throws Error(internal) for a scene with an objection.
std::optional<LinearizedFrame> linearize_frame(const FrameToLinearize& frame, int contacts);

// Why contact of a scene has no such model; empty where it has: planes that stand still and have friction, no affine bodies.
std::string objection_to_linear_contact(const ElasticScene& scene);

// How far the lowest vertex of the surfaces is below a plane at positions x [3 * vertex] [m]; 0: none is.
double deepest_penetration(const ElasticScene& scene, const Eigen::VectorXd& x);

}  // namespace holo::comparison
