#pragma once
// The study `singular_points`: what each arithmetic returns where the rules of differentiation divide 0 by 0.

#include "holo/study/study.h"

namespace holo {

StudyKind singular_points();

}  // namespace holo
