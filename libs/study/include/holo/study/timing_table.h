#pragma once
// The study `timing_table`: how long several ways to the same derivatives take, in one process, taking turns.

#include "holo/study/study.h"

namespace holo {

StudyKind timing_table();

}  // namespace holo
