# cmake --install: the program, its plugins and experiments, and a package that others find with find_package(Holomorph):
#   Holomorph::plugin, holo_add_plugin()       what a plugin author needs, without any dependency
#   COMPONENTS diff                            Holomorph::diff, derivatives of functions, without any dependency
#   COMPONENTS libraries                       the static libraries Holomorph::core ... Holomorph::study, with their dependencies
# What scripts/run builds is enough: programs and references that are not there are left out.
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Holomorph")

install(TARGETS holo_abi_options holo_plugin EXPORT HolomorphTargets)
install(EXPORT HolomorphTargets NAMESPACE Holomorph:: DESTINATION "${package_dir}")

install(TARGETS holo_core holo_diff EXPORT HolomorphDiffTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT HolomorphDiffTargets NAMESPACE Holomorph:: DESTINATION "${package_dir}")

set(libraries holo_openblas holo_opt holo_sim holo_comparison holo_gpu holo_study)
foreach(library holo_cholmod holo_klu holo_umfpack)
  if(TARGET ${library})
    list(APPEND libraries ${library})
  endif()
endforeach()
install(TARGETS ${libraries} EXPORT HolomorphLibraryTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT HolomorphLibraryTargets NAMESPACE Holomorph:: DESTINATION "${package_dir}")

foreach(library core diff plugin opt sim comparison gpu study)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/libs/${library}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
endforeach()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/HolomorphConfig.cmake.in" "${PROJECT_BINARY_DIR}/HolomorphConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" PATH_VARS CMAKE_INSTALL_LIBEXECDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/HolomorphConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/HolomorphConfig.cmake" "${PROJECT_BINARY_DIR}/HolomorphConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/HoloAddPlugin.cmake" DESTINATION "${package_dir}")

install(DIRECTORY "${PROJECT_BINARY_DIR}/plugins/" DESTINATION "${CMAKE_INSTALL_LIBDIR}/holo/plugins" FILES_MATCHING PATTERN "*.so")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments" DESTINATION "${CMAKE_INSTALL_DATADIR}/holo")
if(TARGET holo)
  install(TARGETS holo RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # For editors that check YAML against a schema.
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:holo>\" schema OUTPUT_FILE \"${PROJECT_BINARY_DIR}/experiment.schema.json\" COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES "${PROJECT_BINARY_DIR}/experiment.schema.json" DESTINATION "${CMAKE_INSTALL_DATADIR}/holo")
endif()
install(TARGETS robot_step_worker RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/holo")
if(TARGET test_plugin)
  # The tests that come free with every plugin; holo_add_plugin() registers them for plugins built elsewhere.
  install(TARGETS test_plugin RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/holo" OPTIONAL)
endif()

# The pages, beside each other as in the source tree, so that their links hold.
install(FILES README.md LICENSE STYLEGUIDE.md CONTRIBUTING.md CHANGELOG.md CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/third_party/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}/third_party")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
