# Every page's program must compile and run.
include(page_programs.cmake)
add_library(tenon_page_headers OBJECT support/headers.cpp)  # what nearly all of them include, compiled once
target_link_libraries(tenon_page_headers PRIVATE tenon_own)
target_precompile_headers(tenon_page_headers PRIVATE <tenon/tenon.hpp>)
foreach(name IN LISTS TENON_PAGES)
  string(REPLACE "/" "." target page.${name})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
  add_executable(${target} ${program})
  target_link_libraries(${target} PRIVATE tenon_own)
  # After the other flags, where both compilers heed it: a page may name a thing only to show it
  set_source_files_properties(${program} PROPERTIES COMPILE_OPTIONS -Wno-unused)
  if(name STREQUAL "README")  # it trains a network: unoptimised, for minutes
    target_compile_options(${target} PRIVATE ${TENON_KERNEL_TEST_FLAGS})
  else()
    target_precompile_headers(${target} REUSE_FROM tenon_page_headers)
  endif()
  add_test(NAME pages/${name} COMMAND ${target})
  set_tests_properties(pages/${name} PROPERTIES LABELS pages TIMEOUT 300)
endforeach()
