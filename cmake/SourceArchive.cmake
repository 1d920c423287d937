# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D FOLDER=<path> -P SourceArchive.cmake: writes kachel-<version>.tar.gz of the commit that is checked out, and its
# SHA-256 beside it. What is not committed is not in it. The same commit gives the same bytes. The name ends in -dev, so
# that nobody takes it for a release, unless the changelog has the version's date and all is committed.
cmake_minimum_required(VERSION 3.25)
find_package(Git REQUIRED)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
set(git ${GIT_EXECUTABLE} -C ${source})

execute_process(
  COMMAND ${git} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
execute_process(
  COMMAND ${git} status --porcelain OUTPUT_VARIABLE uncommitted OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
if(uncommitted)
  string(REPLACE "\n" "\n  " listed "${uncommitted}") # lines that message leaves as they are
  message(WARNING "not in the archive, since not committed:\n  ${listed}")
endif()

# The version and the changelog are the commit's too.
execute_process(
  COMMAND ${git} show ${commit}:include/kachel/version.hpp OUTPUT_VARIABLE header COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "define KACHEL_VERSION_[A-Z]+ [0-9]+" numbers "${header}")
list(TRANSFORM numbers REPLACE ".* " "")
list(JOIN numbers . version)
set(name kachel-${version})
execute_process(COMMAND ${git} show ${commit}:CHANGELOG.md OUTPUT_VARIABLE changelog COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE . \\. version ${version})
if(uncommitted OR NOT changelog MATCHES "\n## \\[${version}\\] - [0-9]")
  string(APPEND name -dev)
endif()

# A umask of the user's settings would change the bytes.
execute_process(
  COMMAND ${git} -c tar.umask=0022 archive --format=tar.gz --prefix=${name}/ --output=${FOLDER}/${name}.tar.gz ${commit}
          COMMAND_ERROR_IS_FATAL ANY
)
file(SHA256 ${FOLDER}/${name}.tar.gz hash)
file(WRITE ${FOLDER}/${name}.tar.gz.sha256 "${hash}  ${name}.tar.gz\n")
message(STATUS "${FOLDER}/${name}.tar.gz holds the files of commit ${commit}")
