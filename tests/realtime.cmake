# Streams in a thread that must not wait: checked by a newer clang, and under RealtimeSanitizer. See realtime/check.
add_test(NAME realtime COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/realtime/check ${CMAKE_CURRENT_BINARY_DIR}/realtime)
set_tests_properties(realtime PROPERTIES LABELS engine SKIP_RETURN_CODE 77 TIMEOUT 600 COST 60)
