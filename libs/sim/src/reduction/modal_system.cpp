#include "holo/sim/reduction/modal_system.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <string>

#include "holo/core/error.h"
#include "holo/core/numerics/parallel.h"
#include "holo/sim/dynamics/elastic_term.h"

namespace holo {
namespace {

constexpr Eigen::Index solved_columns = 32;  // at once: more need more memory, fewer are less work on dense blocks

// Translations, and rotations about `center`, of the coordinates of the vertices [first, first + count).
Eigen::MatrixXd rigid_displacements(const Eigen::VectorXd& x, Eigen::Index first, Eigen::Index count,
                                    const Eigen::Vector3d& center) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * count, 6);
  for (Eigen::Index v = 0; v < count; ++v) {
    const Eigen::Vector3d arm = x.segment<3>(3 * (first + v)) - center;
    result.block<3, 3>(3 * v, 0).setIdentity();
    for (int axis = 0; axis < 3; ++axis) result.block<3, 1>(3 * v, 3 + axis) = Eigen::Vector3d::Unit(axis).cross(arm);
  }
  return result;
}

// Gram-Schmidt in M, twice: the second pass takes off what rounding left.
void orthonormalize_in_mass(Eigen::MatrixXd& columns, const Eigen::VectorXd& masses) {
  for (Eigen::Index i = 0; i < columns.cols(); ++i) {
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < i; ++j)
        columns.col(i) -= columns.col(j).dot(masses.cwiseProduct(columns.col(i))) * columns.col(j);
    columns.col(i) /= std::sqrt(columns.col(i).dot(masses.cwiseProduct(columns.col(i))));
  }
}

// The rows and columns of a lower triangle that have a number.
SparseMatrix numbered_part(const SparseMatrix& lower, const std::vector<int>& number, Eigen::Index count) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(lower.nonZeros()));
  for (Eigen::Index column = 0; column < lower.cols(); ++column)
    for (SparseMatrix::InnerIterator entry(lower, column); entry; ++entry) {
      const int i = number[static_cast<std::size_t>(entry.row())], j = number[static_cast<std::size_t>(column)];
      if (i >= 0 && j >= 0) entries.emplace_back(std::max(i, j), std::min(i, j), entry.value());
    }
  SparseMatrix result(count, count);
  result.setFromTriplets(entries.begin(), entries.end());
  result.makeCompressed();
  return result;
}

}  // namespace

ModalSystem::ModalSystem(std::shared_ptr<const ElasticModel> model, const Eigen::VectorXd& positions,
                         const ModalSystemOptions& options)
    : model_(std::move(model)), positions_(positions), free_body_(options.free_body) {
  if (positions.size() != 3 * model_->vertex_count())
    throw Error(Failure::input, "a modal analysis got " + std::to_string(positions.size()) + " coordinates for a model of " +
                                    std::to_string(model_->vertex_count()) + " vertices, which has three for each.");
  masses_.resize(positions.size());
  for (Eigen::Index k = 0; k < masses_.size(); ++k) masses_[k] = model_->masses()[static_cast<std::size_t>(k / 3)];
  number_coordinates(options);
  assemble();
  if (free_body_) {
    find_rigid_motions();
    require_no_stress();
  } else {
    require_rigid_motions_held();
  }
  factorize();
}

Eigen::Index ModalSystem::degrees_of_freedom() const { return free_count_ - rigid_.cols(); }

std::string ModalSystem::bodies_in_words() const {
  std::string text;
  for (const ElasticBody& body : model_->bodies()) text += (text.empty() ? "'" : ", '") + body.name + "'";
  return text;
}

