// A study that Python steps.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "holo/core/numerics/parallel.h"
#include "holo/study/frames_file.h"
#include "holo/study/prepared_run.h"
#include "parts.h"
#include "requests.h"

namespace holo::python {

namespace py = pybind11;

namespace {

using Frame = std::shared_ptr<SceneFrame>;

// Keeps what a study gives in one step.
class KeptOutput final : public StudyOutput {
 public:
  void log(const std::string&, const LogFields&) override {}
  void row(const std::vector<double>& values) override { rows.push_back(values); }
  void timings(const std::vector<double>& values) override { timing_rows.push_back(values); }
  // The study draws its next frame into the same memory: what Python keeps is a copy of its own.
  void frame(const SceneFrame& drawn) override { last = std::make_shared<SceneFrame>(drawn); }
  void table(const std::string& name, const std::string& csv) override { tables[name] = csv; }
  void model(const ParameterModel&) override {}
  void robot(const std::string&, const std::string&) override {}

  void forget_step() {
    rows.clear();
    timing_rows.clear();
    last.reset();
  }

  std::vector<std::vector<double>> rows, timing_rows;
  Frame last;
  std::map<std::string, std::string> tables;
};

// Values of a vector as an array that keeps `owner` alive.
template <class Scalar>
py::array view_of(const std::vector<Scalar>& values, const std::vector<py::ssize_t>& shape, const py::object& owner) {
  return py::array_t<Scalar>(shape, values.data(), owner);
}

py::array rows_of(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  py::array_t<double> result({static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(columns)});
  double* to = result.mutable_data();
  for (const std::vector<double>& row : rows) to = std::copy(row.begin(), row.end(), to);
  return result;
}

py::tuple described(const Quantity& quantity) { return py::make_tuple(quantity.name, quantity.unit, quantity.documentation); }

py::list described(const std::vector<Quantity>& quantities) {
  py::list result;
  for (const Quantity& quantity : quantities) result.append(described(quantity));
  return result;
}

py::array triples(const std::vector<double>& values, const py::object& owner, py::ssize_t entries) {
  return view_of(values, {static_cast<py::ssize_t>(values.size()) / entries, entries}, owner);
}

// Marks a study as in use: the GIL is released during a step, and another thread could call in between.
class InUse {
 public:
  explicit InUse(std::atomic<bool>& flag) : flag_(flag) {
    if (flag_.exchange(true)) throw std::runtime_error("the study is computing a step in another thread");
  }
  ~InUse() { flag_ = false; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  std::atomic<bool>& flag_;
};

class SteppedStudy {
 public:
  explicit SteppedStudy(const Source& source) : threads_(source.threads) {
    const py::gil_scoped_release released;
    const ThreadLimit limit(threads_);
    prepared_ = prepare_run(request_of(source));
    study().begin(output_);
  }

  // The diagnosis of a step that failed, else none.
  std::optional<std::string> step() {
    const InUse in_use(is_in_use_);
    const py::gil_scoped_release released;
    const ThreadLimit limit(threads_);
    output_.forget_step();
    const StepResult result = study().step(output_);
    return result.failed ? std::optional<std::string>(result.diagnosis) : std::nullopt;
  }

  py::bytes state() {
    const InUse in_use(is_in_use_);
    return py::bytes(study().serialize());
  }
  void set_state(const std::string& bytes) {
    const InUse in_use(is_in_use_);
    study().deserialize(bytes);
    output_.forget_step();
  }

  py::list finish() {
    const InUse in_use(is_in_use_);
    std::vector<Metric> metrics;
    {
      const py::gil_scoped_release released;
      const ThreadLimit limit(threads_);
      metrics = study().finish();
    }
    py::list result;
    for (const Metric& metric : metrics) result.append(py::make_tuple(metric.name, metric.value));
    return result;
  }

  // For each array of the state: name, array in the study's own memory, unit, documentation.
  static py::list state_arrays(const py::object& self) {
    py::list result;
    for (const StateArray& array : self.cast<SteppedStudy&>().study().state_arrays()) {
      const std::vector<py::ssize_t> shape(array.shape.begin(), array.shape.end());
      result.append(
          py::make_tuple(array.name, py::array_t<double>(shape, array.values, self), array.unit, array.documentation));
    }
    return result;
  }

