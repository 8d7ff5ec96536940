#pragma once
// A model that MuJoCo has read, and the relation of its coordinates and velocities to those of a character of the same file:
// the oracle of kinematics, mass matrices and bias forces.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <memory>
#include <string>

#include "character_samples.h"

namespace holo::articulated::test {

class MujocoModel {
 public:
  explicit MujocoModel(const std::filesystem::path& file) {
    char error[1000] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, error, sizeof error));
    if (!model_) throw std::runtime_error("MuJoCo does not read " + file.string() + ": " + error);
    data_.reset(mj_makeData(model_.get()));
  }
  const mjModel& model() const { return *model_; }
  const mjData& data() const { return *data_; }

  // The pose of a character of the same file. Hinges and slides are found by their names; a free or ball joint turns its body
  // to the character's orientation.
  void set_pose(const CharacterModel& character, const StateMemory<double>& state) {
    for (int joint = 0; joint < model_->njnt; ++joint) {
      mjtNum* q = data_->qpos + model_->jnt_qposadr[joint];
      const int body = model_->jnt_bodyid[joint];
      const RigidFrame<double> frame = body_frame<double>(character, state, body);
      if (model_->jnt_type[joint] == mjJNT_FREE) {
        std::copy(&frame.origin[0], &frame.origin[0] + 3, q);
        mju_mat2Quat(q + 3, &frame.rotation[0]);
      } else if (model_->jnt_type[joint] == mjJNT_BALL) {
        Matrix3<double> rest{};
        mju_quat2Mat(&rest[0], model_->body_quat + 4 * body);
        const RigidFrame<double> parent = body_frame<double>(character, state, model_->body_parentid[body]);
        const Matrix3<double> turn = transpose(parent.rotation * rest) * frame.rotation;
        mju_mat2Quat(q, &turn[0]);
      } else {
        *q = model_->qpos0[model_->jnt_qposadr[joint]] + state.coordinates[std::size_t(character.dof(joint_name(joint)))];
      }
    }
    mj_fwdPosition(model_.get(), data_.get());
  }
  void set_velocity(const Eigen::VectorXd& velocity) {
    std::copy(velocity.begin(), velocity.end(), data_->qvel);
    mj_fwdVelocity(model_.get(), data_.get());
  }

  Eigen::MatrixXd mass_matrix() const {
    RowMatrix M(model_->nv, model_->nv);
    mj_fullM(model_.get(), M.data(), data_->qM);
    // characters have no armature at charts of rotations and at bases, as their notes say
    for (int joint = 0; joint < model_->njnt; ++joint)
      if (model_->jnt_type[joint] == mjJNT_FREE || model_->jnt_type[joint] == mjJNT_BALL)
        for (int k = 0; k < (model_->jnt_type[joint] == mjJNT_FREE ? 6 : 3); ++k) {
          const int v = model_->jnt_dofadr[joint] + k;
          M(v, v) -= model_->dof_armature[v];
        }
    return M;
  }
  Eigen::VectorXd bias() const { return Eigen::Map<const Eigen::VectorXd>(data_->qfrc_bias, model_->nv); }

  // Largest difference of the bodies' frames.
  double frame_difference(const CharacterModel& character, const StateMemory<double>& state) const {
    double largest = 0;
    for (int body = 1; body < model_->nbody; ++body) {
      const RigidFrame<double> frame = body_frame<double>(character, state, body);
      for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(frame.origin[i] - data_->xpos[3 * body + i]));
      for (int i = 0; i < 9; ++i) largest = std::max(largest, std::abs(frame.rotation[i] - data_->xmat[9 * body + i]));
    }
    return largest;
  }

  // G of v = G dq/dt, with v as MuJoCo counts: of a free joint the velocity of the body's origin in the world and its angular
  // velocity along the body's axes, of a ball the angular velocity to the parent along the body's axes.
  template <class S>
  std::vector<std::vector<S>> velocity_map(const CharacterModel& character, const StateMemory<S>& state) const {
    std::vector<std::vector<S>> G(std::size_t(model_->nv), std::vector<S>(std::size_t(character.dof_count()), S(0.0)));
    for (int joint = 0; joint < model_->njnt; ++joint) {
      const std::size_t row = std::size_t(model_->jnt_dofadr[joint]);
      const RigidFrame<S> frame = body_frame<S>(character, state, model_->jnt_bodyid[joint]);
      const int type = model_->jnt_type[joint];
      if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
        G[row][std::size_t(character.dof(joint_name(joint)))] = S(1.0);
        continue;
      }
      const int end = type == mjJNT_FREE ? base_count(character) : character.dof(joint_name(joint) + "_z") + 1;
      for (int j = type == mjJNT_FREE ? 0 : end - 3; j < end; ++j) {
        const Twist<S>& xi = state.twists[std::size_t(j)];
        const Vector3<S> linear = velocity_at(xi, frame.origin), angular = transpose(frame.rotation) * xi.angular;
        for (std::size_t k = 0; k < 3; ++k) {
          if (type == mjJNT_FREE) G[row + k][std::size_t(j)] = linear[int(k)];
          G[row + k + (type == mjJNT_FREE ? 3 : 0)][std::size_t(j)] = angular[int(k)];
        }
      }
    }
    return G;
  }

 private:
  static int base_count(const CharacterModel& character) {
    int count = 0;
    while (count < character.dof_count() && character.dof_name(count).starts_with("base_")) ++count;
    return count;
  }
  // As the reader numbers bodies without a name, in the file's order, which is MuJoCo's, and names their joints.
  std::string body_name(int number) const {
    const char* given = mj_id2name(model_.get(), mjOBJ_BODY, number);
    return given ? given : "body" + std::to_string(number);
  }
  std::string joint_name(int joint) const {
    const char* given = mj_id2name(model_.get(), mjOBJ_JOINT, joint);
    return given ? given : body_name(model_->jnt_bodyid[joint]) + "_joint";
  }

  template <class S>
  RigidFrame<S> body_frame(const CharacterModel& character, const StateMemory<S>& state, int number) const {
    if (number == 0) return identity_frame<S>();
    const std::string name = body_name(number);
    for (const BodyFrame& body : character.bodies())
      if (body.name == name)
        return body.dof < 0 ? frame_cast<S>(body.placement)
                            : state.frames[std::size_t(body.dof)] * frame_cast<S>(body.placement);
    throw std::runtime_error("the character has no body " + name);
  }

  struct Delete {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

}  // namespace holo::articulated::test
