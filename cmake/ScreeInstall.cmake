# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` puts under the prefix: the launcher, the static libraries, the headers that users include, and
# the package that find_package(scree) reads. docs/library.md shows its use.
include(CMakePackageConfigHelpers)

# Headers of the documented interface; what they include follows them.
file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/engine/model/*.hpp)
list(APPEND headers engine/scene/load.hpp engine/scene/write.hpp engine/geometry/mesh_file.hpp
     engine/simulation/simulation.hpp engine/query/scene_query.hpp engine/query/contact_index.hpp
     engine/query/rest.hpp)
set(public_headers "")
while(headers)
  list(POP_FRONT headers header)
  list(APPEND public_headers ${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST public_headers AND NOT included IN_LIST headers)
      list(APPEND headers ${included})
    endif()
  endforeach()
endwhile()
# What they include may change without any file coming or going.
list(TRANSFORM public_headers PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE watched_headers)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${watched_headers})
foreach(header IN LISTS public_headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${SCREE_INCLUDE_FOLDER}/${folder})
endforeach()

set_target_properties(scree_engine PROPERTIES EXPORT_NAME scree)
set_target_properties(scree_kernels PROPERTIES EXPORT_NAME kernels)
install(TARGETS scree_engine scree_kernels EXPORT scree_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS scree RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(python_folder ${CMAKE_INSTALL_DATADIR}/scree/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/apps/python/scree DESTINATION ${python_folder} FILES_MATCHING PATTERN "*.py")
if(SCREE_HAVE_PYTHON)
  # Where only the launcher was built, there is none.
  install(TARGETS scree_python LIBRARY DESTINATION ${python_folder}/scree OPTIONAL)
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
install(EXPORT scree_targets NAMESPACE scree:: FILE screeTargets.cmake DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/screeConfig.cmake.in ${PROJECT_BINARY_DIR}/screeConfig.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/screeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/screeConfig.cmake ${PROJECT_BINARY_DIR}/screeConfigVersion.cmake
        DESTINATION ${package})
