# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kachel_extract_golden(<variable>): unpacks the golden values into the build folder, and sets the variable to where they are.
function(kachel_extract_golden variable)
  set(archive ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/golden.tar.xz)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${archive})
  file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${CMAKE_CURRENT_BINARY_DIR}/golden)
  set(${variable} ${CMAKE_CURRENT_BINARY_DIR}/golden PARENT_SCOPE)
endfunction()
