# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kachel_find_or_fetch(<name>): Kokkos, GTest or benchmark, as installed on the machine, else fetched by hash.
# FETCHCONTENT_SOURCE_DIR_KOKKOS, _GTEST or _BENCHMARK names an unpacked source instead.
include(FetchContent)
include(${CMAKE_CURRENT_LIST_DIR}/DebianMirror.cmake)

# Each release's archive is the same file upstream and in Debian's pool.
set(kachel_Kokkos_release
    5.0 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
    https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
    pool/main/k/kokkos/kokkos_5.0.2.orig.tar.gz
)
set(kachel_GTest_release
    1.12 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
    https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
    pool/main/g/googletest/googletest_1.12.1.orig.tar.gz
)
set(kachel_benchmark_release
    1.7 6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7
    https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
    pool/main/b/benchmark/benchmark_1.7.1.orig.tar.gz
)

function(kachel_fetch name)
  list(GET kachel_${name}_release 1 hash)
  list(GET kachel_${name}_release 2 upstream)
  list(GET kachel_${name}_release 3 debian)
  string(TOUPPER ${name} upper_name)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper_name})
    kachel_debian_mirrors(mirrors)
    list(TRANSFORM mirrors APPEND /${debian})
  endif()
  FetchContent_Declare(
    ${name}
    URL ${upstream} ${mirrors}
    URL_HASH SHA256=${hash}
    DOWNLOAD_EXTRACT_TIMESTAMP ON
  )
  # Settings of the fetched projects' own builds.
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  set(BUILD_SHARED_LIBS OFF)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # as Kachel is, for a shared library that links both
  set_property(DIRECTORY PROPERTY SYSTEM ON) # inherited by the fetched project: its headers give no warnings
  FetchContent_MakeAvailable(${name})
  set_property(DIRECTORY PROPERTY SYSTEM OFF)
endfunction()

macro(kachel_find_or_fetch name)
  string(TOUPPER ${name} kachel_upper_name)
  if(NOT FETCHCONTENT_SOURCE_DIR_${kachel_upper_name})
    list(GET kachel_${name}_release 0 kachel_version)
    find_package(${name} ${kachel_version} CONFIG QUIET)
  endif()
  if(NOT ${name}_FOUND)
    kachel_fetch(${name})
  endif()
endmacro()

# kachel_check_kokkos(): refuses a Kokkos::kokkos that is too old, or found without a device that the cache asks for. From
# 5.0 on Kokkos itself refuses to be built below C++20.
function(kachel_check_kokkos)
  list(GET kachel_Kokkos_release 0 expected)
  get_target_property(is_imported Kokkos::kokkos IMPORTED)
  if(is_imported)
    set(version "${Kokkos_VERSION}")
    if(NOT version) # found in a folder beside this one: Kokkos_DIR is known, the version is not
      find_package(Kokkos CONFIG QUIET)
      set(version "${Kokkos_VERSION}")
    endif()
  else()
    get_target_property(folder Kokkos::kokkos SOURCE_DIR)
    get_directory_property(version DIRECTORY ${folder} DEFINITION Kokkos_VERSION)
  endif()
  if(NOT version VERSION_GREATER_EQUAL expected)
    message(FATAL_ERROR "Kachel: the target Kokkos::kokkos is of Kokkos ${version}, expected ${expected} or newer")
  endif()
  foreach(device CUDA HIP SYCL)
    if(is_imported AND Kokkos_ENABLE_${device} AND NOT device IN_LIST Kokkos_DEVICES)
      message(FATAL_ERROR "Kachel: Kokkos_ENABLE_${device} is ON, but the Kokkos in ${Kokkos_DIR} is built without it, \
expected -DKokkos_ENABLE_${device}=OFF, another Kokkos_DIR, or FETCHCONTENT_SOURCE_DIR_KOKKOS for one that is built here"
      )
    endif()
  endforeach()
endfunction()
