# After `cmake --install`, `find_package(tenon)` gives the same target: tenon::tenon.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(tenon_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/tenon)

install(TARGETS tenon tenon_precompiled EXPORT tenon-targets FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(tenon_every_processor ARCH_INDEPENDENT)
if(TENON_COMPILED_LIBRARY)
  install(TARGETS tenon_compiled EXPORT tenon-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set(tenon_every_processor "")
endif()
install(EXPORT tenon-targets NAMESPACE tenon:: DESTINATION ${tenon_package_dir})
configure_package_config_file(cmake/tenon-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake
                              INSTALL_DESTINATION ${tenon_package_dir})
# Before 1.0 a minor release may change the interface. The headers fit every architecture, tenon::compiled does not.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ${tenon_every_processor})
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/cmake/tenon_network.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/thrust.cmake
        ${CMAKE_CURRENT_SOURCE_DIR}/cmake/mpi.cmake ${CMAKE_CURRENT_SOURCE_DIR}/cmake/nccl.cmake ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake
        DESTINATION ${tenon_package_dir})

install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# For pkg-config. A package that is moved stays right: paths are relative to the file.
configure_file(cmake/tenon.pc.in tenon.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
if(TENON_COMPILED_LIBRARY)
  configure_file(cmake/tenon-compiled.pc.in tenon-compiled.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-compiled.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
endif()
