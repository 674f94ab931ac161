# SPDX-License-Identifier: BSD-3-Clause
# scree_version: version, commit and build type as compile definitions, seen only by the files that print them.
execute_process(COMMAND git rev-parse --short=12 HEAD WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
                OUTPUT_VARIABLE SCREE_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT SCREE_COMMIT)
  set(SCREE_COMMIT unknown)
endif()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/cmake/version.hpp.in ${CMAKE_BINARY_DIR}/generated/scree_version.hpp @ONLY)
add_library(scree_version INTERFACE)
target_include_directories(scree_version INTERFACE ${CMAKE_BINARY_DIR}/generated)
