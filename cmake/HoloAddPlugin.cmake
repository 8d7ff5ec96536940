# holo_add_plugin(NAME source.cpp)
# The shared library NAME.so of one plugin, and, apart from it, NAME.reference.so: the same source with 100-digit arithmetic
# (HOLO_REFERENCE), which only the tests and reference modes load. Used by the project itself and, from the installed package, by
# plugins built elsewhere.
function(holo_add_plugin name source)
  foreach(kind plugin reference)
    if(kind STREQUAL "plugin")
      set(target ${name})
      set(file ${name})
    else()
      set(target ${name}_reference)
      set(file ${name}.reference)
    endif()
    if(kind STREQUAL "reference" AND HOLO_REFERENCES_FROM)
      add_custom_target(${target}
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/plugins"
        COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${HOLO_REFERENCES_FROM}/${file}.so" "${PROJECT_BINARY_DIR}/plugins/${file}.so")
      continue()
    endif()
    add_library(${target} MODULE "${source}")
    set_target_properties(${target} PROPERTIES OUTPUT_NAME "${file}" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/plugins")
    holo_plugin_properties(${target} ${kind})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY HOLO_PLUGINS ${name})
  set_property(GLOBAL APPEND PROPERTY HOLO_PLUGIN_REFERENCES ${name}_reference)

  # The tests that come free with every plugin. The project itself runs them over its whole plugin folder at once.
  if(HOLO_PLUGIN_TESTS)
    add_test(NAME ${name}.derivatives
      COMMAND "${HOLO_PLUGIN_TESTS}" --plugin-path "${PROJECT_BINARY_DIR}/plugins" --plugin ${name})
  endif()
endfunction()

# How the module TARGET, KIND = plugin or reference, is compiled and linked.
function(holo_plugin_properties target kind)
  target_link_libraries(${target} PRIVATE Holomorph::plugin)
  if(TARGET holo_options AND HOLO_FUZZ)  # what is fuzzed is the host: its sanitizers are not those of plugins
  elseif(TARGET holo_options)
    target_link_libraries(${target} PRIVATE holo_options)
  else()
    # A coefficient that `read` forgets to return is zero, without a word.
    target_compile_options(${target} PRIVATE -Wmissing-field-initializers)
  endif()
  set_target_properties(${target} PROPERTIES PREFIX "" DEFINE_SYMBOL "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A unique symbol (one of std::to_string's is) would bind plugins to each other, and keep them loaded for ever.
    target_compile_options(${target} PRIVATE -fno-gnu-unique)
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -fconstexpr-steps=4000000)
  endif()
  if(NOT HOLO_SANITIZE AND NOT HOLO_SANITIZE_THREADS)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
  if(kind STREQUAL "reference")
    target_compile_definitions(${target} PRIVATE HOLO_REFERENCE)
    # Nobody waits for the reference, but everybody for its compilation.
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(target STREQUAL "precompiled_${kind}_headers" AND HOLO_PRECOMPILING_LAUNCHER)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${HOLO_PRECOMPILING_LAUNCHER}")
  endif()
  if(TARGET precompiled_${kind}_headers AND NOT target STREQUAL "precompiled_${kind}_headers")
    target_precompile_headers(${target} REUSE_FROM precompiled_${kind}_headers)
  endif()
endfunction()
