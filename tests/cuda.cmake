# Tests in *.cu files are built if nvcc is found. Those of a backend for a device report themselves skipped without a
# device; the others run on the CPU.
set(TENON_CUDA_FOUND OFF)
file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS *.cu)
if(NOT TENON_CUDA OR NOT cuda_sources)
  return()
endif()

find_program(TENON_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
mark_as_advanced(TENON_NVCC)
if(NOT TENON_NVCC)
  message(STATUS "nvcc was not found: the CUDA tests are left out")
  return()
endif()

set(TENON_CUDA_FOUND ON)
set(CMAKE_CUDA_COMPILER ${TENON_NVCC})
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80)  # includes portable code (PTX), which later devices compile for themselves
endif()
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
include(${PROJECT_SOURCE_DIR}/cmake/nccl.cmake)

add_library(tenon_test_cuda_main OBJECT support/main_cuda.cpp)
target_link_libraries(tenon_test_cuda_main PRIVATE tenon_test CUDA::cudart)
add_library(tenon_nvcc INTERFACE)
target_compile_options(tenon_nvcc INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr --extended-lambda -Werror=all-warnings>)
add_library(tenon_test_cuda INTERFACE)
target_link_libraries(tenon_test_cuda INTERFACE $<TARGET_OBJECTS:tenon_test_cuda_main> CUDA::cudart)
