# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(KACHEL_TESTED_ACTIVATIONS all CACHE STRING
    "Which tests and benchmarks are of: all, kinds for one of each kind, or functors: ReLU;HardTanh")

# kachel_compile_in_parts(<name> <source> <library>...): an interface library that brings the objects of a source that is
# compiled several times, each for a part of the list of activations: KACHEL_PART of KACHEL_PARTS. For all of them at
# once a compiler takes long, and gigabytes. Where KACHEL_TESTED_ACTIVATIONS names few there is one part.
function(kachel_compile_in_parts name source)
  set(parts 1)
  if(KACHEL_TESTED_ACTIVATIONS STREQUAL "all")
    set(parts 8)
  endif()
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
  kachel_define_tested(${name} INTERFACE)
endfunction()

# kachel_define_tested(<target> <scope>): KACHEL_TESTED, the functors that KACHEL_TESTED_ACTIVATIONS names, if it does.
function(kachel_define_tested target scope)
  if(NOT KACHEL_TESTED_ACTIVATIONS MATCHES "^(all|kinds)$")
    list(TRANSFORM KACHEL_TESTED_ACTIVATIONS PREPEND "kachel::" OUTPUT_VARIABLE tested)
    list(JOIN tested "," tested)
    target_compile_definitions(${target} ${scope} KACHEL_TESTED=${tested})
  endif()
endfunction()
