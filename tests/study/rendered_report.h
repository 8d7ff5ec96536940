#pragma once
// A report page taken apart again, and a small scene to fill it.

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "expect_holds.h"
#include "holo/core/error.h"
#include "holo/study/report.h"

namespace holo::rendered_report {

using nlohmann::json;

inline const std::string page_template = "<html><script>HOLOMORPH_REPORT_DATA</script></html>";

inline std::string data_block(const std::string& page) {
  const std::string head = "<html><script>", tail = "</script></html>";
  EXPECT_EQ(page.substr(0, head.size()), head);
  EXPECT_EQ(page.substr(page.size() - tail.size()), tail);
  return page.substr(head.size(), page.size() - head.size() - tail.size());
}

inline json rendered(const ReportData& data, const ReportLimits& limits = {}) {
  return json::parse(data_block(render_report(data, page_template, limits)));
}

// The reverse of what the page is sent, written from its description alone.
inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0, count = 0;
  for (char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 255);
  }
  return bytes;
}

inline std::string gunzip(const std::string& packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string result;
  int status = Z_OK;
  while (status == Z_OK) {
    char chunk[4096];
    stream.next_out = reinterpret_cast<Bytef*>(chunk);
    stream.avail_out = sizeof chunk;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(chunk, sizeof chunk - stream.avail_out);
  }
  EXPECT_EQ(status, Z_STREAM_END);
  inflateEnd(&stream);
  return result;
}

template <class Unsigned>
inline std::vector<Unsigned> differences(const json& text) {
  const std::string bytes = gunzip(from_base64(text.get<std::string>()));
  std::vector<Unsigned> numbers(bytes.size() / sizeof(Unsigned));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Unsigned zigzag = 0;
    for (std::size_t b = 0; b < sizeof(Unsigned); ++b)
      zigzag |=
          static_cast<Unsigned>(static_cast<Unsigned>(static_cast<unsigned char>(bytes[b * numbers.size() + i])) << (8 * b));
    numbers[i] = static_cast<Unsigned>(zigzag % 2 ? ~(zigzag >> 1) : zigzag >> 1);
  }
  return numbers;
}

inline std::vector<std::uint16_t> animation_codes(const json& text, std::size_t entries) {
  std::vector<std::uint16_t> codes = differences<std::uint16_t>(text);
  for (std::size_t i = entries; i < codes.size(); ++i) {
    const int before = codes[i - entries], two_before = i >= 2 * entries ? codes[i - 2 * entries] : before;
    codes[i] = static_cast<std::uint16_t>(codes[i] + 2 * before - two_before);
  }
  return codes;
}

inline std::vector<std::uint32_t> triangle_entries(const json& text) {
  std::vector<std::uint32_t> indices = differences<std::uint32_t>(text);
  for (std::size_t i = 1; i < indices.size(); ++i) indices[i] += indices[i - 1];
  return indices;
}

inline double value_of(std::uint16_t code, double minimum, double maximum) {
  return minimum + (maximum - minimum) * code / 65534.0;
}

// Vertex v of the sample at frame i. Coordinates of very different sizes, so that a range shared between axes would show.
inline std::array<float, 3> position(std::size_t vertex, std::size_t frame) {
  const double v = static_cast<double>(vertex), t = 0.1 * static_cast<double>(frame);
  return {static_cast<float>(100 * std::sin(v + t)), static_cast<float>(1e-3 * std::cos(3 * v - t)),
          static_cast<float>(v * t - 5)};
}

inline float stress(std::size_t vertex, std::size_t frame) {
  return static_cast<float>(1e4 * (1 + std::sin(static_cast<double>(vertex * frame))));
}

inline constexpr std::size_t vertex_count = 7;

// Seven vertices, of which the triangles use all but number 3.
inline ReportData sample(std::size_t frame_count, std::function<void(std::size_t, SceneFrame&)> spoil = {}) {
  SceneClip clip;
  clip.title = "sample";
  clip.scene.bodies = {{.name = "body", .vertex_count = vertex_count, .triangles = {{6, 0, 2}, {2, 0, 1}, {4, 5, 6}}}};
  clip.scene.fields = {{"von_mises_stress", "Pa"}};
  clip.frame_count = frame_count;
  clip.frame = [spoil](std::size_t index, SceneFrame& frame) {
    frame.time = 0.1 * static_cast<double>(index);
    frame.positions.resize(3 * vertex_count);
    frame.fields.assign(1, std::vector<float>(vertex_count));
    for (std::size_t v = 0; v < vertex_count; ++v) {
      for (std::size_t k = 0; k < 3; ++k) frame.positions[3 * v + k] = static_cast<double>(position(v, index)[k]);
      frame.fields[0][v] = stress(v, index);
    }
    if (spoil) spoil(index, frame);
  };
  ReportData data;
  data.scenes.push_back(clip);
  return data;
}

inline const std::vector<std::size_t> used = {6, 0, 2, 1, 4, 5};  // in the order of the triangles

template <class Function>
inline std::string message_of(Function function, Failure expected = Failure::internal) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.failure(), expected);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace holo::rendered_report
