# Threads that share work, and ranks of one program, under ThreadSanitizer; but not threads that a child of fork starts, whose numbers it has seen.
file(GLOB sources CONFIGURE_DEPENDS distribute/*.cpp)
add_executable(thread_sanitizer support/main.cpp ${sources} engine/run/thread_pool.cpp engine/run/crew.cpp engine/threads.cpp train/trainer/ranks.cpp)
target_link_libraries(thread_sanitizer PRIVATE tenon_test)
target_compile_options(thread_sanitizer PRIVATE -O1 -fsanitize=thread)
target_link_options(thread_sanitizer PRIVATE -fsanitize=thread)
add_test(NAME thread_sanitizer COMMAND thread_sanitizer "--test-case-exclude=in a child of fork*")
set_tests_properties(thread_sanitizer PROPERTIES LABELS train TIMEOUT 300 COST 30 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
tenon_test_needs(thread_sanitizer thread_sanitizer)
