# Networks trained with TENON_PORTABLE have the same bits on every kind of processor. See equal_bits/check.
add_test(NAME equal_bits COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/equal_bits/check ${CMAKE_CURRENT_BINARY_DIR}/equal_bits ${TENON_LAUNCHER} ${CMAKE_CXX_COMPILER})
set_tests_properties(equal_bits PROPERTIES LABELS engine TIMEOUT 900 COST 80)
