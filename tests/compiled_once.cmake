# A network, and a training, that one file of a program compiles for all others. See compiled_once/check.
add_test(NAME compiled_once
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/compiled_once/check ${CMAKE_CURRENT_BINARY_DIR}/compiled_once ${CMAKE_CXX_COMPILER})
set_tests_properties(compiled_once PROPERTIES LABELS consumers TIMEOUT 600 COST 100)
