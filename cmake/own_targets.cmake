# What our own tests, examples and benchmarks have in common; never part of what consumers get.
add_library(tenon_own INTERFACE)
target_link_libraries(tenon_own INTERFACE tenon::tenon)
target_compile_options(tenon_own INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${TENON_NATIVE}>>:-march=native>)

set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Threads REQUIRED)
target_link_libraries(tenon_own INTERFACE Threads::Threads)

find_program(TENON_CCACHE ccache)
mark_as_advanced(TENON_CCACHE)
if(TENON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TENON_CCACHE})
endif()
