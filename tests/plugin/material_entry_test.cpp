#include <gtest/gtest.h>

#include <stdexcept>

#include "holo/plugin/material.h"

namespace {

struct Simple {
  template <class S>
  struct Coefficients {
    S mu;
  };
  template <class P>
  static Coefficients<P> read(const ParameterReader<P>& p) {
    if (p.flag("broken", {.default_value = false})) throw std::runtime_error("the spring is broken");
    if (p.flag("odd", {.default_value = false})) throw 7;
    return {p.positive("shear_modulus", "Pa")};
  }
  template <class S>
  static constexpr S energy_density(const Matrix3<S>& F, const Coefficients<S>& c) {
    return c.mu / 2 * squared_norm(F - identity3<S>());
  }
};

// The host's side: keeps what is added.
struct Host {
  const holo_material* material = nullptr;
  holo_stamp stamp = HOLO_STAMP;
  holo_error error = {sizeof(holo_error), ""};
  holo_registrar registrar = {};
  Host() {
    registrar.size = sizeof registrar;
    registrar.self = this;
    registrar.add_material = [](void* self, const holo_material* added, holo_error*) {
      static_cast<Host*>(self)->material = added;
      return 0;
    };
  }
  int load() { return holo::plugin::enter<Simple>("simple", "a spring in each entry", &stamp, &registrar, &error); }
};

// Answers every flag with `which` by its name, every number with 3.
int read_with_flag(const holo_material& material, const std::string& which, holo_error& error) {
  std::string flag = which;
  const holo_parameter_reader reader = {
      sizeof(holo_parameter_reader), &flag, [](void* self, const holo_parameter* request, double* values, double*) {
        values[0] = request->kind == HOLO_PARAMETER_BOOLEAN ? *static_cast<std::string*>(self) == request->name : 3;
      }};
  double coefficient = 0;
  return material.read(&reader, &coefficient, nullptr, &error);
}

TEST(MaterialEntry, RegistersEveryRequiredOperationWithItsKernel) {
  Host host;
  ASSERT_EQ(0, host.load()) << host.error.message;
  for (int k = 0; k < HOLO_MATERIAL_OPERATION_COUNT; ++k) {
    const bool not_given = k == HOLO_MATERIAL_PROJECTED_HESSIAN || k == HOLO_MATERIAL_ANALYTIC_STRESS ||
                           k == HOLO_MATERIAL_ANALYTIC_HESSIAN || k == HOLO_MATERIAL_INVARIANT_SLOPES ||
                           k == HOLO_MATERIAL_ANALYTIC_STRESS_DIFFERENTIAL;
    const bool accelerated =
        k == HOLO_MATERIAL_CSFD_STRESS || k == HOLO_MATERIAL_CSFD_HESSIAN || k == HOLO_MATERIAL_CSFD_STRESS_DIFFERENTIAL;
    EXPECT_EQ(not_given, host.material->operations[k] == nullptr) << k;
    EXPECT_EQ(not_given, host.material->kernels[k] == nullptr) << k;
    if (!not_given) {
      const char* beginning = accelerated ? "accelerated complex step in " : "compile-time graph, ";
      EXPECT_EQ(0u, std::string(host.material->kernels[k]).find(beginning)) << host.material->kernels[k];
    }
  }
  EXPECT_STREQ("simple", host.material->name);
  EXPECT_EQ(1u, host.material->coefficient_count);
}

TEST(MaterialEntryBadInput, AnotherStampIsRefusedWithBothInTheMessage) {
  Host host;
  host.stamp.lane_width = 16;
  EXPECT_NE(0, host.load());
  EXPECT_EQ(nullptr, host.material);
  const std::string message = host.error.message;
  EXPECT_NE(std::string::npos, message.find("Plugin: ABI 6, " + std::to_string(HOLO_LANE_WIDTH) + " lanes")) << message;
  EXPECT_NE(std::string::npos, message.find("Host: ABI 6, 16 lanes")) << message;
  EXPECT_NE(std::string::npos, message.find("Compile the plugin again")) << message;
}

TEST(MaterialEntryBadInput, AStampOfAnotherSizeIsNotReadBeyondItsVersion) {
  Host host;
  holo_stamp small = {};
  small.size = 8;
  small.abi_version = 7;
  host.stamp = small;
  EXPECT_NE(0, host.load());
  EXPECT_NE(std::string::npos, std::string(host.error.message).find("Host: ABI 7, stamp of 8 bytes")) << host.error.message;
}

TEST(MaterialEntryBadInput, AnExceptionInReadBecomesAnError) {
  Host host;
  ASSERT_EQ(0, host.load());
  EXPECT_EQ(0, read_with_flag(*host.material, "", host.error));
  EXPECT_NE(0, read_with_flag(*host.material, "broken", host.error));
  EXPECT_NE(std::string::npos, std::string(host.error.message).find("the spring is broken"));
  EXPECT_NE(0, read_with_flag(*host.material, "odd", host.error));
  EXPECT_NE(std::string::npos, std::string(host.error.message).find("exception of an unknown type"));
}

TEST(MaterialEntryBadInput, ALongMessageIsCutToItsRoom) {
  holo_error error = {sizeof(holo_error), ""};
  EXPECT_NE(0, holo::plugin::fail(&error, std::string(5000, 'x')));
  EXPECT_EQ(sizeof(error.message) - 1, std::string(error.message).size());
  error.size = sizeof(error.size) + 4;
  holo::plugin::fail(&error, "yyyyyyyy");
  EXPECT_EQ("yyy", std::string(error.message).substr(0, 3));
  EXPECT_EQ(3u, std::string(error.message).size());
}

}  // namespace
