#pragma once
// A precomputed model of a body whose parameters the reader of a report changes by sliders: quantities and shapes at the nodes
// of a grid of parameters, between which they are interpolated by polynomials.
//
// Nodes are the tensor product of Chebyshev points, x_k = cos(pi (k + 1/2) / n) on [-1, 1], for each parameter; the last
// parameter runs fastest. A shape is a sum of few fields of the vertices (a reduced basis), whose coefficients are what is
// interpolated.

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace holo {

struct ModelParameter {
  std::string name, unit;
  double minimum = 0, maximum = 1;
  double value = 0;  // where the slider begins
};

struct ModelQuantity {
  std::string name, unit;
  std::vector<double> values;  // [node]; interpolated by their logarithms, so all are positive
  double target = 0;           // wanted value; 0: none
  double error = 0;            // largest relative error of the interpolation as measured between the nodes
};

struct ReducedField {
  std::vector<std::vector<double>> basis;         // [term][3 * vertex]
  std::vector<std::vector<double>> coefficients;  // [node][term]
};

struct ParameterModel {
  std::string title, caption;
  std::vector<ModelParameter> parameters;
  int points = 1;                             // of each parameter; there are points^parameters nodes
  std::vector<ModelQuantity> quantities;      // the first is the frequency of the motion
  std::vector<std::array<int, 3>> triangles;  // of the drawn surface
  ReducedField positions, displacements;      // at rest [m]; of the mode, the largest being about 1
  double position_error = 0;                  // over the body's diagonal, measured between the nodes
  double displacement_error = 0;              // over the largest displacement, measured between the nodes

  std::size_t node_count() const;
  std::vector<double> node(std::size_t number) const;  // the parameters there
};

// Weights of the nodes for parameters within their bounds: a sum of 1 over all nodes.
std::vector<double> node_weights(const ParameterModel& model, const std::vector<double>& parameters);
double interpolated(const ModelQuantity& quantity, const std::vector<double>& weights);
std::vector<double> interpolated(const ReducedField& field, const std::vector<double>& weights);  // [3 * vertex]

// Fields at the nodes [node][3 * vertex] in the basis of their largest singular values: at most `largest_terms`, and none below
// `tolerance` times the largest.
ReducedField reduced(const std::vector<std::vector<double>>& fields, int largest_terms, double tolerance);

// model.json of a run folder. Reading throws Error(input) for a file that is no such model.
std::string model_to_json(const ParameterModel& model);
ParameterModel read_model(const std::filesystem::path& path);

}  // namespace holo
