# Sessions of every kind on a stack of 256 KB: shapes are constants, but their memory is not on the stack.
foreach(name IN ITEMS engine/session/streaming engine/no_allocation engine/laws_tables train/trainer/trainer)
  string(REPLACE "/" "." target ${name})
  if(TARGET test.${target})
    add_test(NAME small_stack/${name} COMMAND sh -c "ulimit -s 256 && exec \"$0\"" $<TARGET_FILE:test.${target}>)
    set_tests_properties(small_stack/${name} PROPERTIES LABELS small_stack TIMEOUT 120 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    tenon_test_needs(small_stack/${name} test.${target})
  endif()
endforeach()
