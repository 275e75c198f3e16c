# The library as users include it: installed, as a subfolder, and as a bare include path. See consumers/check.
set(ways find_package add_subdirectory bare_include)
if(TENON_TEST_QUICK)
  set(ways find_package)
endif()
foreach(way IN LISTS ways)
  add_test(NAME consumers/${way}
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/check ${way} ${PROJECT_BINARY_DIR}
                   ${CMAKE_CURRENT_BINARY_DIR}/consumers/${way} ${CMAKE_CXX_COMPILER})
  set_tests_properties(consumers/${way} PROPERTIES LABELS consumers TIMEOUT 300)
endforeach()
if(TENON_TEST_QUICK)
  return()
endif()

# A network that is compiled once, by CMake's tenon_network. See consumers/network/check.
add_test(NAME consumers/network
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/network/check ${PROJECT_BINARY_DIR}
                 ${CMAKE_CURRENT_BINARY_DIR}/consumers/network ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/network PROPERTIES LABELS consumers TIMEOUT 600 COST 100)

# The component for MPI. See consumers/mpi/check.
add_test(NAME consumers/mpi
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/mpi/check ${PROJECT_BINARY_DIR}
                 ${CMAKE_CURRENT_BINARY_DIR}/consumers/mpi ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/mpi PROPERTIES LABELS consumers TIMEOUT 300 SKIP_RETURN_CODE 77)

# The component for NCCL, with a stand-in. See consumers/nccl/check.
add_test(NAME consumers/nccl
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/nccl/check ${PROJECT_BINARY_DIR}
                 ${CMAKE_CURRENT_BINARY_DIR}/consumers/nccl ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/nccl PROPERTIES LABELS consumers TIMEOUT 300)

# What a release has, consumed. See consumers/packages/check.
add_test(NAME consumers/packages
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/packages/check ${CMAKE_CURRENT_BINARY_DIR}/consumers/packages ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/packages PROPERTIES LABELS consumers TIMEOUT 600 COST 50)

# Two versions of the library in one program. See consumers/versions/check.
add_test(NAME consumers/versions
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/versions/check ${CMAKE_CURRENT_BINARY_DIR}/consumers/versions ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/versions PROPERTIES LABELS consumers TIMEOUT 300)

# The library whose bodies are compiled once, and the same program without it. See consumers/compiled/check.
add_test(NAME consumers/compiled
         COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/compiled/check ${CMAKE_CURRENT_BINARY_DIR}/consumers/compiled ${CMAKE_CXX_COMPILER})
set_tests_properties(consumers/compiled PROPERTIES LABELS consumers TIMEOUT 600 COST 60)

# A compiler that is not supported reports what is needed.
add_test(NAME consumers/older_language
         COMMAND ${CMAKE_CXX_COMPILER} -std=c++17 -fsyntax-only -I ${PROJECT_SOURCE_DIR}/include
                 ${CMAKE_CURRENT_SOURCE_DIR}/consumers/consumer.cpp)
set_tests_properties(consumers/older_language PROPERTIES LABELS consumers TIMEOUT 120
                     PASS_REGULAR_EXPRESSION "error: (#error )?\"?Tenon needs C\\+\\+20")

# A user's names beside `using namespace tenon`: see consumers/names.cpp.
foreach(kind IN ITEMS CONSTANTS TYPES FUNCTIONS)
  string(TOLOWER ${kind} name)
  set(includes -I)
  if(kind STREQUAL CONSTANTS)
    set(includes -isystem)
  endif()
  add_test(NAME consumers/names_as_${name}
           COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
                   -DTENON_TEST_${kind} ${includes} ${PROJECT_SOURCE_DIR}/include ${CMAKE_CURRENT_SOURCE_DIR}/consumers/names.cpp)
  set_tests_properties(consumers/names_as_${name} PROPERTIES LABELS consumers TIMEOUT 300)
endforeach()

# A program for a GPU that needs one header: on a plain CPU, and through nvcc.
find_package(OpenMP QUIET COMPONENTS CXX)
if(TENON_THRUST_INCLUDE_DIR AND OpenMP_CXX_FOUND)
  add_test(NAME consumers/on_device
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/on_device cpu ${CMAKE_CURRENT_BINARY_DIR}/consumers/on_device_cpu/program
                   ${CMAKE_CXX_COMPILER} -isystem ${TENON_THRUST_INCLUDE_DIR})
  set_tests_properties(consumers/on_device PROPERTIES LABELS consumers TIMEOUT 300)
endif()
if(TENON_CUDA_FOUND)
  add_test(NAME consumers/on_device_by_nvcc
           COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/consumers/on_device gpu ${CMAKE_CURRENT_BINARY_DIR}/consumers/on_device_gpu/program ${TENON_NVCC})
  set_tests_properties(consumers/on_device_by_nvcc PROPERTIES LABELS consumers TIMEOUT 600 SKIP_RETURN_CODE 77)
endif()
