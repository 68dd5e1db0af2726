# What cmake --install puts where: the executable, the libraries it finds beside itself in
# ../lib/heddle, the header for programs under test, the package for CMake, and what is to be read.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS heddle RUNTIME DESTINATION bin)
if(HEDDLE_NATIVE)
  install(TARGETS heddle_pass heddle_rt LIBRARY DESTINATION lib/heddle)
  install(FILES src/gdb/heddle_gdb.py ${PROJECT_BINARY_DIR}/heddle_channels.o
    DESTINATION lib/heddle)
  install(DIRECTORY include/ DESTINATION include)

  set(package_directory lib/cmake/heddle)
  set(CMAKE_INSTALL_BINDIR bin)
  configure_package_config_file(cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
    INSTALL_DESTINATION ${package_directory}
    PATH_VARS CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake
    ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake cmake/heddleAddTest.cmake
    DESTINATION ${package_directory})
endif()

# Both are printed by the executable, from its table of options.
add_custom_command(TARGET heddle POST_BUILD
  COMMAND heddle help --man > ${PROJECT_BINARY_DIR}/heddle.1
  COMMAND heddle help --completion > ${PROJECT_BINARY_DIR}/heddle.bash
  VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/heddle.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/heddle.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(DIRECTORY bench/programs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/bench)
install(FILES docs/json-schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heddle)
