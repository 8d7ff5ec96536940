#include "holo/sim/articulated/articulated_model.h"

namespace holo {

void FileSource::fail(const std::string& text) const {
  throw_input_error(location, element.empty() ? text : element + ": " + text);
}

int ArticulatedJoint::coordinate_count() const {
  if (has_position()) return 1;
  if (type == "universal") return 2;
  return type == "spherical" ? 3 : 0;
}

int ArticulatedModel::body(const std::string& name) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == name) return int(i);
  return name == "world" ? world : no_body;
}

int ArticulatedModel::joint(const std::string& name) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].joint.name == name) return int(i);
  return no_body;
}

std::vector<std::string> ArticulatedModel::body_names() const {
  std::vector<std::string> names;
  for (const ArticulatedBody& body : bodies) names.push_back(body.name);
  return names;
}

std::vector<std::string> ArticulatedModel::joint_names() const {
  std::vector<std::string> names;
  for (const ArticulatedBody& body : bodies) names.push_back(body.joint.name);
  return names;
}

double ArticulatedModel::total_mass() const {
  double sum = 0;
  for (const ArticulatedBody& body : bodies) sum += body.mass.mass;
  return sum;
}

}  // namespace holo
