#include "studies/trajectory_optimization/strides.h"

#include <cmath>
#include <limits>
#include <optional>

#include "holo/sim/articulated/dynamics/character_measures.h"

namespace holo {

using articulated::TouchingPoint;

namespace {

constexpr double carrying_fraction = 0.01;             // of the weight
constexpr int longest_pause = 2, shortest_stance = 2;  // time steps

struct Stance {
  int first_step = 0, last_step = 0, steps = 0;
  double force = 0;                                  // sum of normal forces [N]
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();  // of places, by the forces [N m]

  Eigen::Vector2d place() const { return moment / force; }
};

// Of one part, step after step.
class StanceRecorder {
 public:
  void add(int step, double force, const Eigen::Vector2d& moment, std::vector<double>& lengths) {
    if (present_ && step - present_->last_step > longest_pause + 1) end(lengths);
    if (!present_) present_ = Stance{step, step, 0, 0, Eigen::Vector2d::Zero()};
    present_->last_step = step;
    ++present_->steps;
    present_->force += force;
    present_->moment += moment;
  }
  void end(std::vector<double>& lengths) {
    if (present_ && present_->steps >= shortest_stance) {
      if (last_ && last_->first_step > 1) lengths.push_back((present_->place() - last_->place()).norm());
      last_ = present_;
    }
    present_.reset();
  }

 private:
  std::optional<Stance> present_, last_;
};

}  // namespace

double Strides::mean() const {
  if (lengths.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double length : lengths) sum += length;
  return sum / double(lengths.size());
}

double Strides::spread() const {
  if (lengths.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const double length : lengths) sum += (length - mean()) * (length - mean());
  return std::sqrt(sum / double(lengths.size() - 1)) / mean();
}

Strides measure_strides(const articulated::TrajectoryModel& model, const articulated::TrajectoryStates& states) {
  Strides strides;
  const std::size_t parts = std::size_t(model.character().dof_count());
  std::vector<StanceRecorder> recorders(parts);
  std::vector<TouchingPoint> contacts;
  std::vector<double> forces(parts);
  std::vector<Eigen::Vector2d> moments(parts);
  for (int step = 1; step <= states.steps(); ++step) {
    std::fill(forces.begin(), forces.end(), 0.0);
    std::fill(moments.begin(), moments.end(), Eigen::Vector2d(Eigen::Vector2d::Zero()));
    articulated::find_contacts(model.character(), model.step(), states.step_states(step), contacts);
    for (const TouchingPoint& contact : contacts) {
      const std::size_t part = std::size_t(model.character().contact_points()[std::size_t(contact.point)].dof);
      forces[part] += contact.normal_force;
      moments[part] += contact.normal_force * contact.place.head<2>();
    }
    for (std::size_t part = 0; part < parts; ++part)
      if (forces[part] > carrying_fraction * model.weight())
        recorders[part].add(step, forces[part], moments[part], strides.lengths);
  }
  for (StanceRecorder& recorder : recorders) recorder.end(strides.lengths);
  return strides;
}

}  // namespace holo
