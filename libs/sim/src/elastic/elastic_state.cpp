#include "holo/sim/elastic/elastic_state.h"

#include <fmt/format.h>

#include <cstring>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {
namespace {

// The first bytes of a saved state: they change with its layout.
constexpr char magic[8] = {'h', 'o', 'l', 'o', 'e', 'l', 's', '1'};

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

// Magic, number of coordinates, step, time, positions, velocities: raw bytes of this machine, since a run is resumed by the
// same program on the same kind of processor only.
std::string serialize(const ElasticState& state) {
  std::string bytes;
  const auto size = static_cast<std::int64_t>(state.positions.size());
  append(bytes, magic, sizeof(magic));
  append(bytes, &size, 1);
  append(bytes, &state.step, 1);
  append(bytes, &state.time, 1);
  append(bytes, state.positions.data(), static_cast<std::size_t>(size));
  append(bytes, state.velocities.data(), static_cast<std::size_t>(size));
  return bytes;
}

ElasticState deserialize(const ElasticModel& model, std::string_view bytes) {
  const auto size = static_cast<std::size_t>(3 * model.vertex_count());
  const std::size_t expected = sizeof(magic) + 3 * 8 + 2 * size * sizeof(double);
  if (bytes.size() != expected || std::memcmp(bytes.data(), magic, sizeof(magic)) != 0)
    throw Error(Failure::input,
                fmt::format("the saved state is not one of this scene: {} bytes for {} vertices were expected, {} found.",
                            expected, model.vertex_count(), bytes.size()));
  bytes.remove_prefix(sizeof(magic) + 8);
  ElasticState state;
  state.positions.resize(static_cast<Eigen::Index>(size));
  state.velocities.resize(static_cast<Eigen::Index>(size));
  take(bytes, &state.step, 1);
  take(bytes, &state.time, 1);
  take(bytes, state.positions.data(), size);
  take(bytes, state.velocities.data(), size);
  return state;
}

}  // namespace holo
