// Materials, joints and losses on batches. Arguments come checked from holomorph/plugins.py: doubles by rows, of the right
// shape.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "batches.h"
#include "free_names.h"
#include "holo/core/configuration.h"
#include "holo/core/numerics/aligned_array.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/core/plugins/material_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "parts.h"

namespace holo::python {

namespace py = pybind11;

void ConstantSignals::require_bounds() const {
  for (const SignalBound& bound : bounds_) {
    const std::vector<double>& values = values_.at(static_cast<std::size_t>(bound.signal));
    if (!values.empty()) bound.require(bound.key, *std::min_element(values.begin(), values.end()));
  }
}

namespace {

using Rows = py::array_t<double, py::array::c_style>;
using Paths = std::vector<std::string>;

PluginHost host_of(const Paths& plugin_path) { return PluginHost({plugin_path.begin(), plugin_path.end()}); }

py::list described(const std::vector<ParameterDescription>& parameters) {
  py::list result;
  for (const ParameterDescription& p : parameters)
    result.append(py::dict(py::arg("name") = p.path, py::arg("kind") = p.kind, py::arg("unit") = p.unit,
                           py::arg("range") = p.range, py::arg("default") = p.default_value,
                           py::arg("documentation") = p.documentation, py::arg("required") = p.required));
  return result;
}

// Reads parameters that are given as YAML, a key a line. `read` gets the mapping; all problems are thrown as one.
template <class Read>
auto read_parameters(const std::string& yaml, const std::string& name, const Read& read) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, name);
  Configuration root = file.root();
  auto result = read(root);
  file.finish();
  return result;
}

BatchInput input_of(const Rows& rows, std::size_t entries) { return {rows.data(), entries}; }

BatchOutput output_of(Rows& rows, std::size_t entries, std::size_t order = 0) { return {rows.mutable_data(), entries, order}; }

template <class Call>
std::vector<double> seconds_of(int repetitions, const Call& call) {
  std::vector<double> result;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    call();
    result.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return result;
}

class Material {
 public:
  Material(const std::string& name, const std::string& yaml, const Paths& plugin_path)
      : plugin_(host_of(plugin_path).get<MaterialPlugin>(name)) {
    values_ = read_parameters(yaml, name, [&](Configuration& root) { return plugin_->read_coefficients(root); });
    coefficients_ = AlignedArray(values_.size() * HOLO_LANE_WIDTH);
    for (std::size_t i = 0; i < coefficients_.size(); ++i) coefficients_[i] = values_[i / HOLO_LANE_WIDTH];
  }

  const MaterialPlugin& plugin() const { return *plugin_; }
  const std::vector<double>& values() const { return values_; }
  bool offers(int operation) const { return plugin_->abi().operations[operation] != nullptr; }

  void run(int operation, std::size_t entries, std::size_t order, const Rows& gradients, const std::vector<Rows>& directions,
           Rows& output) const {
    const std::vector<BatchInput> inputs = inputs_of(gradients, directions);
    const BatchOutput to = output_of(output, entries, order);
    const auto count = static_cast<std::size_t>(gradients.shape(0));
    const py::gil_scoped_release released;
    run_rows(operation, count, inputs, to);
  }

  // Runs the plugin's operation alone, on blocks that fit in the cache, until `count` elements are done: what the ABI's own
  // layout takes, whose callers keep their numbers in blocks.
  void run_blocks(int operation, std::size_t entries, std::size_t directions, const Rows& gradients, std::size_t count) const {
    const std::size_t rows = static_cast<std::size_t>(gradients.shape(0)), blocks = rows / HOLO_LANE_WIDTH;
    AlignedArray in(rows * 9), out(rows * entries);
    for (std::size_t i = 0; i < in.size(); ++i)  // [block][9][lane] from [n][9]
      in[i] =
          gradients.data()[(i / (9 * HOLO_LANE_WIDTH) * HOLO_LANE_WIDTH + i % HOLO_LANE_WIDTH) * 9 + i / HOLO_LANE_WIDTH % 9];
    const py::gil_scoped_release released;
    for (std::size_t done = 0; done < count; done += rows) {
      holo_batch batch = batch_of(blocks, in.data(), out.data());
      batch.direction1 = directions > 0 ? in.data() : nullptr;
      batch.direction2 = directions > 1 ? in.data() : nullptr;
      plugin_->abi().operations[operation](&batch);
    }
  }

