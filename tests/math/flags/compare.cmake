# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D INCLUDE_DIR=<folder that holds kachel/> -D BUILD_DIR=<dir> -P compare.cmake
# Compiles hashes.cpp by every compiler there is, each with flags that change what it makes of floating-point arithmetic,
# and fails unless all print the same.
cmake_minimum_required(VERSION 3.25)
set(flags
    "g++ -O0"
    "g++ -O2 -ffp-contract=off"
    "g++ -O3 -march=x86-64-v3 -ffp-contract=fast"
    "g++ -O3 -march=native -ffp-contract=fast"
    "clang++ -O0 -ffp-contract=fast"
    "clang++ -O3 -march=x86-64-v3 -ffp-contract=fast"
    "nvcc -arch=native -O3 -fmad=true -Xcompiler=-march=x86-64-v3,-ffp-contract=fast"
    "nvcc -arch=native -O3 -fmad=false"
)
set(source ${CMAKE_CURRENT_LIST_DIR}/hashes.cpp)
set(program ${BUILD_DIR}/hashes)
file(MAKE_DIRECTORY ${BUILD_DIR})
set(expected "")
foreach(line IN LISTS flags)
  separate_arguments(words UNIX_COMMAND "${line}")
  list(POP_FRONT words compiler)
  find_program(${compiler}_path ${compiler} PATHS /usr/local/cuda/bin)
  if(NOT ${compiler}_path)
    message("${line}: there is no ${compiler}")
    continue()
  endif()
  if(compiler STREQUAL "nvcc")
    list(APPEND words -x cu)
  endif()
  execute_process(
    COMMAND ${${compiler}_path} -std=c++20 ${words} -I ${CMAKE_CURRENT_LIST_DIR}/stand_in -I ${INCLUDE_DIR} ${source} -o ${program}
            COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(COMMAND ${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(expected STREQUAL "")
    set(expected "${output}")
    message("${output}")
  elseif(NOT output STREQUAL expected)
    message(SEND_ERROR "${line} gives other bits:\n${output}")
  endif()
  message("${line}: done")
endforeach()
