# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D BUILD=<folder> -D TARGET=<name> -D SOURCE=<file> -P check.cmake: fails unless the target does not build, for
# the errors alone that the source expects: static_asserts whose messages begin as its comments say.
cmake_minimum_required(VERSION 3.25)

execute_process(
  COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${TARGET}
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
)
file(READ ${SOURCE} source)
# A semicolon would end an element of the list, and a bracket joins elements.
string(REGEX REPLACE "[];[]" "," source "${source}")
string(REGEX REPLACE "[];[]" "," output "${output}")
string(REGEX MATCHALL "// expected: [^\n]*" expected "${source}")
string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
if(NOT expected)
  message(FATAL_ERROR "${SOURCE} expects no error")
endif()
foreach(message IN LISTS expected)
  string(REPLACE "// expected: " "" message "${message}")
  set(found -1)
  foreach(error IN LISTS errors)
    string(FIND "${error}" "${message}" position)
    if(error MATCHES "^error: static[ _]assert" AND NOT position EQUAL -1)
      list(FIND errors "${error}" found)
      break()
    endif()
  endforeach()
  if(found EQUAL -1)
    message(FATAL_ERROR "expected an error of a static_assert with the message '${message}', got:\n${output}")
  endif()
  list(REMOVE_AT errors ${found})
endforeach()
if(errors)
  list(JOIN errors "\n" errors)
  message(FATAL_ERROR "errors that no comment expects:\n${errors}\nin:\n${output}")
endif()
