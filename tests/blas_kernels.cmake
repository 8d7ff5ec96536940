# OpenBLAS chooses its kernels by the processor, and each rounds (and allocates) in its own way: the tests of the solvers run under
# each kernel that this processor has, whichever one OpenBLAS would choose.
set(processor_flags " ")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo processor_flags REGEX "^flags" LIMIT_COUNT 1)
  set(processor_flags "${processor_flags} ")
endif()

# holo_blas_kernel(NAME FLAG...): registers the tests where the processor has all of the flags.
function(holo_blas_kernel kernel)
  foreach(flag ${ARGN})
    if(NOT processor_flags MATCHES " ${flag} ")
      message(STATUS "Tests of the solvers with OpenBLAS's kernels for ${kernel}: not registered, this processor lacks ${flag}")
      return()
    endif()
  endforeach()
  message(STATUS "Tests of the solvers with OpenBLAS's kernels for ${kernel}: registered")
  foreach(suite_and_filter "core=BlasKernel.*:*Solver*:*SingularValues*" "opt=*" "opt_staged=*"
      "sim=*ImplicitEuler*:*IncrementalPotential*" "mechanism=*Redundant*:*NullSpace*:*Singular*:Assembly.*")
    string(REPLACE "=" ";" parts "${suite_and_filter}")
    list(GET parts 0 suite)
    list(GET parts 1 filter)
    add_test(NAME blas_kernel.${kernel}.${suite} COMMAND test_${suite} --gtest_brief=1 "--gtest_filter=${filter}")
    set_tests_properties(blas_kernel.${kernel}.${suite} PROPERTIES TIMEOUT 1200 ENVIRONMENT "OPENBLAS_CORETYPE=${kernel}")
  endforeach()
endfunction()

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND HOLO_TESTS STREQUAL "all")
  holo_blas_kernel(Haswell avx2 fma)
  holo_blas_kernel(SkylakeX avx512f avx512cd avx512bw avx512dq avx512vl)
endif()
