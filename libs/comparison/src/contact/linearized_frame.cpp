#include "holo/comparison/linearized_frame.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "contact/contact_choice.h"
#include "holo/core/error.h"
#include "holo/core/numerics/sparse_solver.h"
#include "holo/sim/contact/plane.h"
#include "holo/sim/dynamics/implicit_euler.h"

namespace holo::comparison {

namespace {

ElasticScene without_contact(ElasticScene scene) {
  scene.contact = {};
  return scene;
}

// The step's potential without contact, linear about the start of the frame.
class FreeStep {
 public:
  explicit FreeStep(const FrameToLinearize& frame)
      : integrator_(without_contact(frame.scene)), potential_(integrator_.potential()), start_(frame.state.positions) {
    Eigen::VectorXd ignored;
    integrator_.begin(frame.state, ignored);
    Eigen::VectorXd parameters = potential_.parameters();
    const ParameterRange range = potential_.activations();
    parameters.segment(range.first, range.count) = frame.activations;
    potential_.set_parameters(parameters);
    potential_.apply_targets(start_);
  }

  bool factorize() {
    SparseMatrix hessian;
    potential_.derivatives(start_, Curvature::projected, gradient_, hessian);
    solver_ = make_sparse_solver({.matrix = MatrixKind::positive_definite});
    solver_->analyze(hessian);
    return solver_->factorize(hessian);
  }

  Eigen::MatrixXd solve(const Eigen::MatrixXd& forces) const {
    Eigen::MatrixXd moves(forces.rows(), forces.cols());
    solver_->solve(forces, moves);
    return moves;
  }
  const Eigen::VectorXd& start() const { return start_; }
  Eigen::VectorXd forces() const { return -gradient_; }
  Eigen::MatrixXd activation_forces() { return -potential_.activation_gradient(start_); }  // [3 * vertex][activation] [N/Pa]
  std::vector<bool> prescribed() const {
    std::vector<bool> result(static_cast<std::size_t>(start_.size() / 3));
    for (std::size_t v = 0; v < result.size(); ++v) result[v] = potential_.prescribed(static_cast<int>(v));
    return result;
  }

 private:
  ImplicitEuler integrator_;
  IncrementalPotential& potential_;
  Eigen::VectorXd start_, gradient_;
  std::unique_ptr<SparseSolver> solver_;
};

// Columns of the directions of contacts: normals and tangents [3 * vertex][3 * contact].
Eigen::MatrixXd contact_directions(const std::vector<ChosenContact>& contacts, Eigen::Index rows) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(3 * contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(3 * i);
    const Eigen::Vector3d& normal = contacts[i].normal;
    const Eigen::Vector3d tangent = normal.unitOrthogonal();
    columns.block<3, 1>(3 * contacts[i].vertex, column) = normal;
    columns.block<3, 1>(3 * contacts[i].vertex, column + 1) = tangent;
    columns.block<3, 1>(3 * contacts[i].vertex, column + 2) = normal.cross(tangent);
  }
  return columns;
}

// The loss with its Gauss-Newton Hessian at the start, as a function of (u, f).
void add_objective(const FrameToLinearize& frame, LinearizedFrame& result) {
  ContactProblem& problem = result.problem;
  const Eigen::Index count = result.motion.cols() - 1, activations = problem.activations();
  // Around u of the frame before and f = 0, where x has moved from the start by column 0.
  StepColumns directions{result.motion, Eigen::MatrixXd::Zero(activations, count + 1)};
  directions.positions.col(0) += result.motion.middleCols(1, activations) * result.start_activations;
  directions.activations.middleCols(1, activations) = frame.unit * Eigen::MatrixXd::Identity(activations, activations);
  StepColumns products{Eigen::MatrixXd::Zero(result.start.size(), count + 1), Eigen::MatrixXd::Zero(activations, count + 1)};
  Eigen::VectorXd of_positions = Eigen::VectorXd::Zero(result.start.size()),
                  of_activations = Eigen::VectorXd::Zero(activations);
  StepLoss& loss = frame.loss;
  loss.set_activations(frame.activations);
  loss.add_gradient(result.start, of_positions);
  loss.add_activation_gradient(result.start, of_activations);
  loss.add_joint_hessian_products(result.start, directions, true, products);
  const Eigen::MatrixXd hessian =
      directions.positions.transpose() * products.positions + directions.activations.transpose() * products.activations;
  const Eigen::VectorXd slopes =
      directions.positions.transpose() * of_positions + directions.activations.transpose() * of_activations;
  Eigen::VectorXd center = Eigen::VectorXd::Zero(count);
  center.head(activations) = result.start_activations;
  problem.hessian = 0.5 * (hessian + hessian.transpose()).bottomRightCorner(count, count);
  const Eigen::VectorXd at_center = slopes.tail(count) + hessian.col(0).tail(count);
  problem.gradient = at_center - problem.hessian * center;
  problem.constant = loss.value(result.start) + slopes[0] + 0.5 * hessian(0, 0) - at_center.dot(center) +
                     0.5 * center.dot(problem.hessian * center);
}

}  // namespace