  // Seconds of each of `repetitions` calls of the same computation from C++.
  std::vector<double> seconds(int operation, std::size_t entries, std::size_t order, const Rows& gradients,
                              const std::vector<Rows>& directions, Rows& output, int repetitions) const {
    const std::vector<BatchInput> inputs = inputs_of(gradients, directions);
    const BatchOutput to = output_of(output, entries, order);
    const auto count = static_cast<std::size_t>(gradients.shape(0));
    const py::gil_scoped_release released;
    return seconds_of(repetitions, [&] { run_rows(operation, count, inputs, to); });
  }

 private:
  holo_batch batch_of(std::size_t blocks, const double* gradients, double* output) const {
    holo_batch batch{};
    batch.size = sizeof batch;
    batch.block_count = blocks;
    batch.deformation_gradient = gradients;
    batch.coefficients = coefficients_.data();
    batch.output = output;
    return batch;
  }

  static std::vector<BatchInput> inputs_of(const Rows& gradients, const std::vector<Rows>& directions) {
    std::vector<BatchInput> inputs{input_of(gradients, 9)};
    for (const Rows& direction : directions) inputs.push_back(input_of(direction, 9));
    return inputs;
  }

  void run_rows(int operation, std::size_t count, const std::vector<BatchInput>& inputs, const BatchOutput& output) const {
    const std::size_t directions = inputs.size() - 1;
    const holo_batch_function function = plugin_->abi().operations[operation];
    run_batch(count, inputs, output, [&](std::size_t blocks, const double* const* in, double* out) {
      holo_batch batch = batch_of(blocks, in[0], out);
      batch.direction1 = directions > 0 ? in[1] : nullptr;
      batch.direction2 = directions > 1 ? in[2] : nullptr;
      batch.direction3 = directions > 2 ? in[3] : nullptr;
      function(&batch);
    });
  }

  std::shared_ptr<const MaterialPlugin> plugin_;
  std::vector<double> values_;
  AlignedArray coefficients_;  // one block
};

class Joint {
 public:
  Joint(const std::string& name, const std::string& yaml, const Paths& plugin_path)
      : plugin_(host_of(plugin_path).get<JointPlugin>(name)) {
    constants_ = read_parameters(yaml, name, [&](Configuration& root) { return plugin_->read_constants(root); });
  }

  const JointPlugin& plugin() const { return *plugin_; }
  const std::vector<double>& constants() const { return constants_; }
  bool offers(int operation) const { return plugin_->abi().operations[operation] != nullptr; }

  // Poses are those of an operation of both bodies, and coordinates and weights those that it names.
  void run(int operation, std::size_t entries, std::size_t order, const Rows& frames, const Rows& pose_a, const Rows& pose_b,
           const Rows& coordinates, const Rows& weights, Rows& output) const {
    std::vector<BatchInput> inputs;
    for (const Rows* rows : {&pose_a, &pose_b, &coordinates, &weights})
      inputs.push_back(input_of(*rows, static_cast<std::size_t>(rows->shape(1))));
    const BatchOutput to = output_of(output, entries, order);
    const auto count = static_cast<std::size_t>(output.shape(0));
    const double* const both_frames = frames.data();
    const py::gil_scoped_release released;
    run_batch(count, inputs, to, [&](std::size_t blocks, const double* const* in, double* out) {
      holo_joint_batch batch{};
      batch.size = sizeof batch;
      batch.block_count = blocks;
      batch.frames = both_frames;
      batch.constants = constants_.data();
      batch.pose_a = in[0];
      batch.pose_b = in[1];
      batch.coordinates = in[2];
      batch.weights = in[3];
      batch.output = out;
      plugin_->abi().operations[operation](&batch);
    });
  }

  py::list coordinates() const {
    py::list result;
    static constexpr const char* kinds[] = {"length", "angle", "quaternion"};
    for (std::uint32_t i = 0; i < plugin_->abi().coordinate_count; ++i) {
      const holo_joint_coordinate& coordinate = plugin_->abi().coordinates[i];
      result.append(py::make_tuple(coordinate.name, kinds[coordinate.kind]));
    }
    return result;
  }

