#include "holo/sim/control/contact_stiffening.h"

namespace holo {

bool ContactStiffening::stiffen() {
  if (doublings_ == most_doublings) return false;
  ++doublings_;
  far_frames_ = 0;
  return true;
}

bool ContactStiffening::observe(double smallest_gap, double activation_distance) {
  if (smallest_gap < near * activation_distance) return stiffen();
  far_frames_ = doublings_ > 0 && smallest_gap > far * activation_distance ? far_frames_ + 1 : 0;
  if (far_frames_ < frames_until_softer) return false;
  --doublings_;
  far_frames_ = 0;
  return true;
}

}  // namespace holo
