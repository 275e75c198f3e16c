# Examples that practise on a small task of their own, and end with a status of their own.
if(TARGET characters)
  add_test(NAME examples/characters COMMAND characters --page ${CMAKE_CURRENT_BINARY_DIR}/characters.html)
  set_tests_properties(examples/characters PROPERTIES LABELS examples TIMEOUT 120)
endif()
if(TARGET words)
  add_test(NAME examples/words COMMAND words --prompt cats)
  set_tests_properties(examples/words PROPERTIES LABELS examples TIMEOUT 120)
endif()
