#pragma once
// The 100-digit twin of a joint: derivatives as central differences of its constraint equations and its motion. With steps h
// the error is of order h^2 and rounding of order 1e-100 / h^order, so both are negligible beside the rounding to double at the
// end.

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "holo/plugin/detail/entry.h"
#include "holo/plugin/detail/joint_functions.h"

namespace holo::plugin {

// A function of the graph's form, in 100 digits.
template <class Function>
class JointReferenceFunction {
 public:
  using Number = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
  static constexpr int n = Function::input_count, m = Function::output_count;

  JointReferenceFunction(const double* x, const double* first_parameters, int first_count, const double* more_parameters) {
    for (int k = 0; k < n; ++k) x_[k] = x[k];
    for (int k = 0; k < Function::parameter_count; ++k)
      parameters_[k] = k < first_count ? first_parameters[k] : more_parameters[k - first_count];
  }

  void values(double* to) {
    Number y[m];
    Function::evaluate(x_, parameters_, y);
    for (int i = 0; i < m; ++i) to[i] = double(y[i]);
  }

  // [m][n]
  void jacobian(double* to) {
    for (int k = 0; k < n; ++k) {
      Number right[m], left[m];
      at(k, 1, k, 0, right);
      at(k, -1, k, 0, left);
      for (int i = 0; i < m; ++i) to[i * n + k] = double((right[i] - left[i]) / (2 * step()));
    }
  }

  // The Hessian of the sum of values weighted by w: [n][n].
  void hessian(const double* w, double* to) {
    for (int k = 0; k < n; ++k)
      for (int l = k; l < n; ++l) {
        Number sum = 0;
        for (const int first : {-1, 1})
          for (const int second : {-1, 1}) {
            Number y[m];
            at(k, first, l, second, y);
            for (int i = 0; i < m; ++i) sum += first * second * w[i] * y[i];
          }
        to[k * n + l] = to[l * n + k] = double(sum / (4 * step() * step()));
      }
  }

 private:
  static Number step() { return Number(1e-20); }

  // At x + a h e_k + b h e_l.
  void at(int k, int a, int l, int b, Number* y) {
    Number x[n > 0 ? n : 1];
    for (int i = 0; i < n; ++i) x[i] = x_[i];
    x[k] += a * step();
    x[l] += b * step();
    Function::evaluate(x, parameters_, y);
  }

  Number x_[n > 0 ? n : 1];
  Number parameters_[Function::parameter_count > 0 ? Function::parameter_count : 1];
};

template <class J>
struct JointReferenceOperations {
  using Equations = JointReferenceFunction<JointEquationsFunction<J>>;
  using Motion = JointReferenceFunction<JointMotionFunction<J>>;

  static void constraint_equations(const double* frames, const double* constants, const double* x, double* r) {
    Equations(x, frames, frame_pair_size, constants).values(r);
  }
  static void jacobian(const double* frames, const double* constants, const double* x, double* J_) {
    Equations(x, frames, frame_pair_size, constants).jacobian(J_);
  }
  static void hessian(const double* frames, const double* constants, const double* x, const double* w, double* H) {
    Equations(x, frames, frame_pair_size, constants).hessian(w, H);
  }
  static void motion(const double* constants, const double* coordinates, double* pose) {
    Motion(coordinates, constants, constant_count<J>(), nullptr).values(pose);
  }
  static void motion_jacobian(const double* constants, const double* coordinates, double* J_) {
    Motion(coordinates, constants, constant_count<J>(), nullptr).jacobian(J_);
  }
  static void motion_hessian(const double* constants, const double* coordinates, const double* w, double* H) {
    Motion(coordinates, constants, constant_count<J>(), nullptr).hessian(w, H);
  }
};

template <class J>
int enter_joint(const char* name, const char*, const holo_stamp* host, const holo_registrar* registrar,
                holo_error* error) noexcept {
  return guarded(error, name, [&] {
    if (!same_stamp(host, error)) return 1;
    if constexpr (check_joint<J>()) {
      using O = JointReferenceOperations<J>;
      static const holo_joint_reference reference = {HOLO_STAMP,
                                                     name,
                                                     std::uint32_t(coordinate_count<J>()),
                                                     std::uint32_t(constant_count<J>()),
                                                     O::constraint_equations,
                                                     O::jacobian,
                                                     O::hessian,
                                                     O::motion,
                                                     O::motion_jacobian,
                                                     O::motion_hessian};
      return registrar->add_joint_reference(registrar->self, &reference, error);
    }
    return 1;
  });
}

}  // namespace holo::plugin
