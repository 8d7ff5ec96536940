#include "holo/study/elastic_dynamics.h"
#include "holo/study/study.h"

namespace holo {

StudyRegistry built_in_studies() {
  StudyRegistry studies("kinds of study");
  studies.add("elastic_dynamics", elastic_dynamics());
  return studies;
}

}  // namespace holo
