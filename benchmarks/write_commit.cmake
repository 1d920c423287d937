# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D GIT=<program> -D SOURCE=<dir> -D HEADER=<file> -P write_commit.cmake
set(commit unknown)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty OUTPUT_VARIABLE described
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
  )
  if(described)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once
namespace bench {
inline constexpr char commit[] = \"${commit}\";
}
")
