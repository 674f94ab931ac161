# SPDX-License-Identifier: BSD-3-Clause
# scree_version: version, commit and build type as constants, seen only by the files that print them. The commit is
# asked for at every build and the header is rewritten only when it changed; "-dirty" marks uncommitted changes.
# The same file, run as a script (cmake -P) by that build step, writes the header.
if(CMAKE_SCRIPT_MODE_FILE)
  execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE_DIR}
                  OUTPUT_VARIABLE SCREE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT SCREE_COMMIT)
    set(SCREE_COMMIT unknown)
  endif()
  configure_file(${SOURCE_DIR}/cmake/version.hpp.in ${HEADER} @ONLY)
  return()
endif()

set(header ${PROJECT_BINARY_DIR}/generated/scree_version.hpp)
add_custom_target(scree_write_version BYPRODUCTS ${header}
                  COMMAND ${CMAKE_COMMAND} -DSOURCE_DIR=${CMAKE_CURRENT_SOURCE_DIR} -DHEADER=${header}
                          -DPROJECT_VERSION=${PROJECT_VERSION} -P ${CMAKE_CURRENT_LIST_FILE}
                  COMMENT "Asking git for the commit")
add_library(scree_version INTERFACE)
add_dependencies(scree_version scree_write_version)
target_include_directories(scree_version INTERFACE ${PROJECT_BINARY_DIR}/generated)
