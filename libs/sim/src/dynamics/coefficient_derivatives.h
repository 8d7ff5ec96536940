#pragma once
// Derivatives of a material's stress and Hessian in its coefficients c, of one block of elements of a body.
//
// The plugin ABI ends at dP/dc. Derivatives of it, d2P/(dF dc) and d2P/dc2, are central differences of sixth order of exact
// values in c, with steps of 2^-8 of a coefficient: relative errors are about 1e-13 for energies that are polynomials in c of
// up to sixth degree (most are linear), and 1e-11 for 1/c.

#include "holo/sim/dynamics/element_energy.h"

namespace holo {

// True if the energy can be differentiated in the body's coefficients: they are uniform, and its material offers dP/dc.
bool has_coefficient_parameters(const ElasticBody& body);
// The number of coefficients that are parameters: all of a body's, or none.
Eigen::Index coefficient_parameter_count(const ElasticBody& body);
Eigen::Index coefficient_parameter_count(const ElasticModel& model);

// Writes dP/dc_k of all coefficients k into `stress` [k][9][lane] [Pa per unit of c_k].
void coefficient_stresses(const ElementBlocks& block, double* stress);
// Writes dH/dc_k of the Hessian H = d2Psi/dF2 into `hessians` [k][45][lane].
void coefficient_hessians(const ElementBlocks& block, double* hessians);
// Writes d2P/(dc_k dc_l) into `stress` [k][l][9][lane].
void second_coefficient_stresses(const ElementBlocks& block, double* stress);

}  // namespace holo
