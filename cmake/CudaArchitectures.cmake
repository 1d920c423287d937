# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(KACHEL_CUDA_ARCHITECTURES "" CACHE STRING
    "Compute capabilities that kachel_c is compiled for beside the one that Kokkos is built for: 90;100"
)

# kachel_add_cuda_architectures(<target>): compiles it for them too. nvcc_wrapper of Kokkos takes one architecture, nvcc
# itself more by its environment.
function(kachel_add_cuda_architectures target)
  if(Kokkos_ENABLE_CUDA AND KACHEL_CUDA_ARCHITECTURES)
    list(TRANSFORM KACHEL_CUDA_ARCHITECTURES REPLACE "(.+)" "-gencode=arch=compute_\\1,code=sm_\\1" OUTPUT_VARIABLE flags)
    list(JOIN flags " " flags)
    get_property(launch GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
    set_target_properties(
      ${target} PROPERTIES RULE_LAUNCH_COMPILE "${CMAKE_COMMAND} -E env \"NVCC_APPEND_FLAGS=${flags}\" ${launch}"
    )
  endif()
endfunction()