Eigen::VectorXd LinearizedFrame::end(const Eigen::VectorXd& u, const Eigen::VectorXd& f) const {
  return start + motion.col(0) + motion.middleCols(1, u.size()) * u + motion.rightCols(f.size()) * f;
}

std::optional<LinearizedFrame> linearize_frame(const FrameToLinearize& frame, int contacts) {
  if (const std::string text = objection_to_linear_contact(frame.scene); !text.empty()) throw Error(Failure::internal, text);
  FreeStep step(frame);
  if (!step.factorize()) return std::nullopt;
  LinearizedFrame result;
  result.start = step.start();
  result.start_activations = frame.activations / frame.unit;
  const Eigen::VectorXd free = step.solve(step.forces());
  const std::vector<ChosenContact> chosen = choose_contacts(frame.scene, result.start, free, step.prescribed(), contacts);
  const Eigen::MatrixXd directions = contact_directions(chosen, free.size());
  const Eigen::Index activations = frame.activations.size(), rows = directions.cols();
  result.motion.resize(free.size(), 1 + activations + rows);
  result.motion.middleCols(1, activations) = step.solve(frame.unit * step.activation_forces());
  result.motion.rightCols(rows) = step.solve(directions);
  result.motion.col(0) = free - result.motion.middleCols(1, activations) * result.start_activations;
  ContactProblem& problem = result.problem;
  const Eigen::MatrixXd of_contacts = directions.transpose() * result.motion;
  problem.free = of_contacts.col(0);
  problem.by_activations = of_contacts.middleCols(1, activations);
  problem.by_forces = 0.5 * (of_contacts.rightCols(rows) + of_contacts.rightCols(rows).transpose());
  problem.friction.resize(rows / 3);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto contact = static_cast<Eigen::Index>(i);
    problem.free[3 * contact] += chosen[i].gap;
    problem.friction[contact] = chosen[i].friction;
    result.vertices.push_back(chosen[i].vertex);
  }
  problem.bounds = frame.bounds;
  add_objective(frame, result);
  return result;
}

std::string objection_to_linear_contact(const ElasticScene& scene) {
  const SceneContact& contact = scene.contact;
  if (contact.planes.empty()) return "there is no plane";
  if (contact.obstacles_move()) return "an obstacle moves";
  if (contact.surface->embedding) return "a body is affine";
  const bool has_friction = std::all_of(contact.planes.begin(), contact.planes.end(),
                                        [](const PlaneDefinition& plane) { return plane.friction > 0; });
  return has_friction ? "" : "a plane has no friction";
}

double deepest_penetration(const ElasticScene& scene, const Eigen::VectorXd& x) {
  double deepest = 0;
  for (const PlaneDefinition& definition : scene.contact.planes)
    for (const int vertex : scene.contact.surface->vertices)
      deepest = std::max(deepest, -Plane(definition).gap(x.segment<3>(3 * vertex)));
  return deepest;
}

}  // namespace holo::comparison
