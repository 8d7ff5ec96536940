#pragma once
// The observables that a loss reads of a simulation, and the list to which it adds its residuals. The first run of a loss lists
// the observables; later runs compute with their values, or record a graph.

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "holo/core/abi.h"
#include "holo/diff/matrix.h"
#include "holo/diff/rotations.h"
#include "holo/plugin/parameters.h"

namespace holo {

// Subjects in the simulation, which parameters of a loss name.
struct Body {
  int number;
};
struct Control {  // a driven coordinate: an angle [rad] or a length [m]
  int number;
};
struct DesignParameter {  // a configurable joint's coordinate [rad or m]
  int number;
};
struct Muscle {  // a straight piece, with an activation of its own
  int number;
};
// A quantity of n numbers that may vary in time.
template <int n>
struct Signal {
  int number;
};

struct SubjectOptions {
  const char* documentation = "";
};

// The reader of a loss's parameters. A subject (body, control, design parameter, muscle) is given by its name, by a list of
// names, or as `all`.
class LossReader : public ParameterReader<double> {
 public:
  using ParameterReader<double>::ParameterReader;
  Body body(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_BODY, options.documentation)};
  }
  Control control(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_CONTROL, options.documentation)};
  }
  DesignParameter design_parameter(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_DESIGN_PARAMETER, options.documentation)};
  }
  Muscle muscle(const char* name, const SubjectOptions& options = {}) const {
    return {subject(name, HOLO_SUBJECT_MUSCLE, options.documentation)};
  }
  // The default value is that of each of the n numbers at all times.
  template <int n>
  Signal<n> signal(const char* name, const char* unit, const ParameterOptions<double>& options = {}) const {
    return {ParameterReader<double>::signal(name, unit, n, -infinity, options)};
  }
  // A signal that is nowhere below 0, as a residual's weight must be.
  template <int n = 1>
  Signal<n> weight(const char* name, const char* unit, const ParameterOptions<double>& options = {}) const {
    return {ParameterReader<double>::signal(name, unit, n, 0.0, options)};
  }
};

// The observables and data that a loss asked for, each once.
struct Observations {
  std::vector<holo_observable> observables;
  std::vector<holo_datum> data;
  int size = 0;  // numbers of all observables

  // The index of the observable's first number; -1 if it was not asked for.
  int find(const holo_observable& wanted) const {
    int begin = 0;
    for (const holo_observable& known : observables) {
      if (known.kind == wanted.kind && known.subject == wanted.subject && known.step == wanted.step &&
          std::equal(std::begin(known.point), std::end(known.point), std::begin(wanted.point)))
        return begin;
      begin += int(holo_observable_size(known.kind));
    }
    return -1;
  }
  int find(const holo_datum& wanted) const {
    for (std::size_t i = 0; i < data.size(); ++i)
      if (data[i].kind == wanted.kind && data[i].subject == wanted.subject && data[i].index == wanted.index) return int(i);
    return -1;
  }
  void add(const holo_observable& wanted) {
    observables.push_back(wanted);
    size += int(holo_observable_size(wanted.kind));
  }
  // Which of a function's arguments is evaluated first is the compiler's choice: the order of requests is made the same for
  // all.
  void sort() {
    const auto key = [](const holo_observable& o) {
      return std::make_tuple(int(o.kind), o.subject, o.point[0], o.point[1], o.point[2], o.step);
    };
    std::sort(observables.begin(), observables.end(),
              [key](const holo_observable& a, const holo_observable& b) { return key(a) < key(b); });
    std::sort(data.begin(), data.end(), [](const holo_datum& a, const holo_datum& b) {
      return std::make_tuple(int(a.kind), a.subject, a.index) < std::make_tuple(int(b.kind), b.subject, b.index);
    });
  }
};

