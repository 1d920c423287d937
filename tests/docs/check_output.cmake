# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D PROGRAM=<path> -D EXPECTED=<path> -P check_output.cmake: fails unless the program prints what the file holds.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
file(READ ${EXPECTED} expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} prints\n${output}expected what is in ${EXPECTED}\n${expected}")
endif()
