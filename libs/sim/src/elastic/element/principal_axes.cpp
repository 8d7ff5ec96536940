#include "elastic/element/principal_axes.h"

#include "elastic/element/jacobi.h"

namespace holo {
namespace {

// Rows: u_i and v_i of F = sum s_i u_i v_i^T. Not finite where F has not full rank.
struct Axes {
  LaneBlock u[3][3], v[3][3];
};

// One-sided Jacobi: turns the columns of F until they are orthogonal.
HOLO_INLINE Axes principal_axes(const LaneBlock* F) {
  constexpr int max_sweeps = 10;
  Axes axes;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      axes.u[i][k] = F[3 * k + i];
      axes.v[i][k] = LaneBlock(i == k ? 1.0 : 0.0);
    }
  auto dot = [](const LaneBlock(&a)[3], const LaneBlock(&b)[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    LaneBlock::Mask skew = LaneBlock(0.0) != LaneBlock(0.0);  // columns that were not orthogonal, before they were turned
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        const LaneBlock pp = dot(axes.u[p], axes.u[p]), pq = dot(axes.u[p], axes.u[q]), qq = dot(axes.u[q], axes.u[q]);
        const LaneBlock squared_cosine = pq * pq, lengths = pp * qq;
        if (!any(squared_cosine > LaneBlock(1e-30) * lengths)) continue;
        skew = skew | (squared_cosine > LaneBlock(1e-20) * lengths);  // turning squares a cosine of 1e-10
        const LaneRotation r = annihilate(pp, pq, qq);
        for (int k = 0; k < 3; ++k) {
          turn(r, axes.u[p][k], axes.u[q][k]);
          turn(r, axes.v[p][k], axes.v[q][k]);
        }
      }
    if (!any(skew)) break;
  }
  for (auto& column : axes.u) {
    const LaneBlock inverse = LaneBlock(1.0) / sqrt(dot(column, column));
    for (LaneBlock& entry : column) entry *= inverse;
  }
  return axes;
}

// result_ik = sum_jl u_i[j] X_jl v_k[l]: a matrix seen in the axes.
HOLO_INLINE void into_axes(const Axes& axes, const LaneBlock* X, LaneBlock* result) {
  for (int j = 0; j < 3; ++j) {
    LaneBlock row[3];
    for (int k = 0; k < 3; ++k) row[k] = X[3 * j] * axes.v[k][0] + X[3 * j + 1] * axes.v[k][1] + X[3 * j + 2] * axes.v[k][2];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const LaneBlock share = axes.u[i][j] * row[k];
        result[3 * i + k] = j == 0 ? share : result[3 * i + k] + share;
      }
  }
}

// The matrix whose entries in the axes are Y: sum_ik Y_ik u_i v_k^T.
HOLO_INLINE void out_of_axes(const Axes& axes, const LaneBlock* Y, LaneBlock* result) {
  for (int i = 0; i < 3; ++i) {
    LaneBlock row[3];
    for (int l = 0; l < 3; ++l) row[l] = Y[3 * i] * axes.v[0][l] + Y[3 * i + 1] * axes.v[1][l] + Y[3 * i + 2] * axes.v[2][l];
    for (int j = 0; j < 3; ++j)
      for (int l = 0; l < 3; ++l) {
        const LaneBlock share = axes.u[i][j] * row[l];
        result[3 * j + l] = i == 0 ? share : result[3 * j + l] + share;
      }
  }
}

// The blocks of the Hessian in the axes: of u_i v_i^T, and of (u_i v_j^T, u_j v_i^T) for the pairs 01, 02, 12.
struct Blocks {
  LaneBlock stretch[3][3];   // upper triangle
  LaneBlock mixed[3][2][2];  // upper triangle
};
constexpr int pair_index[3][2] = {{1, 3}, {2, 6}, {5, 7}};  // ij and ji of a pair, as 3 i + j

HOLO_INLINE Blocks blocks_in_axes(const Axes& axes, const LaneBlock* H) {
  LaneBlock half[9][9];  // [entry jl of the right side][ik in the axes of the left side]
  for (int right = 0; right < 9; ++right) {
    LaneBlock column[9];
#pragma GCC unroll 9
    for (int left = 0; left < 9; ++left) column[left] = H[upper_index<9>(left, right)];
    into_axes(axes, column, half[right]);
  }
  auto entry = [&](int a, int b) {  // (i k) of a and of b
    LaneBlock sum(0.0);
    for (int j = 0; j < 3; ++j) {
      const LaneBlock row =
          half[3 * j][a] * axes.v[b % 3][0] + half[3 * j + 1][a] * axes.v[b % 3][1] + half[3 * j + 2][a] * axes.v[b % 3][2];
      sum += axes.u[b / 3][j] * row;
    }
    return sum;
  };
  Blocks blocks;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) blocks.stretch[i][j] = j < i ? LaneBlock(0.0) : entry(4 * i, 4 * j);
  for (int pair = 0; pair < 3; ++pair) {
    const int a = pair_index[pair][0], b = pair_index[pair][1];
    blocks.mixed[pair][0][0] = entry(a, a);
    blocks.mixed[pair][0][1] = entry(a, b);
    blocks.mixed[pair][1][0] = LaneBlock(0.0);
    blocks.mixed[pair][1][1] = entry(b, b);
  }
  return blocks;
}

