// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/version.hpp>

static_assert(KACHEL_VERSION_MAJOR == MAJOR && KACHEL_VERSION_MINOR == MINOR && KACHEL_VERSION_PATCH == PATCH,
              "the macros are expected to be the package's version");

#if KACHEL_VERSION != MAJOR * 10000 + MINOR * 100 + PATCH
#error "KACHEL_VERSION is expected to be the package's version as a number"
#endif
