#pragma once
// Elements at which a material has no finite energy, stress or Hessian, for a diagnosis.

#include <Eigen/Core>
#include <cmath>
#include <optional>
#include <string>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ElementFault {
  const ElasticBody* body = nullptr;
  std::int64_t element = 0;         // its own number in the mesh's file
  ElementOperation operation = {};  // the first that is not finite
  double value = 0;                 // its first entry that is not
  double F[9] = {};                 // row by row
  double determinant = 0;
  bool is_in_domain = false;  // F is finite and the material's energy should exist there
};

// Its own number in the mesh's file; its place there, from 0, where the file gives none.
std::int64_t element_number(const ElasticModel& model, const ElasticBody& body, std::size_t packed);
// The determinant of the matrix of packed index block * lanes + lane in `gradients` [block][9][lane].
double packed_determinant(const double* gradients, std::size_t packed);

// x, or a NaN without its sign, which has no meaning.
inline double without_sign_of_nan(double x) { return std::isnan(x) ? std::abs(x) : x; }

// The first element that its material should have numbers for, else the first one outside of its material's domain.
std::optional<ElementFault> find_element_fault(const ElasticModel& model, const Eigen::VectorXd& positions);

// "element 7 of body 'block' has the energy nan J/m^3 in the material 'gent' at F = [...], det F = 1.1".
std::string to_string(const ElementFault& fault);

}  // namespace holo
