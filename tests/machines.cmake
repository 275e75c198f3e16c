# A user's program on another processor, on WebAssembly, and without exceptions. `tests/run machines` has more of them, and tests.
foreach(target IN ITEMS aarch64 webassembly no-exceptions)
  add_test(NAME machines/${target} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/machines/run --without-installing ${target})
  set_tests_properties(machines/${target} PROPERTIES LABELS machines SKIP_RETURN_CODE 77 TIMEOUT 600 COST 60)
endforeach()
