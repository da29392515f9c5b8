# Install rules and find_package(motmot).
include(CMakePackageConfigHelpers)

install(TARGETS motmot motmot_study motmot_report EXPORT motmot_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/motmot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT motmot_targets NAMESPACE motmot:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motmot)
configure_package_config_file(cmake/motmot-config.cmake.in motmot-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motmot)
write_basic_package_version_file(motmot-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/motmot-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/motmot-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/motmot)
