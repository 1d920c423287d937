# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The installed tree: headers, library and a package for find_package(kachel CONFIG). A fetched Kokkos is installed too.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kachel)
install(DIRECTORY include/kachel TYPE INCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/kachel) # a parent's CMAKE_INSTALL_DOCDIR is its own
install(TARGETS kachel EXPORT kachelTargets)
install(EXPORT kachelTargets NAMESPACE kachel:: DESTINATION ${package_dir})
configure_package_config_file(cmake/kachelConfig.cmake.in kachelConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(kachelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kachelConfig.cmake ${PROJECT_BINARY_DIR}/kachelConfigVersion.cmake
        DESTINATION ${package_dir}
)
