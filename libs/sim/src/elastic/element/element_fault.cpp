#include "elastic/element/element_fault.h"

#include <fmt/format.h>

#include "elastic/element/element_pass.h"
#include "elastic/element/lane_width.h"

namespace holo {
namespace {

// `gradients` begins at the block of number `first_block`.
ElementFault fault_of(const ElasticModel& model, const ElasticBody& body, std::size_t packed, const double* gradients,
                      std::size_t first_block, ElementOperation operation, double value) {
  ElementFault fault;
  fault.body = &body;
  fault.operation = operation;
  fault.value = without_sign_of_nan(value);
  fault.element = element_number(model, body, packed);
  const std::size_t here = packed - first_block * W;
  for (std::size_t k = 0; k < 9; ++k) fault.F[k] = gradients[(here / W * 9 + k) * W + here % W];
  fault.determinant = packed_determinant(gradients, here);
  fault.is_in_domain = std::isfinite(fault.determinant) &&
                       (!body.limits_determinant() ||
                        (fault.determinant > body.determinant_minimum && fault.determinant < body.determinant_maximum));
  return fault;
}

class Search {
 public:
  Search(const ElasticModel& model, const Eigen::VectorXd& positions) : model_(model), x_(positions.data()) {}

  // Batch by batch, energy before stress before Hessian; stops at the first fault inside of a domain.
  std::optional<ElementFault> run() {
    for_each_batch(model_, 0, model_.block_count(), [this](const ElasticBody& body, std::size_t first, std::size_t count) {
      if (found_ && found_->is_in_domain) return;
      deformation_gradients(model_, x_, first, count, batch_.deformation);
      judge(body, first, count, ElementOperation::energy, batch_.stress, 1);
      judge(body, first, count, ElementOperation::stress, batch_.stress, 9);
      judge(body, first, count, ElementOperation::hessian, batch_.hessian, 45);
    });
    return found_;
  }

 private:
  void judge(const ElasticBody& body, std::size_t first, std::size_t count, ElementOperation operation, double* output,
             std::size_t entries) {
    if (found_ && found_->is_in_domain) return;
    run_operation(model_, operation, body, first, count, batch_.deformation, output);
    for (std::size_t n = 0; n < count; ++n)
      for (std::size_t entry = 0; entry < entries; ++entry)
        for (std::size_t lane = 0; lane < W; ++lane) {
          const double value = output[(n * entries + entry) * W + lane];
          if (std::isfinite(value) || model_.packed_elements()[(first + n) * W + lane] < 0) continue;
          const ElementFault fault =
              fault_of(model_, body, (first + n) * W + lane, batch_.deformation, first, operation, value);
          if (!found_ || (fault.is_in_domain && !found_->is_in_domain)) found_ = fault;
        }
  }

  const ElasticModel& model_;
  const double* x_;
  ElementBatch batch_{};
  std::optional<ElementFault> found_;
};

}  // namespace

std::int64_t element_number(const ElasticModel& model, const ElasticBody& body, std::size_t packed) {
  const int element = model.packed_elements()[packed] - body.first_element;
  return element_number(body.mesh, static_cast<std::size_t>(element));
}

double packed_determinant(const double* gradients, std::size_t packed) {
  const auto f = [F = gradients + packed / W * 9 * W + packed % W](std::size_t k) { return F[k * W]; };
  return f(0) * (f(4) * f(8) - f(5) * f(7)) - f(1) * (f(3) * f(8) - f(5) * f(6)) + f(2) * (f(3) * f(7) - f(4) * f(6));
}

std::optional<ElementFault> find_element_fault(const ElasticModel& model, const Eigen::VectorXd& positions) {
  return Search(model, positions).run();
}

std::string to_string(const ElementFault& fault) {
  constexpr const char* what[] = {"the energy {} J/m^3", "a stress of {} Pa", "a stiffness of {} Pa"};
  return fmt::format("element {} of body '{}' has {} in the material '{}' at F = [{:.6g}] (row by row), det F = {:.6g}",
                     fault.element, fault.body->name,
                     fmt::format(fmt::runtime(what[static_cast<int>(fault.operation)]), fault.value),
                     fault.body->material->name, fmt::join(fault.F, ", "), fault.determinant);
}

}  // namespace holo
