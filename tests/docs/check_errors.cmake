# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D BUILD=<folder> -D "TARGETS=<name>..." -D GUIDE=<file> -P check_errors.cmake: fails unless the guide shows what the
# compiler says of the targets.
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C) # quotation marks of ASCII
foreach(target IN LISTS TARGETS)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target ${target}
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said
  )
  string(APPEND output "${said}")
endforeach()
file(READ ${GUIDE} guide)
string(REGEX MATCHALL "\nmain\\.cpp:[^\n]*" lines "${guide}")
list(LENGTH lines count)
if(count LESS 3)
  message(FATAL_ERROR "${GUIDE} shows ${count} lines of a compiler, expected 3")
endif()
foreach(line IN LISTS lines)
  string(STRIP "${line}" line)
  string(FIND "${output}" "/${line}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${GUIDE} shows\n${line}\nbut the compiler says\n${output}")
  endif()
endforeach()
