# tenon_network(<name> HEADER <file>.. [PRECOMPILED]): compiles what the headers declare by TENON_DECLARE_SESSION, TENON_DECLARE_TRAINING and
# TENON_DECLARE_DECODER as the static library <name>. Programs link it and include the headers.
#
#   tenon_network(my_model HEADER model.hpp)
#   target_link_libraries(my_program PRIVATE my_model)
#
# A session is an object of its own, with its decoders; a training is two, its step and the loop around it. Options of the library are given to it
# as to any other target; those that its programs must share, such as -march, as PUBLIC ones. PRECOMPILED: its objects read tenon.hpp once, which
# pays from about four objects on.
function(tenon_network name)
  cmake_parse_arguments(PARSE_ARGV 1 network "PRECOMPILED" "" "HEADER")
  if(network_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_network(${name}): expected HEADER <file>.. and PRECOMPILED, got '${network_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT network_HEADER)
    message(FATAL_ERROR "tenon_network(${name}): expected the header that declares the network, as in tenon_network(${name} HEADER model.hpp)")
  endif()

  set(sources "")
  set(folders "")
  foreach(header IN LISTS network_HEADER)
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT EXISTS ${header})
      message(FATAL_ERROR "tenon_network(${name}): there is no file ${header}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})  # another declaration is another object
    cmake_path(GET header PARENT_PATH folder)
    list(APPEND folders ${folder})
    tenon_network_objects(objects ${CMAKE_CURRENT_BINARY_DIR}/${name}.network ${header})
    if(NOT objects)
      message(FATAL_ERROR "tenon_network(${name}): ${header} declares nothing; write TENON_DECLARE_SESSION(my::session); at its end, outside of namespaces")
    endif()
    list(APPEND sources ${objects})
  endforeach()
  list(REMOVE_DUPLICATES folders)

  add_library(${name} STATIC ${sources})
  target_include_directories(${name} PUBLIC ${folders})
  target_link_libraries(${name} PUBLIC tenon::tenon)
  if(network_PRECOMPILED)
    target_precompile_headers(${name} PRIVATE <tenon/tenon.hpp>)
  endif()
endfunction()

# Writes the files that compile the declarations of a header, and names them in `result`.
function(tenon_network_objects result folder header)
  cmake_path(GET header FILENAME included)
  set(start "#define TENON_DECLARES_NOTHING  // but what this object uses\n#include \"${included}\"\n\n")
  tenon_network_declarations(declarations ${header})
  set(objects "")
  foreach(declaration IN LISTS declarations)
    string(REGEX MATCH "^([A-Z]+)\\((.*)\\)$" matched "${declaration}")
    set(kind ${CMAKE_MATCH_1})
    set(arguments "${CMAKE_MATCH_2}")
    if(kind STREQUAL "TRAINING")
      string(REGEX REPLACE " *,.*" "" trainer "${arguments}")
      tenon_network_object(objects ${folder} step "${trainer}" "${start}" "TENON_COMPILE_STEP(${trainer})")
      tenon_network_object(objects ${folder} loop "${trainer}" "${start}TENON_EXTERN_STEP(${trainer});\n" "TENON_COMPILE_LOOP(${arguments})")
    elseif(kind STREQUAL "DECODER")
      string(REGEX REPLACE "^[^,]*, *([^,]*).*" "\\1" stream "${arguments}")
      if("SESSION(${stream})" IN_LIST declarations)  # compiled with it
        tenon_network_object(objects ${folder} session "${stream}" "${start}" "TENON_COMPILE_${declaration}")
      else()
        tenon_network_object(objects ${folder} decoder "${arguments}" "${start}" "TENON_COMPILE_${declaration}")
      endif()
    else()
      tenon_network_object(objects ${folder} session "${arguments}" "${start}" "TENON_COMPILE_${declaration}")
    endif()
  endforeach()
  foreach(object IN LISTS objects)
    file(CONFIGURE OUTPUT ${object} CONTENT "${text_of_${object}}" @ONLY)  # leaves a file alone that is the same
  endforeach()
  set(${result} "${objects}" PARENT_SCOPE)
endfunction()

# Adds a line to the object of this kind and name, text_of_<its file>, which begins with `start`.
function(tenon_network_object known folder kind name start line)
  string(MAKE_C_IDENTIFIER "${name}" file)
  string(REGEX REPLACE "_+" "_" file "${kind}_${file}")
  string(REGEX REPLACE "_$" "" file "${file}")
  set(object ${folder}/${file}.cpp)
  if(NOT object IN_LIST ${known})
    list(APPEND ${known} ${object})
    set(text_of_${object} "${start}")
    set(${known} "${${known}}" PARENT_SCOPE)
  endif()
  set(text_of_${object} "${text_of_${object}}${line};\n" PARENT_SCOPE)
endfunction()

# The declarations of a header, without TENON_DECLARE_: a list of SESSION(my::tagging) ..
function(tenon_network_declarations result header)
  file(READ ${header} text)
  string(REPLACE ";" " " text "${text}")  # separates the items of a list
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(REGEX MATCHALL "TENON_DECLARE_(SESSION|TRAINING|DECODER) ?\\([^()]*\\)" found "${text}")
  list(TRANSFORM found REPLACE "^TENON_DECLARE_([A-Z]+) ?\\( ?" "\\1(")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