 private:
  std::shared_ptr<const JointPlugin> plugin_;
  std::vector<double> constants_;
};

class Loss {
 public:
  Loss(const std::string& name, const std::string& yaml, const std::vector<std::string>& subjects, const Paths& plugin_path)
      : plugin_(host_of(plugin_path).get<LossPlugin>(name)), names_(subjects) {
    const FreeNames names(subjects);
    instances_ =
        read_parameters(yaml, name, [&](Configuration& root) { return create_losses(plugin_, root, names, signals_); });
    signals_.require_bounds();
    if (instances_.size() != 1)
      throw Error(Failure::input, "the loss '" + name + "' got a list of names; make a loss of each name");
  }

  const LossPlugin& plugin() const { return *plugin_; }
  const LossInstance& instance() const { return instances_.front(); }

  py::list observables() const {
    py::list result;
    const holo_loss_description& d = instance().description();
    for (std::uint32_t i = 0; i < d.observable_count; ++i) {
      const holo_observable& o = d.observables[i];
      const auto kind = holo_observable_kind(o.kind);
      result.append(py::make_tuple(to_string(kind), subject_name(o.subject), o.step, holo_observable_size(o.kind),
                                   py::make_tuple(o.point[0], o.point[1], o.point[2])));
    }
    return result;
  }

  // For each datum: what it is, of which signal or subject, its component, and its value where that is a constant.
  py::list data() const {
    py::list result;
    const holo_loss_description& d = instance().description();
    static constexpr const char* kinds[] = {"signal", "initial value", "time", "time step"};
    for (std::uint32_t i = 0; i < d.datum_count; ++i) {
      const holo_datum& datum = d.data[i];
      py::object value = py::none();
      if (datum.kind == HOLO_DATUM_SIGNAL) value = py::float_(signals_.values(datum.subject).at(datum.index));
      const bool has_subject = datum.kind == HOLO_DATUM_INITIAL_VALUE;
      result.append(py::make_tuple(
          kinds[datum.kind], has_subject ? py::object(py::str(subject_name(datum.subject))) : py::none(), datum.index, value));
    }
    return result;
  }

  py::list measures() const {
    py::list result;
    const holo_loss_description& d = instance().description();
    for (std::uint32_t i = 0; i < d.measure_count; ++i) result.append(py::make_tuple(d.measures[i].name, d.measures[i].unit));
    return result;
  }

  void run(int operation, std::size_t order, const Rows& observables, const Rows& data, Rows& output) const {
    const auto kind = holo_loss_operation(operation);
    const std::vector<BatchInput> inputs{input_of(observables, static_cast<std::size_t>(observables.shape(1))),
                                         input_of(data, static_cast<std::size_t>(data.shape(1)))};
    const BatchOutput to = output_of(output, instance().output_size(kind), order);
    const auto count = static_cast<std::size_t>(output.shape(0));
    const py::gil_scoped_release released;
    run_batch(count, inputs, to, [&](std::size_t blocks, const double* const* in, double* out) {
      holo_loss_batch batch{};
      batch.size = sizeof batch;
      batch.block_count = blocks;
      batch.observables = in[0];
      batch.data = in[1];
      batch.output = out;
      instance().run(kind, batch);
    });
  }

 private:
  std::string subject_name(std::size_t number) const {
    return number < names_.size() ? names_[number] : std::to_string(number);
  }

  std::shared_ptr<const LossPlugin> plugin_;
  std::vector<std::string> names_;
  ConstantSignals signals_;
  std::vector<LossInstance> instances_;
};

template <class Kind>
std::vector<std::string> names_of(const Paths& plugin_path) {
  return host_of(plugin_path).names<Kind>();
}

// The properties that plugins of all kinds have.
template <class Class>
void add_common(py::class_<Class>& type) {
  type.def_property_readonly("name", [](const Class& p) { return p.plugin().name(); })
      .def_property_readonly("summary", [](const Class& p) { return p.plugin().summary(); })
      .def_property_readonly("documentation", [](const Class& p) { return std::string(p.plugin().abi().documentation); })
      .def_property_readonly("path", [](const Class& p) { return p.plugin().path().string(); })
      .def_property_readonly("parameters", [](const Class& p) { return described(p.plugin().parameters()); });
}

