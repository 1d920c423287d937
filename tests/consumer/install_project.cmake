# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D BUILD=<build tree of from_source> -D PREFIX=<path> -P install_project.cmake: installs a project that has
# Kachel's sources, and checks that nothing of Kachel's comes along.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE installed RELATIVE ${PREFIX} ${PREFIX}/*)
if(NOT bin/app IN_LIST installed)
  message(FATAL_ERROR "expected bin/app among what is installed: ${installed}")
endif()
list(FILTER installed INCLUDE REGEX "kachel|LICENSE")
if(installed)
  message(FATAL_ERROR "installed with a project that only uses Kachel: ${installed}")
endif()
