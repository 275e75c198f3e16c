# tenon::thrust is what a program links that includes <tenon/on_device.hpp> and is not compiled by nvcc: Thrust's headers, the system's or those
# of a CUDA toolkit. Where there are none, the program's first error says where to get them. TENON_THRUST_INCLUDE_DIR chooses others.
find_path(TENON_THRUST_INCLUDE_DIR thrust/version.h
          PATHS /usr/local/cuda/include/cccl /usr/local/cuda/include ENV CUDA_PATH PATH_SUFFIXES include/cccl include)
if(NOT TARGET tenon::thrust)
  add_library(tenon::thrust INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tenon::thrust INTERFACE tenon::tenon)
  if(TENON_THRUST_INCLUDE_DIR)
    target_include_directories(tenon::thrust SYSTEM INTERFACE ${TENON_THRUST_INCLUDE_DIR})
  endif()
endif()
