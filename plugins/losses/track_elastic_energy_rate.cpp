// w/2 (((E_n - E_{n-1})/dt - target)/scale)^2 of the elastic energy E of a body or of a subset of its elements, without that of
// muscles ([Shen2024] Eq 24).
#include <holo/plugin/loss.h>

struct TrackElasticEnergyRate {
  Body body;
  Signal<1> target, weight;
  double scale;

  static TrackElasticEnergyRate read(const LossReader& p) {
    return {p.body("body"), p.signal<1>("target", "W", {.documentation = "Change of the elastic energy per second"}),
            p.weight("weight", "1", {.default_value = 1.0}),
            p.positive("scale", "W", {.documentation = "The error that counts w/2"})};
  }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S rate = (observe.elastic_energy(body) - observe.elastic_energy(body, -1)) / observe.time_step();
    const S gap = rate - observe.at(target)[0];
    residuals.add(gap / scale, observe.at(weight)[0]);
    residuals.measure("elastic_energy_rate_error", "W", abs(gap));
  }
};

HOLO_LOSS(TrackElasticEnergyRate, "track_elastic_energy_rate", "a body's elastic energy changes at a given rate")
