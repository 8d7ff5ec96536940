#pragma once
// The stiffness of contact over the frames of a controlled motion: it is constant within a frame, grows where surfaces come too
// near to each other or a frame cannot be solved, and goes back where they stay apart.
//
//   ContactStiffening stiffening;
//   if (stiffening.observe(smallest_gap, activation_distance)) rebuild(stiffening.factor());   // after each frame

namespace holo {

class ContactStiffening {
 public:
  static constexpr int most_doublings = 6;         // 64 times the scene's stiffness
  static constexpr double least_gap = 1e-6;        // of the activation distance: a frame that ends below is not kept
  static constexpr double near = 0.02, far = 0.5;  // of the activation distance: stiffness doubles below, halves above
  static constexpr int frames_until_softer = 20;   // in a row above `far`

  // Over the scene's stiffness.
  double factor() const { return static_cast<double>(1 << doublings_); }
  // Doubles the stiffness; false where that was done as often as is allowed.
  bool stiffen();
  // After a frame at whose end the smallest gap between surfaces is this [m]: whether the factor has changed.
  bool observe(double smallest_gap, double activation_distance);

  // Part of a checkpoint.
  template <class Archive>
  void visit(Archive& archive) {
    archive.visit(doublings_, most_doublings);
    archive.visit(far_frames_, frames_until_softer);
  }

 private:
  int doublings_ = 0, far_frames_ = 0;
};

}  // namespace holo
