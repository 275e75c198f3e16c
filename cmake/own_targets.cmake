# Settings that our own tests, examples and benchmarks share; never passed on to consumers.
add_library(tenon_own INTERFACE)
target_link_libraries(tenon_own INTERFACE tenon::tenon)
target_compile_options(tenon_own INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:-Wcomma>)  # no comma expression as a statement

# If programs for the chosen processor cannot be compiled, or do not run on this machine, the baseline is used.
if(NOT TENON_MACHINE STREQUAL "baseline")
  include(CheckCXXSourceCompiles)
  include(CheckCXXSourceRuns)
  string(MAKE_C_IDENTIFIER "TENON_RUNS_${TENON_MACHINE}" runs)
  set(CMAKE_REQUIRED_FLAGS "-march=${TENON_MACHINE}")
  check_cxx_source_runs("
#if defined(__x86_64__) && defined(__AVX2__)
int main() { return !(__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")); }
#else
int main() { return 0; }
#endif" ${runs})
  unset(CMAKE_REQUIRED_FLAGS)
  if(${runs})
    target_compile_options(tenon_own INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${TENON_MACHINE}>
                           $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${TENON_MACHINE}>)
    # clang 19 finds fault with its own -march=native on processors with AVX10
    set(CMAKE_REQUIRED_FLAGS "-march=${TENON_MACHINE} -Werror")
    check_cxx_source_compiles("int main() {}" ${runs}_QUIETLY)
    unset(CMAKE_REQUIRED_FLAGS)
    if(NOT ${runs}_QUIETLY)
      target_compile_options(tenon_own INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-invalid-feature-combination>)
    endif()
  endif()
endif()

# xtensor 0.26 moved its headers into folders. Our own programs include them by the older names, which are made there.
get_target_property(TENON_XTENSOR_FOLDER xtensor INTERFACE_INCLUDE_DIRECTORIES)
if(EXISTS "${TENON_XTENSOR_FOLDER}/xtensor/containers/xtensor.hpp")
  foreach(header IN ITEMS containers/xarray containers/xfixed containers/xtensor core/xmath views/xview)
    cmake_path(GET header FILENAME name)
    file(CONFIGURE OUTPUT xtensor_names/xtensor/${name}.hpp CONTENT "#include <xtensor/${header}.hpp>\n")
  endforeach()
  target_include_directories(tenon_own SYSTEM INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/xtensor_names)
endif()

# LLVM's linker, if it is installed: hundreds of programs are linked (a test with clang's sanitizers 0.25 s, 1.39 s with GNU's).
find_program(TENON_LLD ld.lld)
mark_as_advanced(TENON_LLD)
if(TENON_LLD)
  target_link_options(tenon_own INTERFACE $<$<LINK_LANGUAGE:CXX>:-fuse-ld=lld>)
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
find_package(Threads REQUIRED)
target_link_libraries(tenon_own INTERFACE Threads::Threads)

# ccache, if it is installed, with settings that serve several clones: see cached.
find_program(TENON_CCACHE ccache)
mark_as_advanced(TENON_CCACHE)
set(TENON_LAUNCHER "")
if(TENON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(TENON_LAUNCHER ${CMAKE_CURRENT_LIST_DIR}/cached)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TENON_LAUNCHER})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${TENON_LAUNCHER})
endif()
