# The library as its users take it in: installed, as a subfolder, and as a bare include path. See consumers/check.
foreach(way IN ITEMS find_package add_subdirectory bare_include)
  add_test(NAME consumers/${way}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/check ${way} ${PROJECT_BINARY_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/consumers/${way} ${CMAKE_CXX_COMPILER})
  set_tests_properties(consumers/${way} PROPERTIES LABELS consumers TIMEOUT 300)
endforeach()

# A compiler that will not do hears what is needed.
add_test(NAME consumers/older_language
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only -I ${PROJECT_SOURCE_DIR}/include
                 ${CMAKE_CURRENT_SOURCE_DIR}/consumers/consumer.cpp)
set_tests_properties(consumers/older_language PROPERTIES LABELS consumers TIMEOUT 120
                     PASS_REGULAR_EXPRESSION "error: (#error )?\"?Tenon needs C\\+\\+20")
