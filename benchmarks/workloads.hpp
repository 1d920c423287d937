// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The workloads, a source file each. Each registers its rows with Google Benchmark.
#pragma once

namespace bench {

/// The rows of a program, of which main is linked to one: all_rows.cpp, readme_rows.cpp.
void add_rows();

void add_bandwidth();   ///< the target shape, every type, every peer
void add_sizes();       ///< 2^10 to 2^30 elements
void add_calls();       ///< what a call costs the thread that makes it
void add_views();       ///< operands misaligned, in rows, strided, of two types
void add_columns();     ///< on the CPU, short rows and changes of layout of every number of columns
void add_broadcast();   ///< small arrays that repeat beside large ones
void add_softmax();     ///< on a CPU, rows of each length
void add_backward();    ///< the derivatives, and a training step captured in a graph
void add_prelu();       ///< the activation whose slope is an operand, and its derivatives
void add_saved();       ///< what a forward pass leaves for the derivative: x, y or a bit an element
void add_levers();      ///< what the tuning was chosen from
void add_lookups();     ///< on a host, functions of 16-bit numbers computed and looked up
void add_cycles();      ///< on the CPU, the arithmetic of every activation, and the plain loop that calls it
void add_loops();       ///< on the CPU, functions of one number in a user's own loops
void add_pipelining();  ///< on CUDA, functions of several lengths, by a tile a thread and by several under way
void add_eviction();    ///< on CUDA, block sizes, priorities in the L2 cache, and the kernel that runs next

/// Part `part` of the activations of the list, and their derivatives.
template <int part>
void add_activations();

}  // namespace bench
