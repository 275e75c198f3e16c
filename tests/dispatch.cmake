# One network compiled for several instruction sets, in one program. See dispatch/check.
add_test(NAME dispatch COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/dispatch/check ${CMAKE_CURRENT_BINARY_DIR}/dispatch ${CMAKE_CXX_COMPILER}
         -isystem ${TENON_THRUST_INCLUDE_DIR})
set_tests_properties(dispatch PROPERTIES LABELS consumers TIMEOUT 600 SKIP_RETURN_CODE 77 COST 80)
