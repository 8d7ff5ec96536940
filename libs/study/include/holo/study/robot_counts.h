#pragma once
// The study `robot_counts`: what robots are made of, as [Maloisel2023] Table 5 counts it, and the sizes of their optimization.

#include "holo/study/study.h"

namespace holo {

StudyKind robot_counts();

}  // namespace holo
