# Training on several ranks of each MPI that is installed; see mpi/run. What does not depend on MPI is compiled once.
add_library(mpi_cases OBJECT mpi/cases.cpp)
target_link_libraries(mpi_cases PRIVATE tenon_own)
target_include_directories(mpi_cases PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_options(mpi_cases PRIVATE -O1)
add_test(NAME mpi COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/mpi/run $<TARGET_OBJECTS:mpi_cases> ${CMAKE_CXX_COMPILER} -std=c++20 -O1 -Wall -Wextra
         -Wpedantic -Wconversion -Wshadow -Werror)
set_tests_properties(mpi PROPERTIES LABELS train TIMEOUT 300 SKIP_RETURN_CODE 77 RUN_SERIAL ON)
tenon_test_needs(mpi mpi_cases)
