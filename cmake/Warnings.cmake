# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kachel_enable_warnings(<target>): warnings as errors for the project's own targets, at the level its compilers share.
function(kachel_enable_warnings target)
  set_target_properties(${target} PROPERTIES COMPILE_WARNING_AS_ERROR ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra)
  if(Kokkos_ENABLE_CUDA)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:--Werror=all-warnings>)
  else()
    target_compile_options(${target} PRIVATE -Wpedantic)  # nvcc's own host code is not pedantic
  endif()
endfunction()
