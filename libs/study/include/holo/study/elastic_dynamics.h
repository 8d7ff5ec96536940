#pragma once
// The study `elastic_dynamics`: elastic bodies with dragged handles over time, by implicit Euler and Newton's method.

#include "holo/study/study.h"

namespace holo {

StudyKind elastic_dynamics();

}  // namespace holo
