#pragma once
// Processor times of the parts of an iteration that optimizes a trajectory.

#include "studies/trajectory_optimization/trajectory_plan.h"

namespace holo {

// Means over the iterations of one optimization on one thread [s]; refused trials, which have no factorization, are among them.
struct IterationTimes {
  int steps = 0, dofs = 0;
  int point_rows = 0;  // unknowns and constraints of a point of the spline: rows of a matrix block
  int iterations = 0, linearizations = 0;
  double objective = 0, violation = 0;  // E and the largest constraint at the end
  double total = 0;
  // Residuals, kinematics and losses, and the Jacobians of the residuals, without what collision takes of both.
  double dynamics = 0;
  double collision = 0;      // distances from obstacles, contact forces and their derivatives
  double products = 0;       // sums of products that make H and A, with losses' derivatives; products with H and A
  double factorization = 0;  // and solutions

  double named() const { return dynamics + collision + products + factorization; }
};

// Runs at most `iterations` iterations of the plan's first stage from the start. Jacobians and collision are timed apart, over
// all steps of the last motion, and count as often as the optimization computes them.
IterationTimes measure_iterations(const TrajectoryPlan& plan, int iterations);

}  // namespace holo
