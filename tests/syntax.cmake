# Pages and examples through a second compiler. The first one compiles and runs them; here checking the syntax is enough. Also
# the benchmarks that need no other library, because benchmarks run only now and then, on one kind of machine.
include(page_programs.cmake)
list(TRANSFORM TENON_PAGES REPLACE "(.+)" "${CMAKE_CURRENT_BINARY_DIR}/pages/\\1.cpp" OUTPUT_VARIABLE programs)
# The header that nearly all of them include is precompiled: it takes most of the time of a short program.
set(flags -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Wno-unused
          -DTENON_SOURCE_DIR="${PROJECT_SOURCE_DIR}" -I${PROJECT_SOURCE_DIR}/include)
set(precompiled ${CMAKE_CURRENT_BINARY_DIR}/pages/tenon.hpp.pch)
file(GLOB_RECURSE library CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/tenon/*.hpp)
add_custom_command(OUTPUT ${precompiled}
                   COMMAND ${CMAKE_CXX_COMPILER} ${flags} -fpch-instantiate-templates
                           -x c++-header ${PROJECT_SOURCE_DIR}/include/tenon/tenon.hpp
                           -o ${precompiled}
                   DEPENDS ${library} VERBATIM COMMENT "Precompiling tenon/tenon.hpp")
add_custom_target(page_programs ALL DEPENDS ${programs} ${precompiled})

function(tenon_add_syntax_check name source)
  add_test(NAME syntax/${name}
           COMMAND ${CMAKE_CXX_COMPILER} -fsyntax-only ${flags} -include-pch ${precompiled} ${source})
  set_tests_properties(syntax/${name} PROPERTIES LABELS syntax TIMEOUT 300)
endfunction()

foreach(name IN LISTS TENON_PAGES)
  tenon_add_syntax_check(${name} ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
endforeach()
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/examples
     ${PROJECT_SOURCE_DIR}/examples/*.cpp ${PROJECT_SOURCE_DIR}/examples/translate/*.cpp)
foreach(example IN LISTS examples)
  tenon_add_syntax_check(examples/${example} ${PROJECT_SOURCE_DIR}/examples/${example})
endforeach()

list(APPEND flags -I${PROJECT_SOURCE_DIR}/bench -DTENON_BENCH_ONE_SIZE)
file(GLOB contenders CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/bench
     ${PROJECT_SOURCE_DIR}/bench/*/tenon*.cpp ${PROJECT_SOURCE_DIR}/bench/training.cpp
     ${PROJECT_SOURCE_DIR}/bench/accuracy_functions.cpp ${PROJECT_SOURCE_DIR}/bench/files/main.cpp
     ${PROJECT_SOURCE_DIR}/bench/threads/main.cpp)
find_path(TENON_BENCHMARK_INCLUDE_DIR benchmark/benchmark.h)
mark_as_advanced(TENON_BENCHMARK_INCLUDE_DIR)
if(TENON_BENCHMARK_INCLUDE_DIR)
  list(APPEND contenders parts.cpp)
endif()
foreach(contender IN LISTS contenders)
  tenon_add_syntax_check(bench/${contender} ${PROJECT_SOURCE_DIR}/bench/${contender})
endforeach()
