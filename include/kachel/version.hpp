// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The library's version: the one place that holds it. CMake reads it from here.
#pragma once

/// @{
/// Semantic version.
#define KACHEL_VERSION_MAJOR 0
#define KACHEL_VERSION_MINOR 1
#define KACHEL_VERSION_PATCH 0
/// @}
