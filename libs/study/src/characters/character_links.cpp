#include "characters/character_links.h"

#include <fmt/format.h>

#include <map>

#include "holo/core/name_list.h"
#include "holo/sim/articulated/mesh_mass.h"
#include "holo/sim/mesh/shapes.h"
#include "signals/signal_sources.h"

namespace holo {

using articulated::CharacterBuilder, articulated::MeshContact;

namespace {

using Joint = CharacterLink::Joint;

void read_link_limits(Configuration& joint, CharacterLink& link) {
  if (!joint.has("limits")) return;
  const std::vector<double> limits = joint.numbers("limits", 2, 2, {.unit = "rad or m", .documentation = "lower and upper"});
  if (limits.size() != 2) return;
  link.lower = limits[0];
  link.upper = limits[1];
  if (!(link.lower <= link.upper))
    joint.problem(joint.location("limits"),
                  fmt::format("the limits are {} and {}; the lower one must come first", link.lower, link.upper));
}

void read_link_axis(Configuration& joint, Joint kind, CharacterLink& link) {
  link.joint = kind;
  link.axis = vector_of(joint.vector3("axis", {.documentation = "in the world at rest; any length but 0"}));
  if (!joint.recording() && !(link.axis.norm() > 0))
    joint.problem(joint.location("axis"), "the axis is [0, 0, 0]; a direction is needed");
  read_link_limits(joint, link);
}

void read_link_joint(Configuration& entry, CharacterLink& link) {
  Configuration joint = entry.section("joint", "to the parent, required of a link that has one", !entry.recording());
  link.joint_name = joint.text("name", {.default_value = "", .documentation = "the link's, if there is none"});
  if (link.joint_name.empty()) link.joint_name = link.name;
  joint.branch("type",
               {{"hinge", "turns about the axis", [&](Configuration& p) { read_link_axis(p, Joint::hinge, link); }},
                {"slide", "moves along the axis", [&](Configuration& p) { read_link_axis(p, Joint::slide, link); }},
                {"ball", "turns about the point",
                 [&](Configuration& p) {
                   link.joint = Joint::ball;
                   if (p.has("cone"))
                     link.cone = p.number("cone", {.unit = "rad",
                                                   .minimum = 0,
                                                   .maximum = 6,
                                                   .minimum_excluded = true,
                                                   .documentation = "largest angle from rest"});
                 }},
                {"fixed", "none", [&](Configuration&) { link.joint = Joint::fixed; }}},
               {}, "how the link moves");
  link.point = vector_of(joint.vector3(
      "point", {.unit = "m", .default_value = std::array<double, 3>{}, .documentation = "of the joint, in the world at rest"}));
  link.is_actuated = joint.boolean("actuated", true, "whether a control drives it");
}

// The file's errors have its name and place; that of the section stands before it.
void read_link_mesh(Configuration& entry, CharacterLink& link) {
  const std::size_t problems = entry.problem_count();
  Configuration section = entry.section("mesh", "closed surface of the link");
  const SurfaceSource source = read_surface_source(section);
  link.density =
      entry.number("density", {.unit = "kg/m^3", .minimum = 0, .minimum_excluded = true, .documentation = "of the link"});
  link.pose.translation() = vector_of(entry.vector3(
      "position", {.unit = "m", .default_value = std::array<double, 3>{}, .documentation = "of the mesh's origin at rest"}));
  const Quaternion<double> q = read_rotation(entry, "rotation", "of the mesh at rest, axis times angle");
  link.pose.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  if (entry.recording() || entry.problem_count() != problems) return;
  try {
    SurfaceMesh mesh = source();
    mesh_mass(mesh, link.density);
    link.mesh = std::make_shared<const SurfaceMesh>(std::move(mesh));
  } catch (const Error& error) {
    if (error.failure() != Failure::input) throw;
    section.problem(section.location(), error.what());
  }
}

void check_link_names(Configuration& entry, const CharacterLink& link, const std::vector<CharacterLink>& links) {
  std::vector<std::string> names{"world"};
  for (const CharacterLink& other : links) names.push_back(other.name);
  if (contains(names, link.name))
    entry.problem(entry.location("name"), fmt::format("a second link is named '{}'; names must differ", link.name));
  if (link.parent.empty() && !links.empty())
    entry.problem(entry.location("name"),
                  fmt::format("the link '{}' has no parent; only the first one may be free. Give a `parent`", link.name));
  if (!link.parent.empty() && !contains(names, link.parent))
    entry.problem(entry.location("parent"), fmt::format("there is no link '{}' before this one.{} There are: {}", link.parent,
                                                        suggestion(link.parent, names), joined(names)));
}

CharacterLink read_link(Configuration& entry, const std::vector<CharacterLink>& links) {
  CharacterLink link;
  link.name = entry.text("name", {.documentation = "unique name of the link"});
  if (entry.has("parent"))
    link.parent = entry.text("parent", {.documentation = "a link before this one, or `world`; none: free"});
  read_link_mesh(entry, link);
  const std::string contact =
      entry.text("contact", {.choices = {"extreme_vertices", "all_vertices", "none"},
                             .default_value = "extreme_vertices",
                             .documentation = "vertices that touch obstacles: the farthest in 26 directions, all, or none"});
  link.contact = contact == "none"           ? MeshContact::none
                 : contact == "all_vertices" ? MeshContact::all_vertices
                                             : MeshContact::extreme_vertices;
  if (!link.parent.empty() || entry.recording())
    read_link_joint(entry, link);
  else if (entry.has("joint"))
    entry.problem(entry.location("joint"), "the link has a joint and no parent; give the `parent` or `world`");
  if (!entry.recording()) check_link_names(entry, link, links);
  if (link.parent == "world" && link.joint == CharacterLink::Joint::fixed && !entry.recording())
    entry.problem(entry.location("joint"),
                  "the link is fixed to the world, so that it is no part of a motion; make it an obstacle of type `mesh`");
  return link;
}

// The frame of a link: the degree of freedom that moves it, and where that one's origin is at rest, with the world's axes.
struct LinkFrame {
  int dof = -1;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
};

class LinkBuilder {
 public:
  LinkBuilder(const std::string& name, const articulated::CharacterOptions& options) : options_(options), builder_(name) {
    for (const auto& [joint, replacement] : options.joints) builder_.replace_joint(joint, replacement);
  }

