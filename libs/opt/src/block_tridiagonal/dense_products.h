#pragma once
// Products and triangular solutions of dense blocks by BLAS, column-major. The callers of BLAS call prepare_blas() first.

// BLAS: its header is not in the include path of every distribution.
extern "C" void dgemm_(const char* transpose_a, const char* transpose_b, const int* m, const int* n, const int* k,
                       const double* alpha, const double* a, const int* lda, const double* b, const int* ldb,
                       const double* beta, double* c, const int* ldc);
extern "C" void dgemv_(const char* transpose, const int* m, const int* n, const double* alpha, const double* a, const int* lda,
                       const double* x, const int* increment_x, const double* beta, double* y, const int* increment_y);
extern "C" void dsymv_(const char* triangle, const int* n, const double* alpha, const double* a, const int* lda,
                       const double* x, const int* increment_x, const double* beta, double* y, const int* increment_y);
extern "C" void dtrsm_(const char* side, const char* triangle, const char* transpose, const char* diagonal, const int* m,
                       const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
extern "C" void dtrsv_(const char* triangle, const char* transpose, const char* diagonal, const int* n, const double* a,
                       const int* lda, double* x, const int* increment);

namespace holo {

// C = beta C - A B^T with A [m][k], B [n][k].
inline void subtract_product(int m, int n, int k, const double* a, int lda, const double* b, int ldb, double beta, double* c,
                             int ldc) {
  const double minus_one = -1;
  dgemm_("N", "T", &m, &n, &k, &minus_one, a, &lda, b, &ldb, &beta, c, &ldc);
}

// y = beta y + alpha op(A) x with A [rows][cols]; x and y have `columns` columns. op is "N" or "T".
inline void add_product(const char* op, int rows, int cols, double alpha, const double* a, int lda, const double* x, int ldx,
                        double beta, double* y, int ldy, int columns) {
  const int one = 1;
  if (columns == 1) return dgemv_(op, &rows, &cols, &alpha, a, &lda, x, &one, &beta, y, &one);
  const bool transposed = *op == 'T';
  dgemm_(op, "N", transposed ? &cols : &rows, &columns, transposed ? &rows : &cols, &alpha, a, &lda, x, &ldx, &beta, y, &ldy);
}

// x = op(L)^-1 x with a unit lower triangular L [size][size].
inline void solve_unit_lower(const char* op, int size, const double* lower, int ld, double* x, int ldx, int columns) {
  const int one = 1;
  const double unit = 1;
  if (columns == 1) return dtrsv_("L", op, "U", &size, lower, &ld, x, &one);
  dtrsm_("L", "L", op, "U", &size, &columns, &unit, lower, &ld, x, &ldx);
}

}  // namespace holo
