# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The same as far as a project sees that finds it, without asking for a version.
add_library(Kokkos::kokkos IMPORTED INTERFACE GLOBAL)
