#pragma once
// Masses, centers of mass and radii of gyration of the segments of the human body, as fractions: [Winter2009] Table 4.1.

namespace holo::articulated::recipes::segments {

// Of one segment; of arms and legs on one side. Lengths count between the joints that bound the segment, centers from its
// proximal joint: the hip of a thigh, the neck of the trunk, the waist of the pelvis.
struct BodySegment {
  double mass;      // of the whole body's
  double center;    // of the segment's length
  double gyration;  // radius about the center, across the segment, of its length; 0: the table has none
};

inline constexpr BodySegment head_and_neck{0.081, 1, 0.495};  // from the neck to the ears
inline constexpr BodySegment thorax_and_abdomen{0.355, 0.63, 0};
inline constexpr BodySegment pelvis{0.142, 0.105, 0};
inline constexpr BodySegment upper_arm{0.028, 0.436, 0.322};
inline constexpr BodySegment forearm{0.016, 0.43, 0.303};
inline constexpr BodySegment hand{0.006, 0.506, 0.297};
inline constexpr BodySegment thigh{0.1, 0.433, 0.323};
inline constexpr BodySegment shank{0.0465, 0.433, 0.302};
inline constexpr BodySegment foot{0.0145, 0.5, 0.475};

}  // namespace holo::articulated::recipes::segments
