// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The library's version: the one place that holds it. CMake reads it from here.
#pragma once

/// @{
/// Semantic version, whose promise docs/releases.md states.
#define KACHEL_VERSION_MAJOR 0
#define KACHEL_VERSION_MINOR 1
#define KACHEL_VERSION_PATCH 0
/// @}

/// The version as one number, made as Kokkos' own is: 10000 major + 100 minor + patch. `#if KACHEL_VERSION >= 200` asks
/// for 0.2.0 or newer.
#define KACHEL_VERSION (KACHEL_VERSION_MAJOR * 10000 + KACHEL_VERSION_MINOR * 100 + KACHEL_VERSION_PATCH)
