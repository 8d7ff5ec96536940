#pragma once
// A scene as JSON, for the head of frames.bin.

#include <cstdint>
#include <nlohmann/json.hpp>

#include "holo/study/scene.h"

namespace holo {

nlohmann::json scene_to_json(const Scene& scene);

// Throws where a key is missing, or of another type, or a hue is unknown.
Scene scene_from_json(const nlohmann::json& json);

// Throws Error(input) for a scene whose frames could not be read or drawn: an index out of range, more vertices than a file of
// `file_size` bytes has room for.
void require_sound(const Scene& scene, std::uint64_t file_size);

}  // namespace holo