// The observables of a simulation at this time step (`step` 0), or one or two before (-1, -2). Throws std::invalid_argument for
// another step, and std::logic_error if a later run asks for an observable that the first run did not.
template <class S>
class Observer {
 public:
  // For the first run: lists the requests, and returns arbitrary values.
  explicit Observer(Observations& listed) : known_(&listed), listed_(&listed) {}
  // For later runs: returns the values of the listed observables and data.
  Observer(const Observations& known, const S* observables, const S* data)
      : known_(&known), observables_(observables), data_(data) {}

  // [m]
  Vector3<S> point(Body body, const Vector3<double>& in_body, int step = 0) const {
    return vector({HOLO_OBSERVABLE_POINT, std::uint32_t(body.number), {in_body[0], in_body[1], in_body[2]}, step});
  }
  // Origin [m] and orientation; the quaternion's length may differ from 1 during a solver's iterations.
  Transform<S> pose(Body body, int step = 0) const {
    const holo_observable wanted = of(HOLO_OBSERVABLE_POSE, body.number, step);
    return {{value(wanted, 0), value(wanted, 1), value(wanted, 2)},
            {value(wanted, 3), value(wanted, 4), value(wanted, 5), value(wanted, 6)}};
  }
  // [m], [kg m/s], about the center of mass [kg m^2/s], [J]
  Vector3<S> center_of_mass(Body body, int step = 0) const {
    return vector(of(HOLO_OBSERVABLE_CENTER_OF_MASS, body.number, step));
  }
  Vector3<S> momentum(Body body, int step = 0) const { return vector(of(HOLO_OBSERVABLE_MOMENTUM, body.number, step)); }
  Vector3<S> angular_momentum(Body body, int step = 0) const {
    return vector(of(HOLO_OBSERVABLE_ANGULAR_MOMENTUM, body.number, step));
  }
  S elastic_energy(Body body, int step = 0) const { return value(of(HOLO_OBSERVABLE_ELASTIC_ENERGY, body.number, step), 0); }
  // About the center of mass [kg m^2]: e . I e is the moment of inertia about an axis e of length 1.
  Matrix3<S> inertia_tensor(Body body, int step = 0) const {
    const holo_observable wanted = of(HOLO_OBSERVABLE_INERTIA_TENSOR, body.number, step);
    const S xy = value(wanted, 3), xz = value(wanted, 4), yz = value(wanted, 5);
    return {value(wanted, 0), xy, xz, xy, value(wanted, 1), yz, xz, yz, value(wanted, 2)};
  }
  // The integral of the outward normal over a subset of the surface [m^2]: n . A is its area in the projection along n.
  Vector3<S> vector_area(Body body, int step = 0) const { return vector(of(HOLO_OBSERVABLE_VECTOR_AREA, body.number, step)); }
  // Of y, a point's position from the center of mass, and Y, what it was at the start: the mean over the mass of |y - Y|^2 and
  // of y Y^T [m^2].
  S shape_deviation(Body body, int step = 0) const { return value(of(HOLO_OBSERVABLE_SHAPE_DEVIATION, body.number, step), 0); }
  Matrix3<S> shape_covariance(Body body, int step = 0) const {
    const holo_observable wanted = of(HOLO_OBSERVABLE_SHAPE_COVARIANCE, body.number, step);
    Matrix3<S> result{};
    for (int k = 0; k < 9; ++k) result[k] = value(wanted, k);
    return result;
  }
  // [rad or m], [rad/s or m/s], [rad or m], of the shear modulus at rest [1]
  S control(Control control, int step = 0) const { return value(of(HOLO_OBSERVABLE_CONTROL, control.number, step), 0); }
  S control_rate(Control control, int step = 0) const {
    return value(of(HOLO_OBSERVABLE_CONTROL_RATE, control.number, step), 0);
  }
  S design_parameter(DesignParameter parameter) const {
    return value(of(HOLO_OBSERVABLE_DESIGN_PARAMETER, parameter.number, 0), 0);
  }
  S activation(Muscle muscle, int step = 0) const { return value(of(HOLO_OBSERVABLE_ACTIVATION, muscle.number, step), 0); }

