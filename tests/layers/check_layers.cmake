# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D INCLUDE_DIR=<folder that holds kachel/> -P check_layers.cmake
# Fails where a header includes one of a lower layer: each may include its own layer and those above it in this list.
# Fails where a member has [[no_unique_address]], too: nvcc 13.0 lays out what it passes to a kernel as hosts do, but
# the kernel reads it as if the member had no place, and no build shows that.
cmake_minimum_required(VERSION 3.25)
set(layers
    "version\\.hpp"
    "(detail/)?math/.*"
    "(detail/)?types/.*"
    "(detail/tile/.*|pack\\.hpp|pack_math\\.hpp|tile\\.hpp|contract\\.hpp|detail/(bits|cursor|divisor|evaluate|indices|tuple)\\.hpp)"
    "(schedule\\.hpp|detail/(cuda_instance|op|plan|schedule|tiling)\\.hpp)"
    "(detail/(backend|body)/.*|for_tiles\\.hpp)"
    "(broadcast\\.hpp|detail/(array|call|masked_call)\\.hpp|detail/(reduce|row)/.*)"
    "(map|explain|softmax)\\.hpp"
    "activations/pointwise\\.hpp"
    "activations/mask\\.hpp"
    "(detail/)?activations/.*"
    "activations/list\\.hpp"
    "kachel\\.(h|hpp)"
    "compiled\\.hpp"
)

# The number of the last layer that a header matches, so that a file's own line wins over its folder's.
function(layer_of header result)
  set(found -1)
  set(number 0)
  foreach(pattern IN LISTS layers)
    if(header MATCHES "^kachel/${pattern}$")
      if(found EQUAL -1 OR NOT pattern MATCHES "\\*$")
        set(found ${number})
      endif()
    endif()
    math(EXPR number "${number} + 1")
  endforeach()
  if(found EQUAL -1)
    message(SEND_ERROR "${header} belongs to no layer")
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers RELATIVE ${INCLUDE_DIR} ${INCLUDE_DIR}/kachel/*)
if(NOT headers)
  message(FATAL_ERROR "no headers in ${INCLUDE_DIR}")
endif()
foreach(header IN LISTS headers)
  layer_of(${header} own)
  file(STRINGS ${INCLUDE_DIR}/${header} lines REGEX "no_unique_address")
  if(lines)
    message(SEND_ERROR "${header}: [[no_unique_address]], expected a member with an address, which nvcc's kernels read "
                       "where hosts write it: ${lines}")
  endif()
  file(STRINGS ${INCLUDE_DIR}/${header} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]kachel/")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*[<\"](kachel/[^>\"]*)[>\"].*" "\\1" included "${line}")
    layer_of(${included} other)
    if(other GREATER own)
      message(SEND_ERROR "${header} includes ${included}, which is of a lower layer")
    endif()
  endforeach()
endforeach()
