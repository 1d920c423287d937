# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kachel_choose_package_backends(): what `pip install .` builds for, where the caller says nothing else. CUDA too, if there
# is a compiler for it, for GPUs of compute capability 8.0 and 9.0, and what translates the code of 8.0 for itself.
function(kachel_choose_package_backends)
  find_package(CUDAToolkit QUIET)
  if(CUDAToolkit_NVCC_EXECUTABLE)
    option(Kokkos_ENABLE_CUDA "Build for CUDA" ON)
  endif()
  get_cmake_property(chosen CACHE_VARIABLES)
  list(FILTER chosen INCLUDE REGEX "^Kokkos_ARCH_")
  if(Kokkos_ENABLE_CUDA AND NOT chosen)
    set(Kokkos_ARCH_AMPERE80 ON CACHE BOOL "Build for compute capability 8.0")
    set(KACHEL_CUDA_ARCHITECTURES 90 CACHE STRING "")
  endif()
endfunction()

# kachel_link_package_cuda_runtime(): the static one, which nvcc links unasked. A package loads where no runtime is, and no
# driver, which the runtime loads itself.
function(kachel_link_package_cuda_runtime)
  if(TARGET Kokkos::CUDA)
    find_package(CUDAToolkit REQUIRED)
    get_target_property(target Kokkos::CUDA ALIASED_TARGET)
    if(NOT target)
      set(target Kokkos::CUDA)
    endif()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES CUDA::toolkit)
  endif()
endfunction()
