#pragma once
// Pressure on a part of a body's current surface, along its inward normal: on each vertex of a
// triangle (a, b, c) the force -p/6 (x_b - x_a) x (x_c - x_a).
//
// On a closed surface that force is conservative, with the potential p V of the enclosed volume V = sum 1/6 x_a . (x_b x x_c).
// On a part with a border it is not: the gradient of p V lacks, at both ends of each border edge (u, v), the force -p/6 x_u x
// x_v. This part alone is lagged: it is taken from the positions of the last update_lag and held while the energy
//
//   E(x) = s(t) p [ V(x) + sum_border 1/6 (x_u x x_v)_lag . (x_u + x_v) ]
//
// is minimized. The force is then exact where x is the lagged position, and everywhere where the border does not move.

#include "dynamics/loads/loads.h"

namespace holo {

class Pressure final : public PotentialTerm {
 public:
  // `pressure` [Pa], positive pushes onto the surface; `start`: positions [3 * vertex] [m].
  Pressure(std::string name, std::vector<std::array<int, 3>> triangles, double pressure, const LoadDefinition& load,
           const Eigen::VectorXd& start);

  std::string name() const override { return name_; }
  void begin_step(const StepContext& context) override { share_ = load_.share_at(context.end_time); }
  void update_lag(const Eigen::VectorXd& x) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // The pressure.
  Eigen::Index parameter_count() const override { return 1; }
  Eigen::VectorXd parameters() const override { return Eigen::VectorXd::Constant(1, pressure_); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { pressure_ = values[0]; }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  // The cross product x_u x x_v of each border edge.
  Eigen::Index lag_count() const override { return lag_.size(); }
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;

 private:
  // Two triangles (first, second, left) and (second, first, right) meet in an edge; right < 0 on the border.
  struct Edge {
    int first, second, left, right;
  };
  Eigen::Vector3d at(const Eigen::VectorXd& x, int vertex) const { return x.segment<3>(3 * vertex) - origin_; }
  void find_edges();
  void add_unit_gradient(const Eigen::VectorXd& x, double factor, Eigen::Ref<Eigen::VectorXd> gradient) const;

  std::string name_;
  std::vector<std::array<int, 3>> triangles_;
  std::vector<Edge> edges_;
  std::vector<std::array<int, 2>> border_;  // (u, v), in the order of its triangle
  double pressure_;
  LoadDefinition load_;
  // Positions are relative to the middle of the surface where the lag was taken, in whole steps of its size: off that place the
  // error of the border's force grows with the distance from the origin. The steps keep it constant for derivatives [m].
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero(), start_origin_ = Eigen::Vector3d::Zero();
  double size_ = 0;            // of the surface at the start [m]
  Eigen::VectorXd lag_;        // [3 * border edge] [m^2]
  Eigen::VectorXd lagged_at_;  // positions [3 * vertex] [m]
  double share_ = 1;           // s
};

// A maker of loads with a pressure [Pa] on the triangles of the subset.
LoadMaker pressure_load(double pressure);

}  // namespace holo
