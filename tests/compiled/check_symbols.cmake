# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Expects an object to define one name for the linker and no other: else functions of several instruction sets meet.
#   NM, OBJECT, NAME
execute_process(
  COMMAND ${NM} --defined-only --extern-only ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY
)
if(NOT symbols MATCHES "^[0-9a-f]+ T ${NAME}\n$")
  message(FATAL_ERROR "${OBJECT} defines for the linker:\n${symbols}expected ${NAME} alone")
endif()
