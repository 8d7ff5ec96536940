#pragma once
// Text, order and joint geometry that the writers of robots' files share.

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "holo/sim/articulated/articulated_model.h"

namespace holo {

// A name as an XML attribute, quotes included.
std::string xml_quoted(const std::string& text);
// Numbers that read back as the same ones, with spaces between them.
std::string number_list(const std::vector<double>& values);
std::string number_list(const Eigen::Vector3d& vector);
std::string quaternion_list(const Eigen::Matrix3d& rotation);  // w x y z

// Numbers of the bodies in the order of nested elements: each before its children, which have the model's order.
std::vector<int> nested_order(const ArticulatedModel& model);
// The body's mass properties; of a body without mass 1 kg and 0.01 kg m^2, since MuJoCo refuses moving bodies without any.
MassProperties written_mass(const MassProperties& mass);
// The pose of the joint's body in its parent at the coordinates 0.
Eigen::Isometry3d body_pose(const ArticulatedJoint& joint);
// The joint's point and axis number `axis` (0: x) in its body.
Eigen::Vector3d joint_point(const ArticulatedJoint& joint);
Eigen::Vector3d joint_axis(const ArticulatedJoint& joint, int axis = 0);
std::string body_name(const ArticulatedModel& model, int body);  // "world" for the world

}  // namespace holo
