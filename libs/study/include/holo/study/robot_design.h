#pragma once
// The study `robot_design`: the design and the motion of a mechanism that fit targets best.

#include "holo/study/study.h"

namespace holo {

StudyKind robot_design();

}  // namespace holo
