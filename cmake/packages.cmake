# Packages: `cpack -G TGZ` and `cpack -G DEB` in a build folder, `cpack --config CPackSourceConfig.cmake` for the sources.
# cmake/packages/release makes them all, the single header, and the recipes of package managers.
string(REGEX REPLACE "^https?://" "" tenon_host ${PROJECT_HOMEPAGE_URL})
set(CPACK_PACKAGE_VENDOR "the authors of Tenon")
set(CPACK_PACKAGE_CONTACT "the authors of Tenon <packages@${tenon_host}>")
set(CPACK_PACKAGE_FILE_NAME tenon-${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_DEBIAN_PACKAGE_NAME libtenon-dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libboost1.81-dev | libboost-dev (>= 1.81), libxsimd-dev (>= 8.1), libxtensor-dev (>= 0.24), xtl-dev (>= 0.7)")
if(NOT TENON_COMPILED_LIBRARY)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
endif()
set(CPACK_GENERATOR TGZ DEB)

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME tenon-${PROJECT_VERSION}-source)
set(CPACK_SOURCE_IGNORE_FILES "/[.]git/" "${CMAKE_CURRENT_SOURCE_DIR}/build/" "/[.]cache/")
include(CPack)
