#pragma once
// The study `gathered_metrics`: runs other experiments one after another and puts their metrics into one table.

#include "holo/study/study.h"

namespace holo {

StudyKind gathered_metrics();

}  // namespace holo
