# Fetches the page's packages, where they are not there yet, and bundles the page: cmake -DNPM= -DNODE= -DVIEWER= -DOUTPUT= -P
# node_modules serves all builds of this source tree: the stamp tells for which lock file it was filled, and the lock keeps two builds
# from filling it at once. A failure is told and leaves no page; it does not fail the build.
file(MAKE_DIRECTORY "${VIEWER}/dist")
file(LOCK "${VIEWER}/dist/npm.lock" GUARD PROCESS TIMEOUT 900)

function(stop_without_page what output)
  file(REMOVE "${OUTPUT}")
  message("The report page was not built: ${what}. Runs will have no report.html; everything else works.\n${output}")
endfunction()

set(stamp "${VIEWER}/node_modules/.holo_stamp")
file(SHA256 "${VIEWER}/package-lock.json" wanted)
set(found "")
if(EXISTS "${stamp}")
  file(READ "${stamp}" found)
endif()
if(NOT found STREQUAL wanted)
  execute_process(COMMAND "${NPM}" ci --ignore-scripts --no-audit --no-fund WORKING_DIRECTORY "${VIEWER}"
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    stop_without_page("npm ci failed (it needs a network the first time)" "${output}")
    return()
  endif()
  file(WRITE "${stamp}" "${wanted}")
endif()

execute_process(COMMAND "${NODE}" "${VIEWER}/build.mjs" "${OUTPUT}" RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(failed)
  stop_without_page("bundling it failed" "${output}")
endif()
