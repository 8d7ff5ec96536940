#pragma once
// Diagnosis of a minimization that failed.

#include <string>

#include "holo/opt/newton.h"

namespace holo {

// What happened, the terms with the largest gradients at x, and the problem's advice. `method` begins the text: "Newton".
std::string diagnosis_of(NewtonProblem& problem, const Eigen::VectorXd& x, const std::string& method,
                         const NewtonOptions& options, const NewtonResult& result);

}  // namespace holo
