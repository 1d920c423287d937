# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D FOLDER=<path> -P archive.cmake: makes the source archive, checks it and unpacks it to FOLDER/unpacked.
cmake_minimum_required(VERSION 3.25)
find_package(Git REQUIRED)
cmake_path(SET source NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../..)

file(REMOVE_RECURSE ${FOLDER})
foreach(run first second)
  file(MAKE_DIRECTORY ${FOLDER}/${run})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${FOLDER}/${run} -P ${source}/cmake/SourceArchive.cmake COMMAND_ERROR_IS_FATAL ANY
  )
  file(GLOB archive RELATIVE ${FOLDER}/${run} ${FOLDER}/${run}/kachel-*.tar.gz)
  file(SHA256 ${FOLDER}/${run}/${archive} hash)
  file(READ ${FOLDER}/${run}/${archive}.sha256 recorded)
  if(NOT recorded STREQUAL "${hash}  ${archive}\n")
    message(FATAL_ERROR "the recorded SHA-256 is ${recorded}, expected ${hash}")
  endif()
  list(APPEND hashes ${hash})
  execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1) # what holds the time of day differs
endforeach()
list(REMOVE_DUPLICATES hashes)
list(LENGTH hashes count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "two archives of one commit differ: ${hashes}")
endif()

string(REPLACE .tar.gz "" name ${archive})
file(ARCHIVE_EXTRACT INPUT ${FOLDER}/first/${archive} DESTINATION ${FOLDER})
file(RENAME ${FOLDER}/${name} ${FOLDER}/unpacked)
file(GLOB_RECURSE unpacked RELATIVE ${FOLDER}/unpacked ${FOLDER}/unpacked/*)
execute_process(
  COMMAND ${GIT_EXECUTABLE} -C ${source} ls-tree -r --name-only HEAD OUTPUT_VARIABLE tracked COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "[^\n]+" tracked "${tracked}")
list(SORT unpacked)
list(SORT tracked)
if(NOT unpacked STREQUAL tracked)
  message(FATAL_ERROR "the archive holds\n${unpacked}\nexpected what is tracked:\n${tracked}")
endif()
