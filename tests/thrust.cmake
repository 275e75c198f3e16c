# Thrust runs on a plain processor as well: tests/backend/{thrust,cuda}/*.cpp are compiled that way, without nvcc.
# TENON_THRUST_INCLUDE_DIR chooses a Thrust; by default the system's, else the CUDA toolkit's.
find_path(TENON_THRUST_INCLUDE_DIR thrust/version.h
          PATHS /usr/local/cuda/include/cccl /usr/local/cuda/include ENV CUDA_PATH PATH_SUFFIXES include/cccl include)

add_library(tenon_thrust_on_cpu INTERFACE)
target_compile_definitions(tenon_thrust_on_cpu INTERFACE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
if(TENON_THRUST_INCLUDE_DIR)
  target_include_directories(tenon_thrust_on_cpu SYSTEM INTERFACE ${TENON_THRUST_INCLUDE_DIR})
else()
  message(FATAL_ERROR "The tests need Thrust's headers. On Debian: apt-get install libthrust-dev.")
endif()
