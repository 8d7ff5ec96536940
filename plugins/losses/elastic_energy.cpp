// w times the elastic energy of a body.
#include <holo/plugin/loss.h>

struct ElasticEnergy {
  Body body;
  Signal<1> weight;

  static ElasticEnergy read(const LossReader& p) { return {p.body("body"), p.weight("weight", "1/J", {.default_value = 1.0})}; }

  template <class S>
  void residuals(const Observer<S>& observe, LossResiduals<S>& residuals) const {
    const S energy = observe.elastic_energy(body);
    residuals.add_value(observe.at(weight)[0] * energy);
    residuals.measure("elastic_energy", "J", energy);
  }
};

HOLO_LOSS(ElasticEnergy, "elastic_energy", "a body stores little elastic energy")
