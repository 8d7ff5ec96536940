#include "frame.h"

#include <algorithm>
#include <cmath>

#include "holo/core/numerics/median.h"
#include "holo/core/numerics/parallel.h"
#include "holo/core/numerics/stopwatch.h"
#include "holo/sim/dynamics/implicit_euler.h"

namespace holo::benchmark {
namespace {

constexpr double time_step = 1.0 / 40, activation_distance = 1e-3, push = 3.0;  // [s], [m], [m/s^2] of the center of mass
constexpr int settling_steps = 40, push_steps = 3;

// |c(v) - target|^2/(0.1 m/s)^2 of the velocity of the center of mass over the step.
class VelocityLoss final : public StepLoss {
 public:
  VelocityLoss(const ElasticModel& model, double unit) : shares_(Eigen::VectorXd::Zero(model.vertex_count())), unit_(unit) {
    for (int v = 0; v < model.vertex_count(); ++v) shares_[v] = model.masses()[static_cast<std::size_t>(v)];
    shares_ /= shares_.sum() * time_step * 0.1;
  }
  void begin(const ElasticState& state, const Eigen::Vector3d& velocity, const Eigen::VectorXd& activations) {
    start_ = state.positions;
    target_ = velocity / 0.1;
    activations_ = before_ = activations;
  }
  void set_activations(const Eigen::VectorXd& activations) override { activations_ = activations; }
  double value(const Eigen::VectorXd& x) override {
    const double of_activations =
        magnitude / 2 * activations_.squaredNorm() + change / 2 * (activations_ - before_).squaredNorm();
    return (speed(x - start_) - target_).squaredNorm() + of_activations / (unit_ * unit_);
  }
  void add_activation_gradient(const Eigen::VectorXd&, Eigen::VectorXd& gradient) override {
    gradient += (magnitude * activations_ + change * (activations_ - before_)) / (unit_ * unit_);
  }
  void add_joint_hessian_products(const Eigen::VectorXd& x, const StepColumns& directions, bool gauss_newton,
                                  StepColumns& result) override {
    add_hessian_products(x, directions.positions, gauss_newton, result.positions);
    result.activations += (magnitude + change) / (unit_ * unit_) * directions.activations;
  }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    add(2 * (speed(x - start_) - target_), gradient);
  }
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd& directions, bool, Eigen::MatrixXd& result) override {
    for (Eigen::Index j = 0; j < directions.cols(); ++j) add(2 * speed(directions.col(j)), result.col(j));
  }

 private:
  Eigen::Vector3d speed(const Eigen::Ref<const Eigen::VectorXd>& moved) const {
    return Eigen::Map<const Eigen::Matrix3Xd>(moved.data(), 3, shares_.size()) * shares_;
  }
  void add(const Eigen::Vector3d& force, Eigen::Ref<Eigen::VectorXd> gradient) const {
    Eigen::Map<Eigen::Matrix3Xd>(gradient.data(), 3, shares_.size()) += force * shares_.transpose();
  }

  static constexpr double magnitude = 1e-2, change = 1e-3;  // weights of squares of the activations over the unit

  Eigen::VectorXd shares_, start_, activations_, before_;
  Eigen::Vector3d target_;
  double unit_;  // of the activations [Pa]
};

double shear_modulus(const LocomotionBody& body) { return body.youngs_modulus / (2 * (1 + body.poissons_ratio)); }

