// A precomputed model of a body: quantities and shapes as polynomials of parameters, between the nodes at which they were computed.
// The twin of libs/study/src/report/parameter_model.cpp.
import { decode_indices, decode_numbers } from './array_decoding.js';

const chebyshev_point = (k, count) => Math.cos((Math.PI * (k + 0.5)) / count);

// Lagrange's polynomials of the Chebyshev points at x in [-1, 1], by the barycentric formula.
export function lagrange_polynomials(x, count) {
  const distances = Array.from({ length: count }, (_, k) => x - chebyshev_point(k, count));
  const node = distances.findIndex((distance) => Math.abs(distance) < 1e-14);
  if (node >= 0) return distances.map((_, k) => (k === node ? 1 : 0));
  const terms = distances.map((distance, k) => ((k % 2 === 0 ? 1 : -1) * Math.sin((Math.PI * (k + 0.5)) / count)) / distance);
  const sum = terms.reduce((a, b) => a + b, 0);
  return terms.map((term) => term / sum);
}

// Weights of all nodes, the last parameter's index running fastest.
export function node_weights({ parameters, points }, values) {
  return parameters.reduce((weights, { minimum, maximum }, k) => {
    const polynomials = lagrange_polynomials((2 * values[k] - minimum - maximum) / (maximum - minimum), points);
    return weights.flatMap((weight) => polynomials.map((polynomial) => weight * polynomial));
  }, [1]);
}

// A quantity is interpolated by its logarithm.
export function quantity_at(quantity, weights) {
  return Math.exp(quantity.values.reduce((sum, value, n) => sum + weights[n] * Math.log(value), 0));
}

// Writes a field to target [entry][3].
export function write_field({ terms, basis, coefficients }, weights, target) {
  target.fill(0);
  for (let r = 0; r < terms; ++r) {
    const coefficient = weights.reduce((sum, weight, n) => sum + weight * coefficients[n * terms + r], 0);
    for (let i = 0, k = r * target.length; i < target.length; ++i, ++k) target[i] += coefficient * basis[k];
  }
}

async function decode_field(field, vertices, nodes, what) {
  return {
    terms: field.terms,
    basis: await decode_numbers(field.basis, field.terms * 3 * vertices, `basis of ${what}`),
    coefficients: await decode_numbers(field.coefficients, field.terms * nodes, `coefficients of ${what}`),
  };
}

export async function decode_model(model) {
  const nodes = model.points ** model.parameters.length;
  const triangles = await decode_indices(model.triangles, 3 * model.triangle_count, 'triangles of the model');
  if (triangles.some((entry) => entry >= model.vertex_count)) throw new Error('triangles of the model: a vertex out of range');
  return {
    ...model, triangles,
    positions: await decode_field(model.positions, model.vertex_count, nodes, 'positions'),
    displacements: await decode_field(model.displacements, model.vertex_count, nodes, 'displacements'),
  };
}
