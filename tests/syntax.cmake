# Pages and examples through a second compiler. The first one compiles and runs them; here checking the syntax is enough. Also
# the benchmarks that need no other library, because benchmarks run only now and then, on one kind of machine.
include(page_programs.cmake)
list(TRANSFORM TENON_PAGES REPLACE "(.+)" "${CMAKE_CURRENT_BINARY_DIR}/pages/\\1.cpp" OUTPUT_VARIABLE programs)
# A page may define names only to show them.
set_source_files_properties(${programs} PROPERTIES COMPILE_OPTIONS -Wno-unused)
tenon_add_syntax_check(pages ${programs})

file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.cpp ${PROJECT_SOURCE_DIR}/examples/translate/*.cpp)
tenon_add_syntax_check(examples ${examples})

set(bench ${PROJECT_SOURCE_DIR}/bench)
file(GLOB contenders CONFIGURE_DEPENDS ${bench}/*/tenon*.cpp ${bench}/training.cpp ${bench}/accuracy_functions.cpp
     ${bench}/files/main.cpp ${bench}/threads/main.cpp)
find_path(TENON_BENCHMARK_INCLUDE_DIR benchmark/benchmark.h)
mark_as_advanced(TENON_BENCHMARK_INCLUDE_DIR)
if(TENON_BENCHMARK_INCLUDE_DIR)
  list(APPEND contenders ${bench}/parts.cpp)
endif()
tenon_add_syntax_check(bench ${contenders})
target_include_directories(syntax_of_bench PRIVATE ${bench})
target_compile_definitions(syntax_of_bench PRIVATE TENON_BENCH_ONE_SIZE)
