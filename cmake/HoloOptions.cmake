# Compile options that every target of the project shares, and that a plugin built elsewhere inherits.
#
# holo_abi_options   what must agree between the host and a plugin: language level, instruction set (it sets the lane
#                    width), floating-point rules. Exported with the package.
# holo_options       the project's own: warnings, sanitizers. Not exported.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")

find_program(HOLO_CCACHE ccache)
if(HOLO_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need time stamps and macros left out of the hash, and comments kept in it: a precompiled header that differs from
  # the sources in a comment alone is refused by the compiler.
  set(how CCACHE_COMMENTS=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  # What a file depends on is taken from the list that the compiler writes for ninja: without CCACHE_DEPEND each file that is not in the
  # cache is preprocessed once more, and with it all that is in the precompiled header. The targets that make those headers do without: the
  # cache would take what they write for something that they read.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_DEPEND=1 ${how} "${HOLO_CCACHE}")
  set(HOLO_PRECOMPILING_LAUNCHER "${CMAKE_COMMAND}" -E env ${how} "${HOLO_CCACHE}")
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

add_library(holo_abi_options INTERFACE)
add_library(Holomorph::abi_options ALIAS holo_abi_options)
set_target_properties(holo_abi_options PROPERTIES EXPORT_NAME abi_options)
target_compile_features(holo_abi_options INTERFACE cxx_std_20)
# Exact IEEE arithmetic but no errno: vector math needs the latter, NaN tests the former. Never -ffast-math.
target_compile_options(holo_abi_options INTERFACE -march=${HOLO_ARCHITECTURE} -fno-math-errno
  # Tuned for Intel processors, GCC copies a register of lanes by two moves of 32 bytes. A load of 64 bytes then waits until both
  # are in the cache: element kernels take up to twice as long. GCC 12 is the first that knows these options; without AVX-512 they
  # change nothing.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,12>>:-mmove-max=512>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,12>>:-mstore-max=512>)

add_library(holo_options INTERFACE)
target_link_libraries(holo_options INTERFACE holo_abi_options)
target_compile_options(holo_options INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-psabi
  # False alarms of GCC 12: std::string, Eigen, its AVX-512 headers. Precompiled headers let more of them through.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized -Wno-uninitialized -Wno-array-bounds -Wno-stringop-overflow
    -Wno-stringop-overread>)
if(CMAKE_UNITY_BUILD)
  target_compile_options(holo_options INTERFACE -Wno-shadow)  # what several files at once say of each other's names means nothing
endif()
if(HOLO_WARNINGS_AS_ERRORS)
  target_compile_options(holo_options INTERFACE -Werror)
endif()
if(HOLO_SANITIZE)
  # Checks of null pointers, object sizes and alignment at every access take a third of the compilation; the address sanitizer finds
  # the first two as well, and the processor what lanes need of the third.
  # Calls through plugins' tables are of types that the host does not see whole (vptr, function: clang's checks of these).
  target_compile_options(holo_options INTERFACE -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function> -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(holo_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(holo_options INTERFACE HOLO_ADDRESS_SANITIZER)
endif()
if(HOLO_SANITIZE_THREADS)
  # Some optimization: its tests calculate, and instrumented code without any is ten times slower. Parallel loops run on a stand-in for
  # oneTBB, whose own code is not instrumented.
  target_compile_options(holo_options INTERFACE -O1 -fsanitize=thread)
  target_link_options(holo_options INTERFACE -fsanitize=thread)
  target_compile_definitions(holo_options INTERFACE HOLO_THREAD_SANITIZER)
  target_include_directories(holo_options BEFORE INTERFACE "${PROJECT_SOURCE_DIR}/tests/thread/stand_in")
endif()
if(HOLO_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang" OR NOT HOLO_SANITIZE)
    message(FATAL_ERROR "HOLO_FUZZ needs clang and HOLO_SANITIZE: configure by the preset fuzz")
  endif()
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-resource-dir OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
  file(GLOB HOLO_LIBFUZZER "${resources}/lib/*/libclang_rt.fuzzer_no_main*${CMAKE_SYSTEM_PROCESSOR}.a" "${resources}/lib/*/libclang_rt.fuzzer_no_main.a")
  if(NOT HOLO_LIBFUZZER)
    message(FATAL_ERROR "libFuzzer was not found in ${resources}; Debian's package libclang-rt-14-dev has it")
  endif()
  target_compile_options(holo_options INTERFACE -O1 -fsanitize=fuzzer-no-link)
  target_link_options(holo_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