  py::object scene_header() const {
    const Scene* scene = study().scene();
    return scene == nullptr ? py::object(py::none()) : py::object(py::bytes(frames_file_header(*scene)));
  }

  Study& study() const { return *prepared_->study; }
  const PreparedRun& prepared() const { return *prepared_; }
  const KeptOutput& output() const { return output_; }

 private:
  int threads_;
  std::atomic<bool> is_in_use_{false};
  std::optional<PreparedRun> prepared_;
  KeptOutput output_;
};

void add_frame(py::module_& module) {
  py::class_<SceneFrame, Frame>(module, "Frame", "A frame in memory of its own, which its arrays keep alive")
      .def_readonly("step", &SceneFrame::step)
      .def_readonly("time", &SceneFrame::time)
      .def_property_readonly("positions",
                             [](const py::object& self) { return triples(self.cast<SceneFrame&>().positions, self, 3); })
      .def_property_readonly("poses", [](const py::object& self) { return triples(self.cast<SceneFrame&>().poses, self, 7); })
      .def_property_readonly("points", [](const py::object& self) { return triples(self.cast<SceneFrame&>().points, self, 3); })
      .def_property_readonly("fields",
                             [](const py::object& self) {
                               py::list result;
                               for (const std::vector<float>& field : self.cast<SceneFrame&>().fields)
                                 result.append(view_of(field, {static_cast<py::ssize_t>(field.size())}, self));
                               return result;
                             })
      .def_property_readonly("arrows", [](const SceneFrame& frame) {
        py::list result;
        for (const std::vector<VertexArrow>& arrows : frame.arrows) {
          const auto count = static_cast<py::ssize_t>(arrows.size());
          py::array_t<std::uint32_t> vertices(count);
          py::array_t<float> vectors({count, py::ssize_t{3}});
          for (py::ssize_t i = 0; i < count; ++i) {
            vertices.mutable_at(i) = arrows[static_cast<std::size_t>(i)].vertex;
            for (py::ssize_t k = 0; k < 3; ++k)
              vectors.mutable_at(i, k) = arrows[static_cast<std::size_t>(i)].vector[static_cast<std::size_t>(k)];
          }
          result.append(py::make_tuple(vertices, vectors));
        }
        return result;
      });
}

}  // namespace

void add_study(py::module_& module) {
  add_frame(module);
  py::class_<SteppedStudy>(module, "Study", "A study that is stepped; its first frame is drawn")
      .def(py::init<const Source&>(), py::arg("source"))
      .def("step", &SteppedStudy::step)
      .def("state", &SteppedStudy::state)
      .def("set_state", &SteppedStudy::set_state, py::arg("state"))
      .def("finish", &SteppedStudy::finish)
      .def("state_arrays", &SteppedStudy::state_arrays)
      .def("scene_header", &SteppedStudy::scene_header)
      .def_property_readonly("name", [](const SteppedStudy& s) { return s.prepared().experiment.name; })
      .def_property_readonly("kind", [](const SteppedStudy& s) { return s.prepared().experiment.study; })
      .def_property_readonly("steps_done", [](const SteppedStudy& s) { return s.study().steps_done(); })
      .def_property_readonly("total_steps", [](const SteppedStudy& s) { return s.study().total_steps(); })
      .def_property_readonly("columns", [](const SteppedStudy& s) { return described(s.study().columns()); })
      .def_property_readonly("metrics", [](const SteppedStudy& s) { return described(s.prepared().experiment.plan.metrics); })
      .def_property_readonly("kernels", [](const SteppedStudy& s) { return s.study().kernels(); })
      .def_property_readonly("contents", [](const SteppedStudy& s) { return s.study().contents(); })
      .def_property_readonly("notes", [](const SteppedStudy& s) { return s.study().notes(); })
      .def_property_readonly("rows", [](const SteppedStudy& s) { return rows_of(s.output().rows, s.study().columns().size()); })
      .def_property_readonly("frame", [](const SteppedStudy& s) { return s.output().last; });
}

}  // namespace holo::python