  void add(const CharacterLink& link) {
    const LinkFrame parent = link.parent.empty() || link.parent == "world" ? LinkFrame{} : frames_.at(link.parent);
    const LinkFrame at = attach(link, parent);
    frames_[link.name] = at;
    const Eigen::Isometry3d pose = Eigen::Translation3d(-at.origin) * link.pose;
    builder_.add_body(link.name, at.dof, Eigen::Isometry3d::Identity());
    articulated::add_mesh_link(builder_, at.dof, *link.mesh, link.density, pose, link.contact);
    builder_.add_shape({CollisionShape::Kind::mesh, link.name, at.dof, pose, Eigen::Vector3d::Zero(), link.mesh});
  }

  articulated::CharacterModel build() {
    builder_.add_springs(options_.stiffness, options_.damping);
    if (options_.adjust) options_.adjust(builder_);
    return builder_.build(options_.self_collision);
  }

 private:
  LinkFrame attach(const CharacterLink& link, const LinkFrame& parent) {
    const Eigen::Isometry3d placement(Eigen::Translation3d(link.point - parent.origin));
    const int first = builder_.dof_count();
    int dof = parent.dof;
    switch (link.joint) {
      case Joint::base:
        return add_base(link);
      case Joint::hinge:
        dof = builder_.add_hinge(link.joint_name, parent.dof, placement, link.axis);
        break;
      case Joint::slide:
        dof = builder_.add_slide(link.joint_name, parent.dof, placement, link.axis);
        break;
      case Joint::ball:
        dof = builder_.add_ball(link.joint_name, parent.dof, placement, link.cone,
                                link.cone < articulated::unlimited ? options_.limit_weight : 0);
        break;
      case Joint::fixed:
        return parent;
    }
    if (link.lower > -articulated::unlimited || link.upper < articulated::unlimited)
      builder_.limit(dof, link.lower, link.upper, options_.limit_weight);
    for (int j = first; j <= dof && link.is_actuated; ++j) builder_.actuate(j);
    return {dof, link.point};
  }

  LinkFrame add_base(const CharacterLink& link) {
    const Eigen::Vector3d center = link.pose * mesh_mass(*link.mesh, link.density).center;
    const int base = builder_.add_base(options_.base);
    const bool is_planar = options_.base.chart == articulated::BaseChart::planar;
    for (int k = 0; k < 3; ++k)
      if (!(is_planar && k == 1)) builder_.set_rest(std::string("base_") + "xyz"[k], center[k]);
    return {base, is_planar ? Eigen::Vector3d(center.x(), 0, center.z()) : center};
  }

  const articulated::CharacterOptions& options_;
  CharacterBuilder builder_;
  std::map<std::string, LinkFrame> frames_;
};

}  // namespace

std::vector<CharacterLink> read_links(Configuration& character) {
  std::vector<CharacterLink> links;
  character.each(
      "links", [&](Configuration& entry) { links.push_back(read_link(entry, links)); },
      "links that are meshes, parents first, all in one place at rest");
  if (links.empty() && !character.recording())
    character.problem(character.location("links"), "a character needs at least one link");
  return links;
}

articulated::CharacterModel build_linked_character(const std::string& name, const std::vector<CharacterLink>& links,
                                                   const articulated::CharacterOptions& options) {
  LinkBuilder builder(name, options);
  for (const CharacterLink& link : links) builder.add(link);
  return builder.build();
}

}  // namespace holo
