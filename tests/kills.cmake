# A training that is killed at random moments: the same ones each time; `tests/run kills N` draws others.
add_executable(kills_training kills/training.cpp)
target_link_libraries(kills_training PRIVATE tenon_own)
add_test(NAME kills COMMAND ${CMAKE_COMMAND} -E env PROGRAM=$<TARGET_FILE:kills_training> ${CMAKE_CURRENT_SOURCE_DIR}/kills/run 8 1)
set_tests_properties(kills PROPERTIES LABELS train TIMEOUT 300)
tenon_test_needs(kills kills_training)
