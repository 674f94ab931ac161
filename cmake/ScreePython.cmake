# SPDX-License-Identifier: BSD-3-Clause
# Sets SCREE_HAVE_PYTHON and SCREE_PYTHON_EXECUTABLE: the module for Python (docs/python.md) is built for the first of these
# interpreters that has headers and NumPy, which pybind11's arrays ask for when they are used. Without one the launcher
# and apps/python/scree/runs.py lack nothing.
set(SCREE_HAVE_PYTHON FALSE)
if(SCREE_PYTHON AND NOT SCREE_SANITIZE)
  find_path(SCREE_PYBIND11 pybind11/pybind11.h)
  mark_as_advanced(SCREE_PYBIND11)
  if(SCREE_PYBIND11)
    foreach(name IN ITEMS python3 /usr/bin/python3)
      find_program(candidate NAMES ${name} NO_CACHE)
      if(candidate AND NOT SCREE_HAVE_PYTHON)
        execute_process(COMMAND ${candidate} -c "import numpy, os, sysconfig
folder = sysconfig.get_path('include')
assert os.path.exists(os.path.join(folder, 'Python.h'))
print(folder, sysconfig.get_config_var('EXT_SUFFIX'), sep=';')" OUTPUT_VARIABLE found RESULT_VARIABLE failed
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(NOT failed)
          set(SCREE_HAVE_PYTHON TRUE)
          set(SCREE_PYTHON_EXECUTABLE ${candidate})
          list(GET found 0 python_headers)
          list(GET found 1 python_suffix)
        endif()
      endif()
      unset(candidate)
    endforeach()
  endif()
endif()
if(SCREE_HAVE_PYTHON)
  file(GLOB python_sources CONFIGURE_DEPENDS apps/python/*.cpp apps/scree/*_warnings.cpp apps/scree/scene_options.cpp)
  add_library(scree_python MODULE ${python_sources})
  set_target_properties(scree_python PROPERTIES PREFIX "" OUTPUT_NAME _engine SUFFIX ${python_suffix}
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python)
  target_include_directories(scree_python SYSTEM PRIVATE ${python_headers} ${SCREE_PYBIND11})
  target_link_libraries(scree_python PRIVATE scree_engine scree_options scree_version fmt::fmt Eigen3::Eigen CLI11::CLI11)
  message(STATUS "Python: ${SCREE_PYTHON_EXECUTABLE}")
else()
  message(STATUS "Python: no module (pybind11 and a Python with headers and NumPy are needed, and no sanitizer)")
endif()
