# The library as its users take it in: installed, as a subfolder, and as a bare include path. See consumers/check.
foreach(way IN ITEMS find_package add_subdirectory bare_include)
  add_test(NAME consumers/${way}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/check ${way} ${PROJECT_BINARY_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/consumers/${way} ${CMAKE_CXX_COMPILER})
  set_tests_properties(consumers/${way} PROPERTIES LABELS consumers TIMEOUT 300)
endforeach()
