# holo_library(NAME [PRECOMPILED] [BY_FILE] [DEPENDS target...] [PRIVATE target...])
# The static library libs/NAME: every src/*.cpp below it, public headers in include/. Without sources it is header-only.
# PRECOMPILED libraries link fmt and share one precompiled header: Eigen takes longer to read than most files to compile.
# BY_FILE libraries are archives of an object for each file wherever they may be installed: who uses a part of one (derivatives alone)
# links what that part needs.
function(holo_library name)
  cmake_parse_arguments(ARG "PRECOMPILED;BY_FILE" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/src/*.cpp")
  if(sources)
    add_library(holo_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(holo_${name} PRIVATE $<BUILD_INTERFACE:holo_options> ${ARG_PRIVATE})
    target_include_directories(holo_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
    if(ARG_BY_FILE AND HOLO_TESTS STREQUAL "all")
      set_target_properties(holo_${name} PROPERTIES UNITY_BUILD OFF)
    endif()
    if(ARG_PRECOMPILED)
      target_precompile_headers(holo_${name} REUSE_FROM precompiled_library_headers)
    endif()
  else()
    add_library(holo_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(Holomorph::${name} ALIAS holo_${name})
  set_target_properties(holo_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(holo_${name} ${scope}
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(holo_${name} ${scope} holo_abi_options ${ARG_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY HOLO_LIBRARIES ${name})
endfunction()

# holo_where_found(OUT target...): the targets themselves in this build; where the package is installed, those of them that its user has
# found. A program takes from a static library only what it uses: derivatives of functions (COMPONENTS diff) need none of them.
function(holo_where_found out)
  set(result "")
  foreach(target ${ARGN})
    list(APPEND result "$<BUILD_INTERFACE:${target}>")
    string(REGEX REPLACE "^holo_" "Holomorph::holo_" installed "${target}")
    list(APPEND result "$<INSTALL_INTERFACE:$<TARGET_NAME_IF_EXISTS:${installed}>>")
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

add_library(precompiled_library_headers STATIC EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp")
target_link_libraries(precompiled_library_headers PRIVATE holo_options Eigen3::Eigen fmt::fmt)
target_precompile_headers(precompiled_library_headers PRIVATE <Eigen/Dense> <Eigen/SparseCore> <algorithm> <array> <cmath> <filesystem>
  <fmt/format.h> <functional> <map> <memory> <optional> <sstream> <string> <vector>)
