#pragma once
// The states that given controls and design parameters lead to, one instant after the other: Newton from the instant before, in
// smaller steps of the controls where it fails or lands on another branch.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/mechanism_rows.h"

namespace holo {

struct KinematicsOptions {
  double tolerance = 1e-12;      // of the largest row, in the layout's units
  int max_iterations = 50;       // of one Newton solve
  int smallest_step = 64;        // a step of the controls is cut into at most so many
  double singular_below = 1e-6;  // singular values of the rows, each scaled to length 1
};

enum class KinematicsStatus {
  done,
  unreachable,  // no state satisfies the rows
  singular,     // the rows do not determine the state there
  other_branch  // only states with a flipped joint, or far away, satisfy them
};

std::string to_string(KinematicsStatus status);

struct Kinematics {
  KinematicsStatus status = KinematicsStatus::done;
  std::string diagnosis;  // empty when done: the instant, the joint or bodies, what to do
  int failed_instant = -1;
  Eigen::MatrixXd states;       // [state_count][instant]; up to the failed one
  std::vector<int> iterations;  // Newton's, of each instant
  std::vector<int> parts;       // into how many steps the controls were cut
};

// From `start`, near the first instant's state. Where the layout keeps more rows than states all of them are satisfied, in the
// sense of least squares on the way. `controls` [control_count][instant], `prescribed` [prescribed_count][instant].
Kinematics forward_kinematics(const MechanismRows& rows, const Eigen::VectorXd& start, const Eigen::MatrixXd& controls,
                              const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                              const KinematicsOptions& options = {});

// What the poses of the bodies make of the controls, unwrapped and sign-continuous in time but where a task of the motion
// begins (motion_tasks.h): [control_count][instant] of `driven`, whose bodies are those of the layout that the states belong
// to. Throws Error(input) for a joint whose type cannot tell its coordinates.
Eigen::MatrixXd measured_controls(const MechanismLayout& driven, const Eigen::MatrixXd& states,
                                  const Eigen::VectorXd& parameters, const std::vector<int>& task_beginnings = {});

}  // namespace holo
