// Measures a robot's optimization in a process of its own, which may run out of time or memory: holo and
// benchmark_robot_design_step start it.
#include "holo/comparison/robot_step_work.h"

int main(int argc, char** argv) { return holo::comparison::run_robot_step_worker(argc, argv); }
