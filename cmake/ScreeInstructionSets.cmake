# SPDX-License-Identifier: BSD-3-Clause
# The CPU backend's step, once per instruction set. Its program then runs on any processor of the architecture and uses
# what the one at hand has (kernels/step/cpu_engine.cpp). Each form is one object in which the linker has settled all
# copies of inline functions and all names but the entry are local: otherwise std::vector's functions, compiled for
# AVX-512, might be the ones that the whole program gets.
#   SCREE_NATIVE           one form, and everything else too, for the processor of this machine
#   SCREE_INSTRUCTION_SETS what there is code for, narrowest first
set(SCREE_INSTRUCTION_SETS sse2 avx2 avx512 CACHE STRING "Instruction sets that the CPU backend has code for, narrowest first")
set(sets generic)
if(SCREE_NATIVE)
  set(sets native)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND CMAKE_CXX_COMPILER_ID MATCHES "^(GNU|Clang)$" AND CMAKE_OBJCOPY
       AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT SCREE_SANITIZE)
  execute_process(COMMAND ${CMAKE_LINKER} --help OUTPUT_VARIABLE linker_options ERROR_QUIET)
  if(linker_options MATCHES "force-group-allocation")
    set(sets ${SCREE_INSTRUCTION_SETS})
  endif()
endif()

set(flags_sse2 -march=x86-64)
set(flags_avx2 -march=x86-64-v3)
set(flags_avx512 -march=x86-64-v4 ${SCREE_NARROW_MOVES})
set(sources ${PROJECT_SOURCE_DIR}/kernels/step/granular_step_cpu.cpp ${PROJECT_SOURCE_DIR}/kernels/cone/problem_trials_cpu.cpp)
set(entries "")
foreach(set IN LISTS sets)
  string(APPEND entries "X(${set}) ")
  set(names SCREE_MAKE_CPU_ENGINE=make_cpu_engine_${set} SCREE_MAKE_CPU_PROBLEM=make_cpu_problem_${set})
  if(set MATCHES "^(native|generic)$")
    target_sources(scree_kernels PRIVATE ${sources})
    set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_DEFINITIONS ${names})
    continue()
  elseif(NOT DEFINED flags_${set})
    message(FATAL_ERROR "SCREE_INSTRUCTION_SETS: ${set} is none of sse2, avx2, avx512")
  endif()
  add_library(scree_step_${set} OBJECT ${sources})
  target_include_directories(scree_step_${set} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(scree_step_${set} PRIVATE scree_options TBB::tbb)
  # A unique name, of a static inside an inline function, would stay global.
  target_compile_options(scree_step_${set} PRIVATE ${flags_${set}} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  target_compile_definitions(scree_step_${set} PRIVATE ${names})
  set(object ${CMAKE_CURRENT_BINARY_DIR}/scree_step_${set}.o)
  add_custom_command(OUTPUT ${object} DEPENDS scree_step_${set} $<TARGET_OBJECTS:scree_step_${set}>
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${object} $<TARGET_OBJECTS:scree_step_${set}>
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=*make_cpu_*_${set}* ${object}
    COMMAND_EXPAND_LISTS VERBATIM COMMENT "Sealing the step for ${set}")
  target_sources(scree_kernels PRIVATE ${object})
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endforeach()
configure_file(${CMAKE_CURRENT_LIST_DIR}/scree_instruction_sets.hpp.in generated/instruction_sets/scree_instruction_sets.hpp @ONLY)
target_include_directories(scree_kernels PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated/instruction_sets)
message(STATUS "CPU backend: code for ${sets}")
