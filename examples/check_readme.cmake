# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D PROGRAM=<path> -P check_readme.cmake: fails unless the README shows the output of PROGRAM, and the source of the
# example of that name after its licence line.
cmake_minimum_required(VERSION 3.25)

cmake_path(GET PROGRAM STEM example)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../README.md readme)
file(READ ${CMAKE_CURRENT_LIST_DIR}/${example}/main.cpp source)
string(REGEX REPLACE "^// SPDX[^\n]*\n" "" source "${source}")
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)

foreach(part source output)
  string(FIND "${readme}" "\n${${part}}```\n" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "README.md does not show the ${part} of the example ${example}, which is\n${${part}}")
  endif()
endforeach()
