# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set(PACKAGE_VERSION 4.7.1)
