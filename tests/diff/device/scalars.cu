// Every scalar and every elementary function in device code: compiled for a device, not run.
#include "holo/diff/scalars/accelerated_paper.h"
#include "holo/diff/scalars/complex.h"
#include "holo/diff/scalars/jet.h"
#include "holo/diff/scalars/multicomplex.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/diff/scalars/taylor.h"

template <class S>
__device__ S every_function(const S& x, const S& y) {
  S sum = sqrt(x) + cbrt(x) + exp(x) + expm1(x) + log(x) + log1p(x) + sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x);
  sum = sum + sinh(x) + cosh(x) + tanh(x) + erf(x) + sinc(x) + sinhc(x) + one_minus_cos_over_square(x);
  sum = sum + pow(x, 3) + pow(x, 2.5) + pow(x, y) + pow(2.0, y) + holo::rational_pow<2, 3>(x) + holo::rational_pow<3, 5>(x);
  sum = sum + atan2(y, x) + hypot(x, y) + hypot(x, y, 1.0) + abs(x) + min(x, y) + max(x, 0.5) + clamp(x, 0, 1);
  sum = sum + select(x < y, x, y) + floor(x) + ceil(x) + round(x) + sign(x) + x / y - 1 / x + 2 * x / 3;
  sum += x;
  sum *= 2.0;
  return isfinite(sum) && !isnan(sum) ? sum : S(0.0);
}

__global__ void evaluate(const double* in, double* out) {
  const double x = in[0], y = in[1];
  out[0] = every_function(holo::Nilpotent<1>::seed(x, {y}), holo::Nilpotent<1>(y)).derivative();
  out[1] = every_function(holo::Nilpotent<2>::seed(x, {y, y}), holo::Nilpotent<2>(y)).derivative();
  out[2] = every_function(holo::Nilpotent<3>::seed(x, {y, y, y}), holo::Nilpotent<3>(y)).derivative();
  out[3] = every_function<holo::Taylor<3>>(holo::Taylor<3>::variable(x), y).derivative();
  out[4] = every_function<holo::Taylor<5>>(holo::Taylor<5>::variable(x), y).derivative();
  out[5] = every_function(holo::Jet<2, 2>::variable(0, x), holo::Jet<2, 2>::variable(1, y)).hessian(0, 1);
  out[6] = every_function(holo::Complex<double>::seed(x, y), holo::Complex<double>(y)).derivative();
  out[7] = every_function(holo::Multicomplex<2>::seed(x, {y, y}), holo::Multicomplex<2>(y)).derivative();
  out[8] = every_function(holo::AcceleratedPaper<double>::seed(x, y), holo::AcceleratedPaper<double>(y)).derivative();
  out[9] = holo::taylor<3>(
               [](const auto& t) {
                 const auto q = t * t;
                 return exp(t) / (q * q + q + 1);
               },
               x)
               .derivative(3);
}
