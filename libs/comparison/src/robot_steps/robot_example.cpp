#include "holo/comparison/robot_example.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"
#include "holo/sim/mechanism/kinematics/mechanism_motion.h"
#include "holo/sim/mechanism/model/robot_file.h"

namespace holo::comparison {

namespace {

constexpr double time_step = 1.0 / 60, degree = std::numbers::pi / 180;
constexpr int knots_of_cycle = 120;
constexpr double reach = 1.2;  // targets go so much further than the first motion

double phase(int knot) { return 2 * std::numbers::pi * knot / knots_of_cycle; }

// A robot's initial motion, and the bodies whose targets go beyond it.
struct Task {
  std::vector<std::string> placed, turned;
  double control_weight = 1e-5;          // how strongly the controls are kept
  double largest_rate = 0;               // of a control [rad/s]; 0: no limit
  bool has_redundant_actuation = false;  // its actuators agree on what inverse kinematics finds, and on little else
};

Task task_of(const std::string& robot) {
  if (robot == "legs") return {.placed = {"pelvis"}, .turned = {"pelvis"}, .has_redundant_actuation = true};
  if (robot == "bear") return {.placed = {"body", "paw"}, .turned = {"body"}, .has_redundant_actuation = true};
  if (robot == "biker") return {.placed = {"torso"}, .turned = {"torso"}, .control_weight = 1e3};
  if (robot != "kickbot" && robot != "kickbot_merged")
    throw Error(Failure::input, fmt::format("there is no motion for the robot '{}'; there is one for kickbot, kickbot_merged, "
                                            "legs, bear and biker",
                                            robot));
  Task kick{.placed = {"pelvis", "head", "foot_right"}, .turned = {"pelvis", "head", "foot_right"}};
  if (robot == "kickbot_merged") kick.largest_rate = 2;
  return kick;
}

class Example {
 public:
  // `robot`: the file's name.
  Example(const std::string& robot, MechanismModel model, int knots, const PluginHost& plugins)
      : plugins_(plugins),
        knots_(knots),
        task_(task_of(robot)),
        model_(std::make_shared<const MechanismModel>(std::move(model))),
        layout_(std::make_shared<const MechanismLayout>(model_)) {
    options_.pose_count = 4;
    if (task_.has_redundant_actuation)
      follow_targets(robot);
    else
      motion_ = make_motion(model_, controls(robot), layout_->rest_parameters(), nothing_prescribed(), options_);
  }

  RobotExample make() {
    SignalStore signals(knots_);
    std::vector<NamedLoss> losses;
    ask_for_more(signals, losses);
    const Eigen::MatrixXd controls = all_controls(*motion_.layout, motion_.states, motion_.controls);
    hold_controls(controls, signals, losses);
    const LossData data{signals.values(), controls, layout_->rest_parameters(), time_step};
    RobotExample result;
    result.start = motion_point(motion_.states, motion_.controls, motion_.parameters, time_step);
    MechanismProblemOptions options;
    options.assembly = {result.start, motion_.nullity()};
    result.problem = std::make_unique<MechanismProblem>(motion_.equations, losses, data, nothing_prescribed(), options);
    return result;
  }

 private:
  Eigen::MatrixXd nothing_prescribed() const { return Eigen::MatrixXd(layout_->prescribed_count(), knots_); }

  // The biker's crank turns while he steers; the joints of the others swing, one after the other.
  Eigen::MatrixXd controls(const std::string& robot) const {
    constexpr double swing = 0.12, lag = 0.9, steering = 0.35;
    Eigen::MatrixXd result(layout_->control_count(), knots_);
    for (int k = 0; k < knots_; ++k)
      for (int i = 0; i < layout_->control_count(); ++i)
        result(i, k) = robot != "biker" ? swing * std::sin(phase(k) + lag * i)
                       : i == 0         ? phase(k)
                                        : steering * std::sin(phase(k));
    return result;
  }

  void add(const std::string& type, const std::string& yaml, SignalStore& signals, std::vector<NamedLoss>& losses) const {
    ConfigurationFile file = ConfigurationFile::parse(yaml, type);
    Configuration root = file.root();
    std::vector<LossInstance> made =
        create_losses(plugins_.get<LossPlugin>(type), root, MechanismObservables(layout_), signals);
    file.finish();
    for (LossInstance& instance : made) losses.push_back({type, std::make_shared<const LossInstance>(std::move(instance))});
  }

  void track(const std::string& type, const std::string& body, const Eigen::MatrixXd& path, const char* weight,
             SignalStore& signals, std::vector<NamedLoss>& losses) const {
    const std::string signal = type + "_" + body;
    signals.add_signal(signal, path);
    add(type, fmt::format("{{body: {}, target: {}, weight: {}}}", body, signal, weight), signals, losses);
  }
  void track_position(const std::string& body, const Eigen::MatrixXd& path, SignalStore& signals,
                      std::vector<NamedLoss>& losses) const {
    track("track_position", body, path, "1.0", signals, losses);
  }
  void track_orientation(const std::string& body, const Eigen::MatrixXd& path, SignalStore& signals,
                         std::vector<NamedLoss>& losses) const {
    track("track_orientation", body, path, "0.05", signals, losses);
  }

