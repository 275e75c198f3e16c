# Pages and examples through a second compiler. The first one compiles and runs them: here their syntax is enough.
include(page_programs.cmake)
list(TRANSFORM TENON_PAGES REPLACE "(.+)" "${CMAKE_CURRENT_BINARY_DIR}/pages/\\1.cpp" OUTPUT_VARIABLE programs)
add_custom_target(page_programs ALL DEPENDS ${programs})

function(tenon_add_syntax_check name source)
  add_test(NAME syntax/${name}
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                   -Wno-unused -DTENON_SOURCE_DIR="${PROJECT_SOURCE_DIR}" -I${PROJECT_SOURCE_DIR}/include ${source})
  set_tests_properties(syntax/${name} PROPERTIES LABELS syntax TIMEOUT 300)
endfunction()

foreach(name IN LISTS TENON_PAGES)
  tenon_add_syntax_check(${name} ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
endforeach()
file(GLOB examples CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/examples/*.cpp)
foreach(example IN LISTS examples)
  tenon_add_syntax_check(examples/${example} ${PROJECT_SOURCE_DIR}/examples/${example})
endforeach()
