# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D "ACTIVATIONS=<header>;..." -D README=<path> -P check_names.cmake: fails unless the README names the activation of
# each header.
cmake_minimum_required(VERSION 3.25)

file(READ ${README} readme)
foreach(header IN LISTS ACTIVATIONS)
  cmake_path(GET header STEM name)
  string(FIND "${readme}" "`${name}`" position)
  if(position EQUAL -1)
    message(SEND_ERROR "${README} does not name the activation ${name}")
  endif()
endforeach()