ElasticScene build_scene(const LocomotionBody& locomotion, const std::shared_ptr<const MaterialPlugin>& material) {
  ElasticBodyDefinition body;
  body.name = locomotion.name;
  const TetrahedralMesh mesh = isosurface_stuffing(locomotion.distance, locomotion.bounds, locomotion.elements);
  body.mesh = [mesh] { return mesh; };
  body.plugin = material;
  body.material = std::shared_ptr<const holo_material>(material, &material->abi());
  body.coefficients =
      material->coefficients({{"youngs_modulus", locomotion.youngs_modulus}, {"poissons_ratio", locomotion.poissons_ratio}});
  body.mass_damping = 0.1;
  body.stiffness_damping = 0.002;
  body.muscles = muscles_of(locomotion);
  ElasticSceneDefinition scene;
  scene.time_step = time_step;
  scene.bodies = {body};
  scene.contact.activation_distance = activation_distance;
  scene.contact.stick_speed = 0.01;
  const double ground = bounding_box(mesh).minimum[2] - 0.9 * activation_distance;
  scene.contact.planes.push_back({"ground", {0, 0, ground}, {0, 0, 1}, 0.5, {}});
  return ElasticScene(scene);
}

// A frame that pushes off: the state at its start, and the step whose activations are sought.
class Frame {
 public:
  Frame(const LocomotionBody& body, const std::shared_ptr<const MaterialPlugin>& material, const NewtonOptions& newton)
      : scene_(build_scene(body, material)),
        integrator_(scene_, newton),
        state_(initial_state(*scene_.model)),
        unit_(shear_modulus(body)),
        loss_(*scene_.model, unit_),
        problem_(integrator_, loss_, {.unit = unit_, .forward = newton}),
        activations_(Eigen::VectorXd::Zero(problem_.dimension())) {
    for (int step = 0; step < settling_steps; ++step) take(integrator_.step(state_).newton);
    for (int step = 1; step < push_steps; ++step) {
      begin(step);
      minimize_loss();
      Eigen::VectorXd x = problem_.x();
      activations_ = problem_.activations();
      integrator_.advance(state_, x);
    }
  }
  Frame(const Frame&) = delete;  // its parts refer to each other

  FrameResult measure(int repetitions) {
    FrameResult result;
    describe(result);
    measure_simulation(repetitions, result);
    begin(push_steps);
    measure_solve(result);
    measure_derivatives(repetitions, result);
    return result;
  }

 private:
  static void take(const NewtonResult& newton) {
    if (newton.status != NewtonStatus::converged) throw Error(Failure::internal, newton.diagnosis);
  }
  void begin(int step) {
    loss_.begin(state_, {0, 0, push * time_step * step}, activations_);
    if (!problem_.begin(state_, activations_)) throw Error(Failure::internal, problem_.diagnosis());
  }
  DenseResult minimize_loss() {
    DenseWorkspace workspace;
    Eigen::VectorXd u = problem_.activations() / unit_;
    DenseResult result = minimize(
        problem_, {}, u,
        {.method = DenseMethod::newton, .tolerance = 1e-4, .trust_radius = InverseStep::trust_radius, .max_iterations = 15},
        workspace);
    if (!problem_.finish(u)) throw Error(Failure::internal, problem_.diagnosis());
    return result;
  }

  void describe(FrameResult& result) const {
    const ElasticModel& model = *scene_.model;
    result.elements = model.element_count();
    result.vertices = model.vertex_count();
    result.activations = problem_.dimension();
    result.contacts = summarize_contact(scene_.contact, state_.positions, state_.time).touching_vertices;
    for (const MuscleSegment& segment : model.bodies().front().muscles->segments)
      result.fibers_of_an_element += double(segment.weights.size()) / model.element_count();
  }
  void measure_simulation(int repetitions, FrameResult& result) {
    std::vector<double> seconds;
    for (int n = 0; n < repetitions; ++n) {
      ElasticState state = state_;
      ElasticStepResult step;
      seconds.push_back(seconds_of(thread_seconds, [&] { step = integrator_.step(state); }));
      take(step.newton);
      result.simulation_iterations = int(step.newton.iterations.size());
      result.simulation_factorizations = step.newton.factorizations;
    }
    result.times.simulation = median(seconds);
  }
  void measure_solve(FrameResult& result) {
    const InverseStepCounts before = problem_.counts();
    result.times.solve =
        seconds_of(thread_seconds, [&] { result.inverse_iterations = int(minimize_loss().iterations.size()); });
    const InverseStepCounts& after = problem_.counts();
    result.forward_solves = after.forward_solves - before.forward_solves;
    result.newton_iterations = after.newton_iterations - before.newton_iterations;
    result.factorizations = after.factorizations - before.factorizations;
    result.back_substitutions = after.back_substitutions - before.back_substitutions;
  }
  void measure_derivatives(int repetitions, FrameResult& result);

