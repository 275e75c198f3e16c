# Every page with C++ in it (README.md, docs/**/*.md) becomes a program: see pages/snippets.hpp.
# TENON_PAGES: their names, of those that need MPI TENON_PAGES_WITH_MPI, where there is one; tests/pages/<name>.cpp in the build folder: their programs.
# Those of TENON_PAGES_WITH_NCCL get a stand-in for it, also where there is one.
include_guard()
add_executable(page_to_program support/page_to_program.cpp)
target_include_directories(page_to_program PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_features(page_to_program PRIVATE cxx_std_20)

set(TENON_PAGES "")
set(TENON_PAGES_WITH_MPI "")
set(TENON_PAGES_WITH_NCCL "")
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(page IN LISTS pages ITEMS README.md)
  set(path ${PROJECT_SOURCE_DIR}/${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})  # its first block may appear later
  file(STRINGS ${path} blocks REGEX "^[ \t]*```cpp" LIMIT_COUNT 1)
  if(NOT blocks)
    continue()
  endif()
  file(STRINGS ${path} needs_mpi REGEX "^#include <tenon/distribute/mpi.hpp>" LIMIT_COUNT 1)
  cmake_path(REMOVE_EXTENSION page OUTPUT_VARIABLE name)
  if(needs_mpi AND NOT TARGET tenon::mpi)
    continue()
  elseif(needs_mpi)
    list(APPEND TENON_PAGES_WITH_MPI ${name})
  endif()

  file(STRINGS ${path} needs_nccl REGEX "^#include <tenon/distribute/nccl.hpp>" LIMIT_COUNT 1)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
  if(needs_nccl)
    list(APPEND TENON_PAGES_WITH_NCCL ${name})
    set_source_files_properties(${program} PROPERTIES INCLUDE_DIRECTORIES ${CMAKE_CURRENT_SOURCE_DIR}/support/nccl)
  endif()
  cmake_path(GET program PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${program} COMMAND page_to_program ${page} ${program} DEPENDS page_to_program ${path}
                     WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Reading the C++ of ${page}")
  list(APPEND TENON_PAGES ${name})
endforeach()