void ModalSystem::number_coordinates(const ModalSystemOptions& options) {
  free_index_.assign(static_cast<std::size_t>(size()), 0);
  for (const int vertex : options.prescribed_vertices) {
    if (vertex < 0 || vertex >= model_->vertex_count())
      throw Error(Failure::input, "a modal analysis prescribes the vertex " + std::to_string(vertex) +
                                      "; the model has the vertices 0 to " + std::to_string(model_->vertex_count() - 1) + ".");
    std::fill_n(free_index_.begin() + 3 * static_cast<std::ptrdiff_t>(vertex), 3, -1);
  }
  if (free_body_ && !options.prescribed_vertices.empty())
    throw Error(Failure::input, "a modal analysis of a free body prescribes vertices. Leave these out, or the option.");
  if (free_body_ && model_->bodies().size() != 1)
    throw Error(Failure::input, "a modal analysis of a free body got the bodies " + bodies_in_words() +
                                    "; one body alone can be free. Analyze each by itself.");
  for (const ElasticBody& body : model_->bodies())
    if (body.is_affine)
      throw Error(Failure::input, "the body '" + body.name +
                                      "' deforms by one affine map, and its masses are not those of "
                                      "single vertices: a modal analysis needs the full deformation.");
  for (int& index : free_index_)
    if (index == 0) index = static_cast<int>(free_count_++);
  solved_index_ = free_index_;
  if (free_count_ == 0) throw Error(Failure::input, "a modal analysis prescribes every vertex of " + bodies_in_words() + ".");
}

void ModalSystem::assemble() {
  ElasticTerm term(model_);
  BlockAssembler assembler(model_->pattern().matrix);
  SparseMatrix full = model_->pattern().matrix;
  assembler.begin(full, nullptr);
  term.add_hessian(positions_, Curvature::exact, assembler);
  assembler.finish();
  stiffness_ = numbered_part(full, free_index_, free_count_);
  if (!Eigen::Map<const Eigen::VectorXd>(stiffness_.valuePtr(), stiffness_.nonZeros()).allFinite())
    throw Error(Failure::input, "the stiffness of " + bodies_in_words() +
                                    " is not finite: at these positions a material has no second derivatives.");
}

// Orthonormal in M. Six coordinates, chosen by pivots so that no rigid motion is small at all of them, are pinned: then K is
// positive definite, and forces that balance each other give displacements that are right up to a rigid motion.
void ModalSystem::find_rigid_motions() {
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  for (Eigen::Index k = 0; k < size(); ++k) center[k % 3] += masses_[k] * positions_[k];
  rigid_ = rigid_displacements(positions_, 0, model_->vertex_count(), 3 * center / masses_.sum());
  orthonormalize_in_mass(rigid_, masses_);
  if (!rigid_.allFinite())
    throw Error(Failure::input, "the vertices of " + bodies_in_words() + " lie on a line, and have no six rigid motions.");
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivots(rigid_.transpose());
  for (int k = 0; k < 6; ++k) solved_index_[static_cast<std::size_t>(pivots.colsPermutation().indices()[k])] = -1;
}

void ModalSystem::require_no_stress() const {
  const double stiffest = stiffness_.diagonal().cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < 6; ++i) {
    const double force = stiffness_times(rigid_.col(i)).cwiseAbs().maxCoeff();
    const double scale = stiffest * rigid_.col(i).cwiseAbs().maxCoeff();
    if (!(force <= 1e-9 * scale))
      throw Error(Failure::input, "rotating " + bodies_in_words() + " rigidly takes " + std::to_string(force / scale) +
                                      " of the forces of straining it, at most 1e-9 is rounding: at these positions the free "
                                      "body is under stress. Analyze it at rest.");
  }
}

