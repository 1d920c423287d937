# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D BUILD=<build tree> -D PREFIX=<path> -P install.cmake: installs the build tree, and moves the result to PREFIX,
# so that its users also show that no file of it names the place that it was installed to.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${PREFIX} ${PREFIX}.new)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}.new COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${PREFIX}.new ${PREFIX})

# The library and its dependency only.
file(GLOB packages RELATIVE ${PREFIX} ${PREFIX}/include/gtest ${PREFIX}/include/benchmark)
if(packages)
  message(FATAL_ERROR "installed, but not part of the library: ${packages}")
endif()
