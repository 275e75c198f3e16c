# Thrust runs on a plain processor as well: tests/backend/{thrust,cuda}/*.cpp are compiled that way, without nvcc.
add_library(tenon_thrust_on_cpu INTERFACE)
target_compile_definitions(tenon_thrust_on_cpu INTERFACE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
target_link_libraries(tenon_thrust_on_cpu INTERFACE tenon::thrust)
if(NOT TENON_THRUST_INCLUDE_DIR)
  message(FATAL_ERROR "The tests need Thrust's headers. On Debian: apt-get install libthrust-dev.")
endif()
