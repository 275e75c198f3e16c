# Threads that share work, and ranks of one program, under ThreadSanitizer.
file(GLOB sources CONFIGURE_DEPENDS distribute/*.cpp)
add_executable(threads EXCLUDE_FROM_ALL support/main.cpp ${sources} train/trainer/thread_pool.cpp train/trainer/ranks.cpp)
target_link_libraries(threads PRIVATE tenon_test)
target_compile_options(threads PRIVATE -O1 -fsanitize=thread)
target_link_options(threads PRIVATE -fsanitize=thread)
add_test(NAME threads COMMAND threads)
set_tests_properties(threads PROPERTIES LABELS train TIMEOUT 300 COST 30 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
tenon_test_needs(threads threads)
