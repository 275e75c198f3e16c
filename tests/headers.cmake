# Every public header compiles alone, also when included twice. Headers for nvcc (*.cuh) are left to the CUDA tests.
# The build compiles one source per header; the test repeats that build, which is instant unless a header failed.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/tenon/*.hpp)
# The Thrust and CUDA backends, and the emulation of a device, need their library's headers, and a device system for Thrust.
set(thrust_headers ${headers})
list(FILTER thrust_headers INCLUDE REGEX "^tenon/backend/(thrust|cuda|emulation)/")
list(FILTER headers EXCLUDE REGEX "^tenon/backend/(thrust|cuda|emulation)/|^tenon/distribute/(mpi|nccl)[.]hpp$")  # tests/mpi and tests/distribute/nccl.cpp compile the latter

function(tenon_add_header_check target)  # of sources
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE tenon_own)
  add_test(NAME headers/${target}
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ${target})
  # Ninja allows one build of a folder at a time.
  set_tests_properties(headers/${target} PROPERTIES LABELS headers TIMEOUT 900 RESOURCE_LOCK build)
  tenon_test_needs(headers/${target} ${target})
endfunction()

function(tenon_add_self_contained target)  # of headers
  set(sources "")
  foreach(header IN LISTS ARGN)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  if(sources)
    tenon_add_header_check(${target} ${sources})
  endif()
endfunction()

# The headers of a list that include this one, directly or through others of the list.
function(tenon_headers_that_include result base)  # of headers
  foreach(header IN LISTS ARGN)
    file(STRINGS ${PROJECT_SOURCE_DIR}/include/${header} lines REGEX "^#include [<\"]tenon/")
    string(REGEX REPLACE "#include [<\"]([^>\"]+)[>\"][^;]*" "\\1" included_by_${header} "${lines}")
  endforeach()
  set(all ${base})
  set(before)
  while(NOT all STREQUAL before)
    set(before "${all}")
    foreach(header IN LISTS ARGN)
      if(NOT header IN_LIST all)
        foreach(included IN LISTS included_by_${header})
          if(included IN_LIST before)
            list(APPEND all ${header})
            break()
          endif()
        endforeach()
      endif()
    endforeach()
  endwhile()
  list(REMOVE_ITEM all ${base})
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

# Those whose bodies tenon::compiled has also compile without them: what only bodies need is included with the bodies.
file(GLOB_RECURSE of_compiled CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/tenon/*.ipp)
list(TRANSFORM of_compiled REPLACE "[.]ipp$" ".hpp")
tenon_add_self_contained(self_contained_of_compiled ${of_compiled})
target_compile_definitions(self_contained_of_compiled PRIVATE TENON_COMPILED)

# Headers that many others include are precompiled, and used only for headers that include them anyway. That hides nothing, because each
# included header is also checked alone. CMake reads the includes when it configures. Each header uses the first of these bases that it includes.
set(rest ${headers})
foreach(base IN ITEMS engine/session/session_base engine/plan/compiled backend/cpu/simd lowering/schedule diagnostics/diagnose)
  tenon_headers_that_include(some tenon/${base}.hpp ${headers})
  set(own "")
  foreach(header IN LISTS some)
    if(header IN_LIST rest)
      list(APPEND own ${header})
    endif()
  endforeach()
  list(REMOVE_ITEM rest ${own})
  cmake_path(GET base FILENAME name)
  tenon_add_self_contained(self_contained_behind_${name} ${own})
  target_precompile_headers(self_contained_behind_${name} PRIVATE <tenon/${base}.hpp>)
endforeach()
tenon_add_self_contained(self_contained ${rest})
tenon_add_self_contained(self_contained_thrust ${thrust_headers})
if(TARGET self_contained_thrust)
  target_link_libraries(self_contained_thrust PRIVATE tenon_thrust_on_cpu)
endif()

# nvcc takes seconds for each header, so one source includes all.
if(TENON_CUDA_FOUND)
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/all.cu)
  file(CONFIGURE OUTPUT ${source} CONTENT "${includes}" @ONLY)
  tenon_add_header_check(through_nvcc ${source})
  target_link_libraries(through_nvcc PRIVATE tenon_nvcc)
endif()
