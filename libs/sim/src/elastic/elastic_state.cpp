#include "holo/sim/elastic/elastic_state.h"

#include <fmt/format.h>

#include <cstring>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {
namespace {

// The first bytes of a saved state: they change with its layout.
constexpr char magic[8] = {'h', 'o', 'l', 'o', 'e', 'l', 's', '2'};

template <class T>
void append(std::string& bytes, const T* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
}

template <class T>
void take(std::string_view& bytes, T* values, std::size_t count) {
  std::memcpy(values, bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
}

}  // namespace

ElasticState initial_state(const ElasticModel& model) {
  ElasticState state;
  state.positions = model.start_positions();
  state.velocities = model.start_velocities();
  return state;
}

// Magic, numbers of coordinates and of previous ones, step, time, positions, velocities, those of the step before: raw bytes of
// this machine, since a run is resumed by the same program on the same kind of processor only.
std::string serialize(const ElasticState& state) {
  std::string bytes;
  const auto size = static_cast<std::int64_t>(state.positions.size());
  append(bytes, magic, sizeof(magic));
  const auto previous_size = static_cast<std::int64_t>(state.previous_positions.size());
  append(bytes, &size, 1);
  append(bytes, &previous_size, 1);
  append(bytes, &state.step, 1);
  append(bytes, &state.time, 1);
  append(bytes, state.positions.data(), static_cast<std::size_t>(size));
  append(bytes, state.velocities.data(), static_cast<std::size_t>(size));
  append(bytes, state.previous_positions.data(), static_cast<std::size_t>(previous_size));
  append(bytes, state.previous_velocities.data(), static_cast<std::size_t>(previous_size));
  return bytes;
}

ElasticState deserialize(const ElasticModel& model, std::string_view bytes) {
  const auto size = static_cast<std::size_t>(3 * model.vertex_count());
  const std::size_t one_step = sizeof(magic) + 4 * 8 + 2 * size * sizeof(double),
                    two_steps = one_step + 2 * size * sizeof(double);
  const bool has_previous = bytes.size() == two_steps;
  std::int64_t sizes[2] = {};
  if (bytes.size() == one_step || has_previous) std::memcpy(sizes, bytes.data() + sizeof(magic), sizeof(sizes));
  const auto as_signed = static_cast<std::int64_t>(size);
  if (size == 0 || sizes[0] != as_signed || sizes[1] != (has_previous ? as_signed : 0) ||
      std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    throw Error(Failure::input,
                fmt::format("the saved state is not one of this scene: {} or {} bytes for {} vertices were expected, {} found.",
                            one_step, two_steps, model.vertex_count(), bytes.size()));
  bytes.remove_prefix(sizeof(magic) + sizeof(sizes));
  ElasticState state;
  for (Eigen::VectorXd* values : {&state.positions, &state.velocities}) values->resize(static_cast<Eigen::Index>(size));
  if (has_previous)
    for (Eigen::VectorXd* values : {&state.previous_positions, &state.previous_velocities})
      values->resize(static_cast<Eigen::Index>(size));
  take(bytes, &state.step, 1);
  take(bytes, &state.time, 1);
  take(bytes, state.positions.data(), size);
  take(bytes, state.velocities.data(), size);
  if (has_previous) {
    take(bytes, state.previous_positions.data(), size);
    take(bytes, state.previous_velocities.data(), size);
  }
  return state;
}

}  // namespace holo
