# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D BUILD=<folder> -D TARGET=<name> -D EXPECTED=<text> -P check.cmake: fails unless the target does not build, for
# one error alone: a static_assert whose message begins with the text.
cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGET}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
string(REPLACE ";" "," output "${output}") # which would end an element of the list
string(REPLACE ";" "," EXPECTED "${EXPECTED}")
string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
list(LENGTH errors count)
string(FIND "${errors}" "${EXPECTED}" position)
if(NOT count EQUAL 1 OR NOT errors MATCHES "^error: static[ _]assert" OR position EQUAL -1)
  message(FATAL_ERROR "expected one error, of a static_assert with the message '${EXPECTED}', got:\n${output}")
endif()