  // A pelvis dances, or a bear sways and moves its paw: [Maloisel2023] figures 7 and 8 in small.
  void follow_targets(const std::string& robot) {
    const bool is_bear = robot == "bear";
    const std::string body = task_.turned.front();
    Eigen::Matrix3Xd place(3, knots_), paw(3, knots_);
    Eigen::Matrix4Xd turn(4, knots_);
    for (int k = 0; k < knots_; ++k) {
      const double s = std::sin(phase(k)), c = std::cos(2 * phase(k)), s2 = std::sin(2 * phase(k));
      place.col(k) = is_bear ? Eigen::Vector3d(.01 * s, .02 * s, .39) : Eigen::Vector3d(0, .02 * s, .97 - .01 * c);
      paw.col(k) = Eigen::Vector3d(.30 + .02 * s, -.18 - .02 * c, .10 + .03 * s);
      const Eigen::Quaterniond q = Eigen::AngleAxisd((is_bear ? 6 : 12) * degree * s, Eigen::Vector3d::UnitZ()) *
                                   Eigen::AngleAxisd(4 * degree * s2, Eigen::Vector3d::UnitX());
      turn.col(k) << q.w(), q.x(), q.y(), q.z();
    }
    SignalStore signals(knots_);
    std::vector<NamedLoss> losses;
    track_position(body, place, signals, losses);
    track_orientation(body, turn, signals, losses);
    if (is_bear) track_position("paw", paw, signals, losses);
    const LossData data{signals.values(), layout_->rest_controls().replicate(1, knots_), layout_->rest_parameters(), time_step};
    const InverseKinematics nearest =
        inverse_kinematics(model_, losses, data, layout_->rest_parameters(), nothing_prescribed());
    motion_ = make_motion_of_states(model_, nearest.states, layout_->rest_parameters(), nothing_prescribed(), options_);
  }

  // The first motion, further from its mean or from rest.
  void ask_for_more(SignalStore& signals, std::vector<NamedLoss>& losses) const {
    for (const std::string& body : task_.placed) {
      Eigen::Matrix3Xd path(3, knots_);
      for (int k = 0; k < knots_; ++k)
        path.col(k) = point_of(*model_, motion_.states.col(k), model_->body(body), Eigen::Vector3d::Zero());
      const Eigen::Vector3d mean = path.rowwise().mean();
      track_position(body, (reach * (path.colwise() - mean)).colwise() + mean, signals, losses);
    }
    for (const std::string& body : task_.turned) {
      Eigen::Matrix4Xd path = motion_.states.middleRows(HOLO_POSE_SIZE * model_->body(body) + 3, 4);
      for (int k = 0; k < knots_; ++k) {
        Eigen::AngleAxisd turn(Eigen::Quaterniond(path(0, k), path(1, k), path(2, k), path(3, k)).normalized());
        turn.angle() *= reach;
        const Eigen::Quaterniond q(turn);
        path.col(k) << q.w(), q.x(), q.y(), q.z();
      }
      track_orientation(body, path, signals, losses);
    }
  }

  void hold_controls(const Eigen::MatrixXd& controls, SignalStore& signals, std::vector<NamedLoss>& losses) const {
    constexpr double slack = 0.3;
    add("keep_control", fmt::format("{{control: all, weight: {:g}}}", task_.control_weight), signals, losses);
    if (layout_->parameter_count() > 0)
      add("keep_design_parameter", "{design_parameter: all, weight: 1.0e-4}", signals, losses);
    for (int i = 0; i < layout_->control_count(); ++i) {
      const std::string& name = layout_->control_names()[std::size_t(i)];
      add("control_limit",
          fmt::format("{{control: {}, minimum: {:.17g}, maximum: {:.17g}}}", name, controls.row(i).minCoeff() - slack,
                      controls.row(i).maxCoeff() + slack),
          signals, losses);
      if (task_.has_redundant_actuation) continue;  // what follows from other controls has no rate
      add("smooth_control", fmt::format("{{control: {}, weight: 1.0e-7}}", name), signals, losses);
      if (task_.largest_rate > 0)
        add("control_rate_limit", fmt::format("{{control: {0}, minimum: -{1:g}, maximum: {1:g}}}", name, task_.largest_rate),
            signals, losses);
    }
  }

  const PluginHost& plugins_;
  int knots_;
  Task task_;
  std::shared_ptr<const MechanismModel> model_;
  std::shared_ptr<const MechanismLayout> layout_;
  MechanismMotionOptions options_;
  MechanismMotion motion_;
};

}  // namespace

RobotExample make_robot_example(const std::filesystem::path& robot, int knots, const PluginHost& plugins) {
  if (knots < 2) throw Error(Failure::input, fmt::format("a robot's motion of {} knots; it must have 2 or more", knots));
  return Example(robot.stem().string(), read_robot(robot, plugins), knots, plugins).make();
}

StagedCounts count_unknowns(const MechanismLayout& layout, int knots) {
  const long n = knots, ns = layout.state_count(), nu = layout.control_count(), np = layout.parameter_count();
  return {n * (ns + nu + np) + (n - 1) * nu, n * ns + (n - 1) * (np + nu) + long(layout.parameter_quaternions().size()) +
                                                 n * long(layout.control_quaternions().size())};
}

}  // namespace holo::comparison
