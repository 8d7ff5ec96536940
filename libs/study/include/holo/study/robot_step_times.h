#pragma once
// The study `robot_step_times`: how long an iteration of a robot's optimization takes, beside general sparse solvers in
// processes with limits. [Maloisel2023] Table 7.

#include "holo/study/study.h"

namespace holo {

StudyKind robot_step_times();

}  // namespace holo
