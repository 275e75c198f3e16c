# Networks that nobody wrote: tests/random/networks draws them from seeds. These are the same each time; `tests/run random N` draws others. A seed
# whose network has once shown a fault stays in tests/random/kept. Four networks are a program, and each twentieth is checked on the devices, too.
add_executable(random_networks random/networks.cpp)
target_compile_options(random_networks PRIVATE -O1)  # it is a tool, which is not tested itself

function(tenon_add_random_test name kind)  # seeds
  set(source ${CMAKE_CURRENT_BINARY_DIR}/random/${name}.cpp)
  add_custom_command(OUTPUT ${source} COMMAND random_networks ${kind} ${ARGN} > ${source} DEPENDS random_networks VERBATIM)
  add_executable(test.random.${name} ${source})
  target_link_libraries(test.random.${name} PRIVATE tenon_test tenon_test_main)
  set(headers tenon_test_headers)
  if(kind STREQUAL "devices")
    target_link_libraries(test.random.${name} PRIVATE tenon_thrust_on_cpu)
    set(headers tenon_test_headers_on_device)
  endif()
  target_precompile_headers(test.random.${name} REUSE_FROM ${headers})
  add_test(NAME random/${name} COMMAND test.random.${name})
  set_tests_properties(random/${name} PROPERTIES LABELS random TIMEOUT 300)
  tenon_test_needs(random/${name} test.random.${name})
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/random)
foreach(first RANGE 1 17 4)
  math(EXPR second "${first} + 1")
  math(EXPR third "${first} + 2")
  math(EXPR fourth "${first} + 3")
  tenon_add_random_test(from_${first} checks ${first} ${second} ${third} ${fourth})
endforeach()
tenon_add_random_test(on_devices devices 3 17)
file(STRINGS random/kept kept REGEX "^[0-9]")
if(kept)
  tenon_add_random_test(kept checks ${kept})
endif()
