include(CMakePackageConfigHelpers)

set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/pier")
get_property(installed_libraries GLOBAL PROPERTY PIER_LIBRARIES)

install(TARGETS ${installed_libraries} EXPORT pier
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT pier NAMESPACE pier:: FILE pier-targets.cmake DESTINATION "${config_folder}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/pier" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET pier_cli)
  install(TARGETS pier_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/pier-config.cmake.in"
  "${PROJECT_BINARY_DIR}/pier-config.cmake" INSTALL_DESTINATION "${config_folder}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/pier-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/pier-config.cmake" "${PROJECT_BINARY_DIR}/pier-config-version.cmake"
  DESTINATION "${config_folder}")
