# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D FOLDER=<path> -P archive.cmake: makes the source archive, checks it and its name, and unpacks it to
# FOLDER/unpacked.
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

# The name, in a clone: a release's only where the version has its date, and all is committed.
set(clone ${FOLDER}/clone)
set(git ${GIT_EXECUTABLE} -C ${clone} -c user.name=test -c user.email=test@kachel.invalid
        -c commit.gpgsign=false
)
execute_process(COMMAND ${GIT_EXECUTABLE} clone --quiet ${source} ${clone} COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${source}/cmake/SourceArchive.cmake DESTINATION ${clone}/cmake)
file(READ ${clone}/CHANGELOG.md changelog)
string(REGEX REPLACE "-dev$" "" release ${name})

function(commit_with_date date)
  string(REGEX REPLACE "(\n## [^ ]+ - )[^\n]+" "\\1${date}" dated "${changelog}")
  file(WRITE ${clone}/CHANGELOG.md "${dated}")
  execute_process(COMMAND ${git} commit --quiet --all --allow-empty -m ${date} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(expect_archive expected)
  file(REMOVE_RECURSE ${FOLDER}/named)
  file(MAKE_DIRECTORY ${FOLDER}/named)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${FOLDER}/named -P ${clone}/cmake/SourceArchive.cmake COMMAND_ERROR_IS_FATAL ANY
  )
  if(NOT EXISTS ${FOLDER}/named/${expected}.tar.gz)
    message(FATAL_ERROR "expected an archive ${expected}.tar.gz")
  endif()
endfunction()

commit_with_date(unreleased)
expect_archive(${release}-dev)
commit_with_date(2000-01-01)
expect_archive(${release})
file(TOUCH ${clone}/uncommitted)
expect_archive(${release}-dev)
