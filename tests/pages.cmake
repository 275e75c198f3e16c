# Every page's program must compile and run.
include(page_programs.cmake)
add_library(tenon_page_headers OBJECT support/headers.cpp)  # precompiles the header that nearly all of them include
target_link_libraries(tenon_page_headers PRIVATE tenon_own)
target_precompile_headers(tenon_page_headers PRIVATE <tenon/tenon.hpp>)
foreach(name IN LISTS TENON_PAGES)
  string(REPLACE "/" "." target page.${name})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
  add_executable(${target} ${program})
  target_link_libraries(${target} PRIVATE tenon_own)
  if(name IN_LIST TENON_PAGES_WITH_MPI)
    target_link_libraries(${target} PRIVATE tenon::mpi)
  endif()
  # After the other flags, where both compilers apply it: a page may define names only to show them
  set_source_files_properties(${program} PROPERTIES COMPILE_OPTIONS -Wno-unused)
  if(name STREQUAL "README")  # it trains a network, which takes minutes without optimisation
    target_compile_options(${target} PRIVATE -O1)
  else()
    target_precompile_headers(${target} REUSE_FROM tenon_page_headers)
  endif()
  add_test(NAME pages/${name} COMMAND ${target})
  set_tests_properties(pages/${name} PROPERTIES LABELS pages TIMEOUT 300)
  tenon_test_needs(pages/${name} ${target})
endforeach()
