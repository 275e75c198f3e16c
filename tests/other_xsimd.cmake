# The CPU backend, and a session, with another xsimd than the system's: with the newest if the system has the oldest.
# Skipped if there is none. Its headers come with Python's package pythran (0.19: xsimd 14.1).
if(NOT DEFINED TENON_OTHER_XSIMD)
  find_program(TENON_PYTHON python3)
  mark_as_advanced(TENON_PYTHON)
  set(folder "")
  if(TENON_PYTHON)
    execute_process(COMMAND ${TENON_PYTHON} -c
      "import importlib.util as u; s = u.find_spec('pythran'); print(s.submodule_search_locations[0] if s else '', end='')"
      OUTPUT_VARIABLE folder ERROR_QUIET)
  endif()
  set(TENON_OTHER_XSIMD "${folder}" CACHE PATH "The folder that holds xsimd/xsimd.hpp of another version; empty: without")
endif()
if(NOT EXISTS "${TENON_OTHER_XSIMD}/xsimd/xsimd.hpp")
  add_test(NAME other_xsimd COMMAND sh -c "echo 'TENON_OTHER_XSIMD names no folder with the headers of another xsimd'; exit 77")
  set_tests_properties(other_xsimd PROPERTIES LABELS "backend;cpu" SKIP_RETURN_CODE 77)
  return()
endif()

foreach(test IN ITEMS backend/cpu/lanes backend/cpu/math backend/cpu/product backend/cpu/simd backend/cpu/special_values
                      backend/cpu/stage_cells backend/cpu/transpose engine/golden_cells)
  string(REPLACE "/" "." dotted ${test})
  if(TARGET test.${dotted})
    cmake_path(GET test FILENAME name)
    set(target test.other_xsimd.${name})
    add_executable(${target} ${test}.cpp)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
                          RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/other_xsimd)
    target_include_directories(${target} SYSTEM BEFORE PRIVATE ${TENON_OTHER_XSIMD})
    target_link_libraries(${target} PRIVATE tenon_test tenon_test_main)
    add_test(NAME other_xsimd/${name} COMMAND ${target})
    tenon_test_needs(other_xsimd/${name} ${target})
    set_tests_properties(other_xsimd/${name} PROPERTIES LABELS "backend;cpu" TIMEOUT 300 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endif()
endforeach()
