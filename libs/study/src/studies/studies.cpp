#include "studies/studies.h"

namespace holo {

StudyRegistry built_in_studies() {
  StudyRegistry studies("kinds of study");
#define HOLO_ADD_STUDY(name) studies.add(#name, name());
  HOLO_STUDIES(HOLO_ADD_STUDY)
#undef HOLO_ADD_STUDY
  return studies;
}

}  // namespace holo
