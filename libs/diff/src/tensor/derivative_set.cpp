#include "holo/diff/tensor/derivative_set.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "holo/diff/tensor/tensor_error.h"

namespace holo {
namespace {

void require_between(int value, int low, int high, const char* what) {
  if (value < low || value > high)
    throw TensorError(TensorError::Kind::dimension_mismatch, TensorError::unknown,
                      std::string("a set of derivatives with ") + std::to_string(value) + " " + what + ": between " +
                          std::to_string(low) + " and " + std::to_string(high) + " are allowed");
}

// The units of a monomial that an assignment gives to the part `wanted`; part[slot] is the part of the unit in this slot.
std::vector<int> units_of(const std::vector<int>& monomial, const std::vector<int>& part, int wanted) {
  std::vector<int> units;
  for (std::size_t slot = 0; slot < monomial.size(); ++slot)
    if (part[slot] == wanted) units.push_back(monomial[slot]);
  return units;
}

// Calls visit(part) for each of the parts^slots assignments of units to parts, counting in base `parts`.
template <class Visit>
void for_each_assignment(std::size_t slots, int parts, Visit visit) {
  std::vector<int> part(slots, 0);
  while (true) {
    visit(part);
    std::size_t slot = 0;
    while (slot < slots && ++part[slot] == parts) part[slot++] = 0;
    if (slot == slots) return;
  }
}

}  // namespace

// Binary search among the monomials in lexicographic order.
int DerivativeSet::Tables::find(const std::vector<int>& units) const {
  const auto found = std::lower_bound(by_name.begin(), by_name.end(), units,
                                      [&](int index, const std::vector<int>& name) { return monomials[index] < name; });
  return found == by_name.end() || monomials[*found] != units ? -1 : *found;
}

DerivativeSet::DerivativeSet(std::vector<std::vector<int>> monomials) {
  auto tables = std::make_shared<Tables>();
  tables->monomials = std::move(monomials);
  const std::size_t size = tables->monomials.size();
  tables->by_name.resize(size);
  std::iota(tables->by_name.begin(), tables->by_name.end(), 0);
  std::sort(tables->by_name.begin(), tables->by_name.end(),
            [&](int a, int b) { return tables->monomials[a] < tables->monomials[b]; });
  tables->splits.resize(size);
  tables->triple_splits.resize(size);
  tables->anchored_splits.resize(size);
  for (std::size_t index = 0; index < size; ++index) {
    // Recursions run over degrees: a monomial's parts have lower degrees.
    const std::vector<int>& monomial = tables->monomials[index];
    if (tables->levels.size() <= monomial.size()) tables->levels.resize(monomial.size() + 1);
    tables->levels[monomial.size()].push_back(int(index));
    if (monomial.empty()) continue;
    // Every assignment of the monomial's units to two or three parts is a term of Leibniz' rule. Pairs with an empty part and
    // triples with the monomial itself as a part are omitted, because they multiply the unknown coefficient of a recursion. In
    // the anchored triples the third part has the first unit, which selects one of three equal terms in Jacobi's formula.
    for_each_assignment(monomial.size(), 2, [&](const std::vector<int>& part) {
      const int first = tables->find(units_of(monomial, part, 0)), second = tables->find(units_of(monomial, part, 1));
      if (first != 0 && second != 0) tables->splits[index].push_back({first, second});
    });
    for_each_assignment(monomial.size(), 3, [&](const std::vector<int>& part) {
      const int self = int(index);
      const TripleSplit split{tables->find(units_of(monomial, part, 0)), tables->find(units_of(monomial, part, 1)),
                              tables->find(units_of(monomial, part, 2))};
      if (split.first != self && split.second != self && split.third != self) tables->triple_splits[index].push_back(split);
      if (part[0] == 2) tables->anchored_splits[index].push_back(split);
    });
  }
  tables_ = std::move(tables);
}

DerivativeSet DerivativeSet::subsets(int order) {
  require_between(order, 1, 12, "directions");
  auto make = [](int n) {
    std::vector<std::vector<int>> monomials(std::size_t(1) << n);
    for (std::size_t mask = 0; mask < monomials.size(); ++mask)
      for (int unit = 0; unit < n; ++unit)
        if (mask >> unit & 1) monomials[mask].push_back(unit);
    return DerivativeSet(std::move(monomials));
  };
  // Sets of low order are made once: their tables are compared by address.
  static const DerivativeSet usual[3] = {make(1), make(2), make(3)};
  return order <= 3 ? usual[order - 1] : make(order);
}

DerivativeSet DerivativeSet::directions(int count) {
  require_between(count, 1, 1 << 24, "directions");
  std::vector<std::vector<int>> monomials(1);
  for (int k = 0; k < count; ++k) monomials.push_back({k});
  return DerivativeSet(std::move(monomials));
}

DerivativeSet DerivativeSet::shared_direction(int count) {
  require_between(count, 1, 1 << 24, "directions");
  std::vector<std::vector<int>> monomials{{}, {0}};
  for (int k = 0; k < count; ++k) monomials.push_back({1 + k});
  for (int k = 0; k < count; ++k) monomials.push_back({0, 1 + k});
  return DerivativeSet(std::move(monomials));
}

DerivativeSet DerivativeSet::up_to_second(int parameters) {
  require_between(parameters, 1, 4096, "parameters");
  std::vector<std::vector<int>> monomials(1);
  for (int k = 0; k < parameters; ++k) monomials.push_back({k});
  for (int k = 0; k < parameters; ++k)
    for (int l = k; l < parameters; ++l) monomials.push_back({k, l});
  return DerivativeSet(std::move(monomials));
}

DerivativeSet DerivativeSet::none() { return DerivativeSet(std::vector<std::vector<int>>(1)); }

DerivativeSet DerivativeSet::with_one_more() const {
  std::vector<std::vector<int>> monomials = tables_->monomials;
  // The further direction gets the next number after those in use.
  int further = 0;
  for (const auto& monomial : monomials)
    for (int unit : monomial) further = std::max(further, unit + 1);
  for (int k = 0; k < size(); ++k) {
    monomials.push_back(tables_->monomials[k]);
    monomials.back().push_back(further);
  }
  return DerivativeSet(std::move(monomials));
}

int DerivativeSet::index(std::vector<int> units) const {
  std::sort(units.begin(), units.end());
  return tables_->find(units);
}

}  // namespace holo
