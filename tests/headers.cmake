# Every public header compiles alone, also when included twice. Headers for nvcc (*.cuh) are left to the CUDA tests.
# The build compiles one source per header; the test repeats that build, which is instant unless a header failed.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/tenon/*.hpp)
# The Thrust and CUDA backends need their library's headers, and a device system for Thrust.
set(thrust_headers ${headers})
list(FILTER thrust_headers INCLUDE REGEX "^tenon/backend/(thrust|cuda)/")
list(FILTER headers EXCLUDE REGEX "^tenon/backend/(thrust|cuda)/")

function(tenon_add_header_check target)  # of sources
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE tenon_own)
  add_test(NAME headers/${target}
           COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ${target})
  # Ninja allows one build of a folder at a time.
  set_tests_properties(headers/${target} PROPERTIES LABELS headers TIMEOUT 900 RESOURCE_LOCK build)
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

tenon_add_self_contained(self_contained ${headers})
tenon_add_self_contained(self_contained_thrust ${thrust_headers})
if(TARGET self_contained_thrust)
  target_link_libraries(self_contained_thrust PRIVATE tenon_thrust_on_cpu)
endif()

# nvcc takes seconds for each: one source for all.
if(TENON_CUDA_FOUND)
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n" OUTPUT_VARIABLE includes)
  list(JOIN includes "" includes)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/all.cu)
  file(CONFIGURE OUTPUT ${source} CONTENT "${includes}" @ONLY)
  tenon_add_header_check(through_nvcc ${source})
  target_link_libraries(through_nvcc PRIVATE tenon_nvcc)
endif()