  ElasticScene scene_;
  ImplicitEuler integrator_;
  ElasticState state_;
  double unit_;  // of the unknowns [Pa]
  VelocityLoss loss_;
  InverseStep problem_;
  Eigen::VectorXd activations_;
};

// At activations that change a little from turn to turn, as the trials of an inverse solve.
void Frame::measure_derivatives(int repetitions, FrameResult& result) {
  IncrementalPotential& potential = integrator_.potential();
  const Eigen::VectorXd accepted = problem_.activations() / unit_;
  const std::unique_ptr<SparseSolver> solver = make_sparse_solver();
  std::vector<std::pair<double FrameTimes::*, std::vector<double>>> turns;
  const auto of = [&](double FrameTimes::*what) -> std::vector<double>& {
    for (auto& [other, seconds] : turns)
      if (other == what) return seconds;
    return turns.emplace_back(what, std::vector<double>()).second;
  };
  const auto time = [&](double FrameTimes::*what, const auto& work) { of(what).push_back(seconds_of(thread_seconds, work)); };
  Eigen::VectorXd gradient, of_energy;
  Eigen::MatrixXd hessian;
  SparseMatrix of_potential;
  for (int n = 0; n < repetitions; ++n) {
    Eigen::VectorXd u = accepted;
    for (Eigen::Index k = 0; k < u.size(); ++k) u[k] += 0.02 * std::sin(double(7 * n + 3 * k + 1));
    const InverseStepCounts before = problem_.counts();
    time(&FrameTimes::forward, [&] { problem_.value(u); });
    result.forward_iterations = problem_.counts().newton_iterations - before.newton_iterations;
    result.forward_factorizations = problem_.counts().factorizations - before.factorizations;
    time(&FrameTimes::deep, [&] { problem_.gradient(u, gradient); });
    result.deep_factorizations = problem_.counts().factorizations - before.factorizations - result.forward_factorizations;
    time(&FrameTimes::substitutions, [&] { problem_.sensitivity(); });
    time(&FrameTimes::hessian, [&] { problem_.hessian(u, hessian); });
    of(&FrameTimes::hessian).back() += of(&FrameTimes::substitutions).back();
    // The parts again by themselves.
    potential.derivatives(problem_.x(), Curvature::exact, of_energy, of_potential);
    if (n == 0) solver->analyze(of_potential);
    time(&FrameTimes::factorization, [&] { solver->factorize(of_potential); });
    time(&FrameTimes::activation_gradient, [&] { potential.activation_gradient(problem_.x()); });
    const Eigen::MatrixXd& S = problem_.sensitivity();
    Eigen::MatrixXd parameters = Eigen::MatrixXd::Zero(potential.parameter_count(), S.cols());
    parameters.middleRows(potential.activations().first, S.cols()).diagonal().setConstant(unit_);
    time(&FrameTimes::contractions, [&] { potential.adjoint_hessian(problem_.x(), S.col(0), {S, parameters}); });
  }
  result.factor_nonzeros = solver->factor_nonzeros();
  for (const auto& [what, seconds] : turns) result.times.*what = median(seconds);
}

}  // namespace

FrameResult measure_frame(const LocomotionBody& body, const std::shared_ptr<const MaterialPlugin>& material, int repetitions,
                          NewtonLinearSolver linear_solver) {
  const ThreadLimit one(1);
  FrameResult result = Frame(body, material, {.linear_solver = linear_solver}).measure(repetitions);
  result.name = body.name;
  result.paper = body.paper;
  return result;
}

}  // namespace holo::benchmark