// Whether the matrix consists of the blocks alone: whether both map a fixed vector, of no special direction, to the same.
HOLO_INLINE LaneBlock::Mask consists_of(const Axes& axes, const Blocks& blocks, const LaneBlock* H, LaneBlock largest) {
  constexpr double probe[9] = {0.73, -0.41, 0.58, 0.29, 0.91, -0.67, -0.83, 0.37, 0.53};
  LaneBlock w[9], y[9], z[9], mapped[9];
  for (int k = 0; k < 9; ++k) w[k] = LaneBlock(probe[k]);
  into_axes(axes, w, y);
  for (int i = 0; i < 3; ++i) {
    z[4 * i] = LaneBlock(0.0);
    for (int j = 0; j < 3; ++j) z[4 * i] += blocks.stretch[i <= j ? i : j][i <= j ? j : i] * y[4 * j];
    const int a = pair_index[i][0], b = pair_index[i][1];
    z[a] = blocks.mixed[i][0][0] * y[a] + blocks.mixed[i][0][1] * y[b];
    z[b] = blocks.mixed[i][0][1] * y[a] + blocks.mixed[i][1][1] * y[b];
  }
  out_of_axes(axes, z, mapped);
  LaneBlock difference(0.0);
#pragma GCC unroll 9
  for (int i = 0; i < 9; ++i) {
    LaneBlock sum = -mapped[i];
#pragma GCC unroll 9
    for (int j = 0; j < 9; ++j) sum += H[upper_index<9>(i, j)] * w[j];
    difference += abs(sum);
  }
  return difference <= LaneBlock(3e-13) * largest;
}

// Whether all eigenvalues of a 3x3 matrix (upper triangle) are positive, by its pivots; zero ones count.
HOLO_INLINE LaneBlock::Mask is_positive(const LaneBlock (&a)[3][3]) {
  const LaneBlock zero(0.0);
  const LaneBlock first = LaneBlock(1.0) / a[0][0], b = a[0][1] * first, c = a[0][2] * first;
  const LaneBlock second = a[1][1] - b * a[0][1], coupling = a[1][2] - b * a[0][2];
  const LaneBlock third = a[2][2] - c * a[0][2] - coupling * coupling / second;
  const LaneBlock::Mask cleared = (a[0][0] == zero) & (a[1][1] == zero) & (a[2][2] == zero);
  return cleared | ((a[0][0] > zero) & (second > zero) & (third > zero));
}

// Numbers that are not finite must not reach the sums of their lane, not even with the weight 0.
HOLO_INLINE void clear_other_lanes(LaneBlock::Mask keep, Axes& axes, Blocks& blocks) {
  auto clear = [&](auto& rows) {
    for (auto& row : rows)
      for (LaneBlock& entry : row) entry = select(keep, entry, LaneBlock(0.0));
  };
  clear(axes.u);
  clear(axes.v);
  clear(blocks.stretch);
  for (auto& block : blocks.mixed) clear(block);
}

// Adds what makes the eigenvalue of a vector in the axes zero where it is negative.
HOLO_INLINE void lift(const Axes& axes, LaneBlock eigenvalue, const LaneBlock* in_axes, LaneBlock* matrix) {
  const LaneBlock weight = max(-eigenvalue, LaneBlock(0.0));
  if (!any(weight != LaneBlock(0.0))) return;
  LaneBlock vector[9];
  out_of_axes(axes, in_axes, vector);
  add_outer_product(weight, vector, matrix);
}

}  // namespace

LaneBlock::Mask remove_negative_part_in_principal_axes(const LaneBlock* F, LaneBlock::Mask wanted, LaneBlock largest,
                                                       LaneBlock* matrix) {
  // 1. The Hessian in the axes. 2. Where it does not consist of the blocks, it is left alone. 3. Each negative eigenvalue of a
  // block is lifted to 0 in the matrix itself, by its eigenvector out of the axes, so that lanes without one stay as they are.
  Axes axes = principal_axes(F);
  Blocks blocks = blocks_in_axes(axes, matrix);
  const LaneBlock::Mask isotropic = consists_of(axes, blocks, matrix, largest);
  if (!any(isotropic)) return isotropic;
  clear_other_lanes(isotropic & wanted, axes, blocks);
  const LaneBlock scale = max(largest, LaneBlock(1e-280)), inverse = LaneBlock(1.0) / scale;
  for (auto& row : blocks.stretch)
    for (LaneBlock& entry : row) entry *= inverse;
  if (!all(is_positive(blocks.stretch))) {
    LaneBlock vectors[3][3];
    jacobi_decompose(blocks.stretch, vectors);
    for (int p = 0; p < 3; ++p) {
      LaneBlock in_axes[9];
      for (int k = 0; k < 9; ++k) in_axes[k] = k % 4 == 0 ? vectors[p][k / 4] : LaneBlock(0.0);
      lift(axes, blocks.stretch[p][p] * scale, in_axes, matrix);
    }
  }
  for (int pair = 0; pair < 3; ++pair) {
    LaneBlock(&block)[2][2] = blocks.mixed[pair];
    LaneBlock eigenvectors[2][2] = {{LaneBlock(1.0), LaneBlock(0.0)}, {LaneBlock(0.0), LaneBlock(1.0)}};
    for (int k = 0; k < 4; ++k) block[k / 2][k % 2] *= inverse;
    jacobi_sweep(block, eigenvectors);
    for (int p = 0; p < 2; ++p) {
      LaneBlock in_axes[9];
      for (LaneBlock& entry : in_axes) entry = LaneBlock(0.0);
      in_axes[pair_index[pair][0]] = eigenvectors[p][0];
      in_axes[pair_index[pair][1]] = eigenvectors[p][1];
      lift(axes, block[p][p] * scale, in_axes, matrix);
    }
  }
  return isotropic;
}

}  // namespace holo
