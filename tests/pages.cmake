# Every page with C++ in it (README.md, docs/**/*.md) is a program that must compile and run: see pages/snippets.hpp.
add_executable(page_to_program support/page_to_program.cpp)
target_include_directories(page_to_program PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_features(page_to_program PRIVATE cxx_std_20)

file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(page IN LISTS pages ITEMS README.md)
  set(path ${PROJECT_SOURCE_DIR}/${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})  # its first block may appear later
  file(STRINGS ${path} blocks REGEX "^[ \t]*```cpp" LIMIT_COUNT 1)
  if(NOT blocks)
    continue()
  endif()

  cmake_path(REMOVE_EXTENSION page OUTPUT_VARIABLE name)
  string(REPLACE "/" "." target page.${name})
  set(program ${CMAKE_CURRENT_BINARY_DIR}/pages/${name}.cpp)
  cmake_path(GET program PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${program} COMMAND page_to_program ${path} ${program} DEPENDS page_to_program ${path}
                     COMMENT "Reading the C++ of ${page}")
  add_executable(${target} ${program})
  target_link_libraries(${target} PRIVATE tenon_own)
  # After the other flags, where both compilers heed it: a page may name a thing only to show it
  set_source_files_properties(${program} PROPERTIES COMPILE_OPTIONS -Wno-unused)
  add_test(NAME pages/${name} COMMAND ${target})
  set_tests_properties(pages/${name} PROPERTIES LABELS pages TIMEOUT 300)
endforeach()
