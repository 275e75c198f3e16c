# tests/must_not_compile/<name>.cpp is one wrong program, checked with each compiler that is installed: see
# must_not_compile/check for how a case is written and what it must keep. A new case needs no edit here.
set(check ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/check)
file(GLOB_RECURSE cases CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} must_not_compile/*.cpp)
list(FILTER cases EXCLUDE REGEX "/self_test/")

foreach(compiler IN ITEMS g++ clang++-19)
  foreach(case IN LISTS cases)
    cmake_path(REMOVE_EXTENSION case OUTPUT_VARIABLE name)
    add_test(NAME ${name}/${compiler}
             COMMAND ${check} ${compiler} ${CMAKE_CURRENT_SOURCE_DIR}/${case} -I${PROJECT_SOURCE_DIR}/include)
    set_tests_properties(${name}/${compiler} PROPERTIES LABELS must_not_compile TIMEOUT 120 SKIP_RETURN_CODE 77)
  endforeach()
  add_test(NAME must_not_compile/self_test/${compiler}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/self_test/check_the_check ${compiler})
  set_tests_properties(must_not_compile/self_test/${compiler} PROPERTIES
                       LABELS must_not_compile TIMEOUT 120 SKIP_RETURN_CODE 77)
endforeach()
