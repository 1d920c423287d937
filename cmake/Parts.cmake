# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kachel_compile_in_parts(<name> <source> <library>...): an interface library that brings the objects of a source that is
# compiled several times, each for a part of the list of activations: KACHEL_PART of KACHEL_PARTS. For all of them at
# once a compiler takes long, and gigabytes.
function(kachel_compile_in_parts name source)
  set(parts 8)
  add_library(${name} INTERFACE)
  target_compile_definitions(${name} INTERFACE KACHEL_PARTS=${parts})
  math(EXPR last_part "${parts} - 1")
  foreach(part RANGE ${last_part})
    add_library(${name}_${part} OBJECT EXCLUDE_FROM_ALL ${source})
    target_compile_definitions(${name}_${part} PRIVATE KACHEL_PART=${part} KACHEL_PARTS=${parts})
    target_link_libraries(${name}_${part} PRIVATE kachel::kachel ${ARGN})
    kachel_enable_warnings(${name}_${part})
    target_sources(${name} INTERFACE $<TARGET_OBJECTS:${name}_${part}>)
  endforeach()
endfunction()

# kachel_compile_for_tested(<name> <source> <library>...): the same, of the activations that KACHEL_TESTED_ACTIVATIONS
# names. Where it names some, the source is compiled once, with their functors in KACHEL_TESTED.
function(kachel_compile_for_tested name source)
  if(KACHEL_TESTED_ACTIVATIONS STREQUAL "all")
    kachel_compile_in_parts(${name} ${source} ${ARGN})
    return()
  endif()
  add_library(${name} INTERFACE)
  target_sources(${name} INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  if(NOT KACHEL_TESTED_ACTIVATIONS STREQUAL "kinds")
    list(TRANSFORM KACHEL_TESTED_ACTIVATIONS PREPEND "kachel::" OUTPUT_VARIABLE tested)
    list(JOIN tested "," tested)
    target_compile_definitions(${name} INTERFACE KACHEL_TESTED=${tested})
  endif()
endfunction()