// The rigid motions of each body at its prescribed vertices are independent, unless the body can move.
void ModalSystem::require_rigid_motions_held() const {
  for (const ElasticBody& body : model_->bodies()) {
    std::vector<Eigen::Index> held;
    for (Eigen::Index k = 0; k < 3 * body.vertex_count; ++k)
      if (is_prescribed(3 * body.first_vertex + k)) held.push_back(k);
    const Eigen::MatrixXd rigid =
        rigid_displacements(positions_, body.first_vertex, body.vertex_count, positions_.segment<3>(3 * body.first_vertex)) *
        Eigen::Matrix<double, 6, 1>(1, 1, 1, 1 / model_->length(), 1 / model_->length(), 1 / model_->length()).asDiagonal();
    Eigen::MatrixXd at_held(static_cast<Eigen::Index>(held.size()), 6);
    for (std::size_t row = 0; row < held.size(); ++row) at_held.row(static_cast<Eigen::Index>(row)) = rigid.row(held[row]);
    const Eigen::VectorXd sizes =
        held.size() < 6 ? Eigen::VectorXd::Zero(6) : Eigen::VectorXd(at_held.jacobiSvd().singularValues());
    if (!(sizes[5] > 1e-6 * sizes[0]))
      throw Error(Failure::input, "the body '" + body.name + "' can move rigidly, with " + std::to_string(held.size() / 3) +
                                      " prescribed vertices. Prescribe three or more that are not on a line, or choose the "
                                      "modes of a free body.");
  }
}

void ModalSystem::factorize() {
  SparseMatrix factorized = stiffness_;
  if (free_body_) {
    std::vector<int> kept(static_cast<std::size_t>(free_count_), 0);
    int count = 0;
    for (std::size_t k = 0; k < solved_index_.size(); ++k) {
      kept[k] = solved_index_[k] < 0 ? -1 : count;
      if (solved_index_[k] >= 0) solved_index_[k] = count++;
    }
    factorized = numbered_part(stiffness_, kept, count);
  }
  solver_ = make_sparse_solver({.matrix = MatrixKind::positive_definite});
  solver_->analyze(factorized);
  if (!solver_->factorize(factorized))
    throw Error(Failure::input, "the stiffness of " + bodies_in_words() + " " + to_string(solver_->outcome()) +
                                    ": at these positions the equilibrium is not stable (the body is under stress, or its "
                                    "material has no stiffness), or parts of a body are not connected. Modes are those of a "
                                    "stable equilibrium, such as the state of rest.");
}

Eigen::VectorXd ModalSystem::stiffness_times(const Eigen::VectorXd& u) const {
  Eigen::VectorXd free(free_count_);
  for (Eigen::Index k = 0; k < size(); ++k)
    if (!is_prescribed(k)) free[free_index_[static_cast<std::size_t>(k)]] = u[k];
  const Eigen::VectorXd product = stiffness_.selfadjointView<Eigen::Lower>() * free;
  Eigen::VectorXd result = Eigen::VectorXd::Zero(size());
  for (Eigen::Index k = 0; k < size(); ++k)
    if (!is_prescribed(k)) result[k] = product[free_index_[static_cast<std::size_t>(k)]];
  return result;
}

Eigen::MatrixXd ModalSystem::solve(const Eigen::Ref<const Eigen::MatrixXd>& f) const {
  if (f.rows() != size()) throw Error(Failure::internal, "ModalSystem::solve: forces of another size");
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(size(), f.cols());
  const Eigen::Index rows = solver_ == nullptr ? 0 : free_count_ - rigid_.cols();
  parallel_for(static_cast<std::size_t>(f.cols()), solved_columns, [&](std::size_t begin, std::size_t end) {
    const auto first = static_cast<Eigen::Index>(begin), count = static_cast<Eigen::Index>(end - begin);
    Eigen::MatrixXd balanced = f.middleCols(first, count), part(rows, count);
    if (rigid_.cols() > 0) balanced -= masses_.asDiagonal() * (rigid_ * (rigid_.transpose() * balanced));
    for (Eigen::Index k = 0; k < size(); ++k)
      if (const int row = solved_index_[static_cast<std::size_t>(k)]; row >= 0) part.row(row) = balanced.row(k);
    solver_->solve(part, part);
    auto result = u.middleCols(first, count);
    for (Eigen::Index k = 0; k < size(); ++k)
      if (const int row = solved_index_[static_cast<std::size_t>(k)]; row >= 0) result.row(k) = part.row(row);
    if (rigid_.cols() > 0) result -= rigid_ * (rigid_.transpose() * (masses_.asDiagonal() * result)).eval();
  });
  return u;
}

}  // namespace holo