void add_materials(py::module_& module) {
  py::class_<Material> type(module, "Material");
  add_common(type);
  type.def(py::init<const std::string&, const std::string&, const Paths&>(), py::arg("name"), py::arg("yaml"),
           py::arg("plugin_path"))
      .def("run", &Material::run, py::arg("operation"), py::arg("entries"), py::arg("order"), py::arg("F").noconvert(),
           py::arg("directions"), py::arg("out").noconvert())
      .def("seconds", &Material::seconds, py::arg("operation"), py::arg("entries"), py::arg("order"), py::arg("F").noconvert(),
           py::arg("directions"), py::arg("out").noconvert(), py::arg("repetitions"))
      .def("run_blocks", &Material::run_blocks, py::arg("operation"), py::arg("entries"), py::arg("directions"),
           py::arg("F").noconvert(), py::arg("count"))
      .def("offers", &Material::offers, py::arg("operation"))
      .def_property_readonly("formula", [](const Material& m) { return m.plugin().formula(); })
      .def_property_readonly("coefficients", &Material::values)
      .def_property_readonly(
          "coefficient_names",
          [](const Material& m) {
            std::vector<std::string> names;
            const holo_material& abi = m.plugin().abi();
            for (std::uint32_t i = 0; i < abi.coefficient_count; ++i)
              names.push_back(abi.coefficient_names == nullptr ? std::to_string(i) : abi.coefficient_names[i]);
            return names;
          })
      .def_property_readonly("domain", [](const Material& m) {
        const holo_material& abi = m.plugin().abi();
        return py::make_tuple(abi.domain == HOLO_DOMAIN_ALL, abi.determinant_minimum, abi.determinant_maximum);
      });
}

void add_joints(py::module_& module) {
  py::class_<Joint> type(module, "Joint");
  add_common(type);
  type.def(py::init<const std::string&, const std::string&, const Paths&>(), py::arg("name"), py::arg("yaml"),
           py::arg("plugin_path"))
      .def("run", &Joint::run, py::arg("operation"), py::arg("entries"), py::arg("order"), py::arg("frames").noconvert(),
           py::arg("pose_a").noconvert(), py::arg("pose_b").noconvert(), py::arg("coordinates").noconvert(),
           py::arg("weights").noconvert(), py::arg("out").noconvert())
      .def("offers", &Joint::offers, py::arg("operation"))
      .def_property_readonly("constants", &Joint::constants)
      .def_property_readonly("coordinates", &Joint::coordinates)
      .def_property_readonly("passive_equation_count", [](const Joint& j) { return j.plugin().abi().passive_equation_count; });
}

void add_losses(py::module_& module) {
  py::class_<Loss> type(module, "Loss");
  add_common(type);
  type.def(py::init<const std::string&, const std::string&, const std::vector<std::string>&, const Paths&>(), py::arg("name"),
           py::arg("yaml"), py::arg("subjects"), py::arg("plugin_path"))
      .def("run", &Loss::run, py::arg("operation"), py::arg("order"), py::arg("observables").noconvert(),
           py::arg("data").noconvert(), py::arg("out").noconvert())
      .def_property_readonly("observables", &Loss::observables)
      .def_property_readonly("data", &Loss::data)
      .def_property_readonly("measures", &Loss::measures)
      .def_property_readonly("observable_size", [](const Loss& l) { return l.instance().observable_size(); })
      .def_property_readonly("residual_count", [](const Loss& l) { return l.instance().description().residual_count; })
      .def_property_readonly("plain_value_count", [](const Loss& l) { return l.instance().description().plain_value_count; })
      .def_property_readonly("distance_count", [](const Loss& l) { return l.instance().description().distance_count; });
}

}  // namespace

void add_plugins(py::module_& module) {
  add_materials(module);
  add_joints(module);
  add_losses(module);
  module.def("material_names", &names_of<MaterialPlugin>, py::arg("plugin_path"));
  module.def("joint_names", &names_of<JointPlugin>, py::arg("plugin_path"));
  module.def("loss_names", &names_of<LossPlugin>, py::arg("plugin_path"));
}

}  // namespace holo::python