  // Data: numbers that do not depend on the unknowns. `initial` is the value in the initial guess.
  template <int n>
  Vector<S, n> at(Signal<n> signal) const {
    Vector<S, n> result{};
    for (int i = 0; i < n; ++i) result[i] = datum({HOLO_DATUM_SIGNAL, std::uint32_t(signal.number), std::uint32_t(i)});
    return result;
  }
  S initial(Control control) const { return initial(HOLO_OBSERVABLE_CONTROL, control.number); }
  S initial(DesignParameter parameter) const { return initial(HOLO_OBSERVABLE_DESIGN_PARAMETER, parameter.number); }
  S time() const { return datum({HOLO_DATUM_TIME, 0, 0}); }            // [s]
  S time_step() const { return datum({HOLO_DATUM_TIME_STEP, 0, 0}); }  // between two steps [s]

 private:
  static holo_observable of(holo_observable_kind kind, int subject, int step) {
    return {kind, std::uint32_t(subject), {0, 0, 0}, step};
  }
  S initial(holo_observable_kind kind, int subject) const {
    return datum({HOLO_DATUM_INITIAL_VALUE, std::uint32_t(subject), std::uint32_t(kind)});
  }
  Vector3<S> vector(const holo_observable& wanted) const { return {value(wanted, 0), value(wanted, 1), value(wanted, 2)}; }

  S value(const holo_observable& wanted, int entry) const {
    int begin = known_->find(wanted);
    if (listed_ != nullptr) {
      if (wanted.step > 0 || wanted.step < -2)
        throw std::invalid_argument("an observable is asked for at step " + std::to_string(wanted.step) +
                                    "; allowed are 0 (this one), -1 and -2");
      if (begin < 0) listed_->add(wanted);
      return S(stand_in(entry));
    }
    if (begin < 0) throw std::logic_error(changed);
    return observables_[begin + entry];
  }
  S datum(const holo_datum& wanted) const {
    const int found = known_->find(wanted);
    if (listed_ != nullptr) {
      if (found < 0) listed_->data.push_back(wanted);
      return S(1.0);
    }
    if (found < 0) throw std::logic_error(changed);
    return data_[found];
  }
  // Not 0, and all different, so that no expression of them is singular by chance.
  static double stand_in(int entry) { return 0.5 + 0.125 * entry; }

  static constexpr const char* changed = "residuals() asks for other observables in its second run than in its first";
  const Observations* known_;
  Observations* listed_ = nullptr;
  const S* observables_ = nullptr;
  const S* data_ = nullptr;
};

// The residuals r of a loss with their weights w, and plain values: the loss is the sum of w r^2 / 2 and of the values.
template <class S>
class LossResiduals {
 public:
  struct WeightedResidual {
    S residual, weight;
  };
  struct Measure {
    const char *name, *unit;
    S value;
  };
  // weight >= 0
  void add(const S& residual, const S& weight) { weighted_.push_back({residual, weight}); }
  void add_value(const S& value) { values_.push_back(value); }
  // The distance to a limit: where it is positive, a solver's step leaves at least a hundredth of it.
  void keep_positive(const S& distance) { distances_.push_back(distance); }
  // A number for reports; name (snake_case) and unit are literals.
  void measure(const char* name, const char* unit, const S& value) { measures_.push_back({name, unit, value}); }

  const std::vector<WeightedResidual>& weighted() const { return weighted_; }
  const std::vector<S>& values() const { return values_; }
  const std::vector<S>& distances() const { return distances_; }
  const std::vector<Measure>& measures() const { return measures_; }

 private:
  std::vector<WeightedResidual> weighted_;
  std::vector<S> values_, distances_;
  std::vector<Measure> measures_;
};

}  // namespace holo
