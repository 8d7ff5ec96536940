#pragma once
// The functions that a contact pair's energy is made of, with their derivatives in the positions x [3 * node] of the pair. All
// code that compilers take long over is in pair_functions.cpp, once.

#include "contact/pairs/second_order.h"

namespace holo::pairs {

// The squared distance of the features [m^2]. Positions of Nilpotent<1> carry a direction, along which all is differentiated.
double squared_distance_of(const ClosestFeatures& features, const double* x);
FirstOrder<double> squared_distance_first_order(const ClosestFeatures& features, const double* x);
SecondOrder<double> squared_distance_second_order(const ClosestFeatures& features, const double* x);
SecondOrder<Nilpotent<1>> squared_distance_second_order(const ClosestFeatures& features, const Nilpotent<1>* x);

// Whether c = |e_1 x e_2|^2 of two edges is below the threshold e [m^4] of their mollifier, hence never if that is 0.
bool is_mollified(double threshold, const double* x);
// The mollifier (2 - c/e)(c/e) of edges for which it differs from 1.
double mollifier_of(double threshold, const double* x);
FirstOrder<double> mollifier_first_order(double threshold, const double* x);
SecondOrder<double> mollifier_second_order(double threshold, const double* x);
SecondOrder<Nilpotent<1>> mollifier_second_order(double threshold, const Nilpotent<1>* x);

}  // namespace holo::pairs
