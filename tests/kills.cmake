# A training that is killed at random moments: the same ones each time; `tests/run kills N` draws others. Without sanitizers, with which it would
# take fifty times as long.
add_executable(kills_training kills/training.cpp)
target_link_libraries(kills_training PRIVATE tenon_own)
target_compile_options(kills_training PRIVATE -O1 -fno-sanitize=all)
target_link_options(kills_training PRIVATE -fno-sanitize=all)
add_test(NAME kills COMMAND ${CMAKE_COMMAND} -E env PROGRAM=$<TARGET_FILE:kills_training> ${CMAKE_CURRENT_SOURCE_DIR}/kills/run 15 1)
set_tests_properties(kills PROPERTIES LABELS train TIMEOUT 300)
tenon_test_needs(kills kills_training)
