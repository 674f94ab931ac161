# SPDX-License-Identifier: BSD-3-Clause
# cmake -DBUILD=... -DWORK=... -DGENERATOR=... -DCOMPILER=... -P run.cmake
# Installs the build BUILD below WORK, then configures, builds and runs the project of this folder against the installed
# package. The same project with Scree in a subdirectory is configured only: building it takes minutes.
file(REMOVE_RECURSE ${WORK})
set(settings -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)

# Users compile with flags of their own: none of ours may reach them.
function(check_flags folder)
  file(STRINGS ${folder}/compile_commands.json commands REGEX "\"command\".*package/main\\.cpp")
  if(NOT commands)
    message(FATAL_ERROR "no command for main.cpp in ${folder}")
  endif()
  if(commands MATCHES "-march|-Wall|-Werror|-Wconversion|-ffp-contract|-fno-")
    message(FATAL_ERROR "flags of the library reach its users: ${commands}")
  endif()
endfunction()

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/found ${settings}
                        -DCMAKE_PREFIX_PATH=${WORK}/prefix
                COMMAND_ERROR_IS_FATAL ANY)
check_flags(${WORK}/found)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/found COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/found/falling_ball COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/prefix/bin/scree info OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/subdirectory -B ${WORK}/subdirectory ${settings}
                        -DSCREE_SOURCE=${CMAKE_CURRENT_LIST_DIR}/../.. -DSCREE_CUDA=OFF
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
check_flags(${WORK}/subdirectory)
