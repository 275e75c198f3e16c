# tests/must_not_compile/<name>.cpp is one wrong program, checked with each compiler that is installed: see
# must_not_compile/check for how a case is written and what it must keep. A new case needs no edit here.
set(check ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/check)
set(corrections ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/corrections)
set(check_the_check ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/self_test/check_the_check)
file(GLOB_RECURSE cases CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} must_not_compile/*.cpp)
list(FILTER cases EXCLUDE REGEX "/self_test/")
if(TENON_TEST_QUICK)
  set(all ${cases})
  set(cases)
  list(LENGTH all count)
  foreach(number RANGE 0 ${count} 10)
    if(number LESS count)
      list(GET all ${number} case)
      list(APPEND cases ${case})
    endif()
  endforeach()
endif()

# The headers that nearly every case includes are precompiled, which saves most of the time of a case. g++ uses <name>.hpp.gch if
# it is the first include and comes before the header in the search path. Its messages then lack the line that names the case: check
# inserts it. clang gets an option.
set(precompiled ${CMAKE_CURRENT_BINARY_DIR}/must_not_compile/precompiled)
find_program(TENON_GXX g++)
find_program(TENON_CLANG clang++-19)
file(GLOB_RECURSE library CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tenon/*.hpp)
set(often_first tenon.hpp graph/graph.hpp)
function(tenon_precompile compiler header output)
  set(source ${PROJECT_SOURCE_DIR}/include/tenon/${header})
  add_custom_command(OUTPUT ${output}
                     COMMAND ${compiler} -std=c++20 -Wall -Wextra -Wpedantic ${ARGN} -I${PROJECT_SOURCE_DIR}/include
                             -x c++-header ${source} -o ${output} 2>/dev/null
                     DEPENDS ${library} COMMENT "Precompiling tenon/${header}")
  set_property(GLOBAL APPEND PROPERTY TENON_PRECOMPILED ${output})
endfunction()
foreach(header IN LISTS often_first)
  # for g++ when another header includes it: it looks beside the precompiled header
  file(CONFIGURE OUTPUT ${precompiled}/tenon/${header}
       CONTENT "#include \"${PROJECT_SOURCE_DIR}/include/tenon/${header}\"\n" @ONLY)
  if(TENON_GXX)
    tenon_precompile(${TENON_GXX} ${header} ${precompiled}/tenon/${header}.gch)
  endif()
  if(TENON_CLANG)
    # what the header itself instantiates, once and not in every case: a third of a case (g++ has no such option)
    tenon_precompile(${TENON_CLANG} ${header} ${precompiled}/tenon/${header}.pch -fpch-instantiate-templates)
  endif()
endforeach()
get_property(precompiled_headers GLOBAL PROPERTY TENON_PRECOMPILED)
add_custom_target(must_not_compile_headers ALL DEPENDS ${precompiled_headers})

function(tenon_add_compile_check name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS must_not_compile TIMEOUT 120 SKIP_RETURN_CODE 77)
  tenon_test_needs(${name} must_not_compile_headers)
endfunction()
function(tenon_add_case case compiler)
  cmake_path(REMOVE_EXTENSION case OUTPUT_VARIABLE name)
  cmake_path(GET compiler FILENAME short)  # TENON_NVCC is a path
  set(first)
  file(STRINGS ${case} included REGEX "^#include" LIMIT_COUNT 1)
  string(REGEX REPLACE "^#include <tenon/(.*)>$" "\\1" included "${included}")
  if(short STREQUAL "g++")
    set(first -I${precompiled} --param=ggc-min-heapsize=500000)  # its collector would visit all that is precompiled
  elseif(short STREQUAL "clang++-19" AND included IN_LIST often_first)
    set(first -include-pch ${precompiled}/tenon/${included}.pch)
  endif()
  tenon_add_compile_check(${name}/${short} ${check} --mistake-alone ${compiler} ${CMAKE_CURRENT_SOURCE_DIR}/${case}
                          ${first} -I${PROJECT_SOURCE_DIR}/include)
endfunction()

foreach(compiler IN ITEMS g++ clang++-19)
  foreach(case IN LISTS cases)
    tenon_add_case(${case} ${compiler})
  endforeach()
  tenon_add_compile_check(must_not_compile/self_test/${compiler} ${check_the_check} ${compiler})

  # The corrections, many in one file, so that their includes are compiled once.
  set(first 0)
  list(LENGTH cases count)
  while(first LESS count)
    list(SUBLIST cases ${first} 120 some)
    list(TRANSFORM some PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    tenon_add_compile_check(must_not_compile/corrections_from_${first}/${compiler} ${corrections} ${compiler}
                            -I${PROJECT_SOURCE_DIR}/include -- ${some})
    set_tests_properties(must_not_compile/corrections_from_${first}/${compiler} PROPERTIES TIMEOUT 300)
    math(EXPR first "${first} + 120")
  endwhile()
endforeach()

if(TENON_TEST_QUICK)
  return()
endif()

# With -std=c++2c clang prints the sentence as a static_assert's own message. (The message of a refused call is in pieces there, too: the
# call must be false in a `requires`, and so cannot be a static_assert.)
foreach(compiler IN ITEMS clang++-19 clang++-22)
  string(REPLACE "clang++-19" "c++2c" of_compiler ${compiler})
  foreach(name IN ITEMS cycle_of_two linear_width name_misspelt optimizer_swapped session_of_wrong_graph trainer_lr)
    tenon_add_compile_check(must_not_compile/${name}/${of_compiler} ${check} --mistake-alone ${compiler}
                            ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/${name}.cpp -std=c++2c -I${PROJECT_SOURCE_DIR}/include)
  endforeach()
endforeach()

# An older language, and an older compiler, end in one sentence.
foreach(compiler IN ITEMS g++ clang++-19)
  tenon_add_compile_check(must_not_compile/older_language/${compiler}
                          ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/older_compiler ${compiler} -std=c++17)
endforeach()
tenon_add_compile_check(must_not_compile/older_compiler/clang++-14
                        ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/older_compiler clang++-14 -std=c++20)

# docs/explain/errors.md shows what the compilers print.
tenon_add_compile_check(must_not_compile/page ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile/page)

# nvcc takes two seconds a case: one case for each way in which a rule is checked. Any other can be run by hand:
#   tests/must_not_compile/check nvcc tests/must_not_compile/<name>.cpp -Iinclude
if(TENON_NVCC)
  foreach(name IN ITEMS cell_states embedding_too_small loss_of_probabilities name_misspelt rule_lacks_number
                        session_input_misspelt trainer_rate)
    tenon_add_case(must_not_compile/${name}.cpp ${TENON_NVCC})
  endforeach()
  tenon_add_compile_check(must_not_compile/self_test/nvcc ${check_the_check} ${TENON_NVCC})
endif()
