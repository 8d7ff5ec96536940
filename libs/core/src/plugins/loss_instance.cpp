#include <algorithm>
#include <cmath>

#include "holo/core/plugins/loss_plugin.h"
#include "plugins/plugin_registration.h"
#include "plugins/plugin_tables.h"

namespace holo {

namespace {

std::string number(std::uint32_t i) { return "number " + std::to_string(i); }

void check_observables(const holo_loss_description& d) {
  require(d.observable_count == 0 || d.observables != nullptr, "its observables are a null pointer");
  for (std::uint32_t i = 0; i < d.observable_count; ++i) {
    const holo_observable& observable = d.observables[i];
    require(observable.kind < HOLO_OBSERVABLE_KIND_COUNT,
            "its observable " + number(i) + " is of the unknown kind " + std::to_string(observable.kind));
    require(observable.step <= 0 && observable.step >= -2, "its observable " + number(i) + " is asked for at step " +
                                                               std::to_string(observable.step) +
                                                               "; allowed are 0 (this one), -1 and -2");
    for (const double entry : observable.point)
      require(std::isfinite(entry), "the point of its observable " + number(i) + " is not finite");
  }
}

void check_data(const holo_loss_description& d) {
  require(d.datum_count == 0 || d.data != nullptr, "its data are a null pointer");
  for (std::uint32_t i = 0; i < d.datum_count; ++i) {
    const holo_datum& datum = d.data[i];
    require(datum.kind < HOLO_DATUM_KIND_COUNT,
            "its datum " + number(i) + " is of the unknown kind " + std::to_string(datum.kind));
    require(datum.kind != HOLO_DATUM_INITIAL_VALUE ||
                (datum.index < HOLO_OBSERVABLE_KIND_COUNT && holo_observable_size(datum.index) == 1),
            "its datum " + number(i) + " is the initial value of what is not one number");
  }
}

void check_description(const holo_loss_description& d) {
  require(d.size == sizeof d, "its description has " + std::to_string(d.size) + " bytes, not " + std::to_string(sizeof d));
  check_observables(d);
  check_data(d);
  require(d.measure_count == 0 || d.measures != nullptr, "its measures are a null pointer");
  for (std::uint32_t i = 0; i < d.measure_count; ++i)
    require(d.measures[i].name != nullptr && d.measures[i].unit != nullptr,
            "the name or unit of its measure " + number(i) + " is a null pointer");
}

}  // namespace

LossInstance::LossInstance(std::shared_ptr<const LossPlugin> plugin, holo_loss_instance* instance, std::string subject)
    : plugin_(std::move(plugin)),
      // The deleter's copy of the plugin keeps the library loaded while the instance is destroyed.
      instance_(instance, [plugin = plugin_](holo_loss_instance* made) { plugin->abi().destroy(made); }),
      subject_(std::move(subject)),
      description_{} {
  try {
    guarded("'describe'", [&] { plugin_->abi().describe(instance, &description_); });
    check_description(description_);
  } catch (const PluginRefusal& refusal) {
    throw Error(Failure::input, "the loss '" + plugin_->name() + "' (" + plugin_->path().string() + "): " + refusal.reason);
  }
  for (std::uint32_t i = 0; i < description_.observable_count; ++i)
    observable_size_ += holo_observable_size(description_.observables[i].kind);
}

std::size_t LossInstance::output_size(holo_loss_operation operation) const {
  switch (operation) {
    case HOLO_LOSS_VALUE:
      return 1;
    case HOLO_LOSS_GRADIENT:
      return observable_size_;
    case HOLO_LOSS_MEASURES:
      return description_.measure_count;
    case HOLO_LOSS_DISTANCES:
      return description_.distance_count;
    default:
      return observable_size_ * (observable_size_ + 1) / 2;
  }
}

void LossInstance::run(holo_loss_operation operation, const holo_loss_batch& batch) const {
  holo_error error;
  error.size = sizeof error;
  error.message[0] = 0;
  std::string reason;
  try {
    if (guarded("'run'", [&] { return plugin_->abi().run(instance_.get(), operation, &batch, &error); }) == 0) return;
    reason = to_text(error);
  } catch (const PluginRefusal& refusal) {
    reason = refusal.reason;
  }
  throw Error(Failure::environment, "the loss '" + plugin_->name() + "' (" + plugin_->path().string() +
                                        ") fails: " + (reason.empty() ? "no reason given" : reason));
}

std::string to_string(holo_observable_kind kind) {
  static constexpr const char* names[HOLO_OBSERVABLE_KIND_COUNT] = {
#define HOLO_ROW(KIND, name, size, unit, SUBJECT) #name,
      HOLO_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
  };
  if (kind >= HOLO_OBSERVABLE_KIND_COUNT) return "observable of an unknown kind";
  std::string words = names[kind];
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string to_string(holo_subject subject) {
  static constexpr const char* names[HOLO_SUBJECT_COUNT] = {"body", "control", "design parameter", "muscle", "target"};
  return subject < HOLO_SUBJECT_COUNT ? names[subject] : "thing of an unknown class";
}

holo_subject subject_of(holo_observable_kind kind) {
  static constexpr holo_subject subjects[HOLO_OBSERVABLE_KIND_COUNT] = {
#define HOLO_ROW(KIND, name, size, unit, SUBJECT) HOLO_SUBJECT_##SUBJECT,
      HOLO_OBSERVABLES(HOLO_ROW)
#undef HOLO_ROW
  };
  return kind < HOLO_OBSERVABLE_KIND_COUNT ? subjects[kind] : HOLO_SUBJECT_BODY;
}

}  // namespace holo
