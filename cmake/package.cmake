# Install rules and find_package(motmot): motmot::motmot alone, or with COMPONENTS report also motmot::study and motmot::report.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/motmot)

install(TARGETS motmot EXPORT motmot_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT motmot_targets NAMESPACE motmot:: DESTINATION ${package_dir})
if(MOTMOT_REPORT)
  install(TARGETS motmot_study motmot_report EXPORT motmot_report_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT motmot_report_targets NAMESPACE motmot:: DESTINATION ${package_dir})
endif()
install(DIRECTORY include/motmot DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/motmot-config.cmake.in motmot-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(motmot-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/motmot-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/motmot-config-version.cmake
        DESTINATION ${package_dir})

# What `make install` builds: everything that is installed, and no test.
add_custom_target(ship)
foreach(target motmot motmot_study motmot_report motmot_app motmot_manual motmot_python motmot_gan_app motmot_mpi_app)
  if(TARGET ${target})
    add_dependencies(ship ${target})
  endif()
endforeach()
