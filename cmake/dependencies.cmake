# The header-only libraries that Tenon needs. The error for a missing one names the Debian package that contains it.
macro(tenon_require package version debian)
  find_package(${package} ${version} QUIET)
  if(NOT ${package}_FOUND)
    find_package(${package} QUIET)  # xsimd 14 reports that it is not compatible with 8.1
  endif()
  if(NOT ${package}_FOUND OR ${package}_VERSION VERSION_LESS ${version})
    message(FATAL_ERROR "Tenon needs ${package} >= ${version}, which was not found. On Debian and Ubuntu: "
                        "apt-get install ${debian}. Elsewhere: install it and set CMAKE_PREFIX_PATH.")
  endif()
endmacro()

tenon_require(Boost 1.81 libboost1.81-dev)
tenon_require(xtl 0.7 xtl-dev)
tenon_require(xsimd 8.1 libxsimd-dev)
tenon_require(xtensor 0.24 libxtensor-dev)
