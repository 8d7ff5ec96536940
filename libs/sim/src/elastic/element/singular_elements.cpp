#include "holo/sim/elastic/singular_elements.h"

#include <fmt/format.h>

#include <cmath>

#include "elastic/element/lane_width.h"
#include "holo/core/error.h"
#include "holo/diff/lanes/lanes.h"

namespace holo {
namespace {

constexpr std::size_t entry_counts[] = {1, 9, 45};

// Whether any of a block's lanes may have an entry that is not finite: one sum of all entries tells.
bool may_be_singular(const double* output, std::size_t entries, ElementOperation operation) {
  LaneBlock sum = LaneBlock::load(output);
  for (std::size_t k = 1; k < entries; ++k) sum += LaneBlock::load(output + k * W);
  return operation == ElementOperation::energy ? any(sum != sum) : any(!(sum - sum == LaneBlock(0.0)));
}

bool is_singular(const double* lane, std::size_t entries, ElementOperation operation) {
  if (operation == ElementOperation::energy) return std::isnan(*lane);
  for (std::size_t k = 0; k < entries; ++k)
    if (!std::isfinite(lane[k * W])) return true;
  return false;
}

std::uint32_t abi_choice(SingularChoice choice) {
  switch (choice) {
    case SingularChoice::right:
      return HOLO_ONE_SIDED_RIGHT;
    case SingularChoice::left:
      return HOLO_ONE_SIDED_LEFT;
    default:
      return HOLO_ONE_SIDED_MEAN;
  }
}

void count(std::uint32_t status, SingularElementCounts& counts) {
  switch (status) {
    case HOLO_ONE_SIDED_RESOLVED:
      ++counts.resolved;
      break;
    case HOLO_ONE_SIDED_ONE_SIDE:
      ++counts.one_sided;
      break;
    case HOLO_ONE_SIDED_NONDIFFERENTIABLE:
      ++counts.nondifferentiable;
      break;
    default:
      ++counts.unresolved;
  }
}

}  // namespace

struct SingularElements::Lane {
  const double *F, *coefficients;  // of the lane: entries W apart
  double* output;
  std::size_t coefficient_count, entries;
  ElementOperation operation;
};

SingularElementCounts& SingularElementCounts::operator+=(const SingularElementCounts& other) {
  resolved += other.resolved;
  one_sided += other.one_sided;
  nondifferentiable += other.nondifferentiable;
  unresolved += other.unresolved;
  return *this;
}

SingularChoice read_singular_choice(Configuration& differentiation) {
  const std::string choice = differentiation.text(
      "singular", {.choices = {"mean", "right", "left", "throw", "leave"},
                   .default_value = "mean",
                   .documentation = "derivatives of an element at a kink of its energy: the mean of the "
                                    "one-sided derivatives, one of them, an error, or those of "
                                    "plain differentiation, which are not finite, at all singular points"});
  if (choice == "right") return SingularChoice::right;
  if (choice == "left") return SingularChoice::left;
  if (choice == "leave") return SingularChoice::leave;
  return choice == "throw" ? SingularChoice::throw_error : SingularChoice::mean;
}

// A block is checked by one sum first, since nearly all are finite; only in the others single lanes are checked. Padding that
// is not finite is set to 0, so that no sum over lanes meets it.
void SingularElements::resolve(const holo_batch& batch, std::uint32_t coefficient_count, ElementOperation operation,
                               const int* elements, int first_element, SingularElementCounts* counts) const {
  const std::size_t entries = entry_counts[static_cast<int>(operation)];
  for (std::size_t block = 0; block < batch.block_count; ++block) {
    double* output = batch.output + block * entries * W;
    if (!may_be_singular(output, entries, operation)) [[likely]]
      continue;
    for (std::size_t lane = 0; lane < W; ++lane) {
      if (!is_singular(output + lane, entries, operation)) continue;
      const int element = elements == nullptr ? 0 : elements[block * W + lane];
      if (element < 0) {
        for (std::size_t k = 0; k < entries; ++k) output[k * W + lane] = 0;
        continue;
      }
      const Lane one{batch.deformation_gradient + block * 9 * W + lane,
                     batch.coefficients + block * batch.coefficient_stride + lane,
                     output + lane,
                     coefficient_count,
                     entries,
                     operation};
      resolve_lane(one, element - first_element, counts);
    }
  }
}

// One element in one-sided series, by the second library. Its status is counted for Hessians alone: energy, stress and Hessian
// of one element would count three times. An output without finite derivatives is left as it was.
void SingularElements::resolve_lane(const Lane& one, int element, SingularElementCounts* counts) const {
  const bool counted = counts != nullptr && one.operation == ElementOperation::hessian;
  const holo_material_reference* library = choice_ == SingularChoice::leave ? nullptr : reference();
  if (library == nullptr) {
    if (counted) ++counts->unresolved;
    return;
  }
  double F[9], output[45];
  std::vector<double> coefficients(one.coefficient_count);
  for (std::size_t k = 0; k < 9; ++k) F[k] = one.F[k * W];
  for (std::size_t k = 0; k < one.coefficient_count; ++k) coefficients[k] = one.coefficients[k * W];
  const std::uint32_t status =
      library->one_sided(F, coefficients.data(), static_cast<std::uint32_t>(one.operation), abi_choice(choice_), output);
  if (status == HOLO_ONE_SIDED_NONDIFFERENTIABLE && choice_ == SingularChoice::throw_error)
    throw Error(Failure::input, fmt::format("body '{}', element {}: the energy of its material is not differentiable at the "
                                            "deformation that it has; differentiation.singular may be mean, right or left",
                                            body_, element));
  if (counted) count(status, *counts);
  if (status >= HOLO_ONE_SIDED_NOT_FINITE) return;
  for (std::size_t k = 0; k < one.entries; ++k) one.output[k * W] = output[k];
}

// Loads the library at the first need; threads that come meanwhile wait.
const holo_material_reference* SingularElements::reference() const {
  std::call_once(loaded_, [this] {
    try {
      if (load_) library_ = load_();
      if (!library_) obstacle_ = "the material of body '" + body_ + "' is no plugin with a second library";
    } catch (const Error& error) {
      obstacle_ = error.what();
    }
  });
  return library_ ? &library_->abi() : nullptr;
}

std::string SingularElements::obstacle() const {
  reference();
  return obstacle_;
}

}  // namespace holo
