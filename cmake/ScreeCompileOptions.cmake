# SPDX-License-Identifier: BSD-3-Clause
# scree_options: what every target of the project compiles with.
add_library(scree_options INTERFACE)
set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(SCREE_WERROR)
  list(APPEND warnings -Werror)
endif()
# -Wno-restrict: false alarms of GCC 12 on string concatenation (GCC bug 105651).
# -Wno-psabi: vectors wider than the baseline's registers never cross a library boundary of ours.
target_compile_options(scree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warnings} -Wno-psabi -Wno-restrict -fno-math-errno
                       -fno-trapping-math -ffp-contract=fast>)
# GCC 12 with AVX-512VL writes constants such as {a, a, 0, 0} as {a, a, a, a} when it moves them by wide registers
#. Narrow moves of constants avoid it; packets keep their full width.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-mmove-max=128 SCREE_HAVE_MOVE_MAX)
set(SCREE_NARROW_MOVES "")
if(SCREE_HAVE_MOVE_MAX)
  set(SCREE_NARROW_MOVES -mmove-max=128 -mstore-max=128)
endif()
if(SCREE_NATIVE)
  target_compile_options(scree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native ${SCREE_NARROW_MOVES}>)
endif()
if(SCREE_SANITIZE)
  target_compile_options(scree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${SCREE_SANITIZE}
                         -fno-omit-frame-pointer>)
  target_link_options(scree_options INTERFACE -fsanitize=${SCREE_SANITIZE})
  # Beside the sanitizer of addresses, which stops at null and, as the processor does, at misplaced packets, the checks of
  # each access say nothing new and double the time that compiling takes.
  if(SCREE_SANITIZE MATCHES "address" AND SCREE_SANITIZE MATCHES "undefined")
    target_compile_options(scree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment>)
  endif()
  if(SCREE_SANITIZE STREQUAL "undefined")
    target_compile_options(scree_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  endif()
endif()
