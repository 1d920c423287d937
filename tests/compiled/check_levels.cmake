# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a program with KACHEL_LEVEL as each of LEVELS, and on a processor that has no AVX, by EMULATOR where there is one.
# Expects the same output.
#   PROGRAM, LEVELS, EMULATOR
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE expected COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n" lines "${expected}")
list(LENGTH lines count)
foreach(level IN LISTS LEVELS)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env KACHEL_LEVEL=${level} ${PROGRAM} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  if(NOT output STREQUAL expected)
    message(SEND_ERROR "Results differ between the levels: with KACHEL_LEVEL=${level}\n${output}\nwithout\n${expected}")
  endif()
  message(STATUS "${count} results at ${level}")
endforeach()
if(EMULATOR)
  execute_process(COMMAND ${EMULATOR} -cpu qemu64 ${PROGRAM} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL expected)
    message(SEND_ERROR "Results differ on a processor without AVX:\n${output}\nexpected\n${expected}")
  endif()
  message(STATUS "${count} results on a processor without AVX")
endif()
