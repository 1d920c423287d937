/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/** @file
 * Kachel's operations by name, compiled ahead, for C and for what calls C. They need no Kokkos::initialize. Every
 * function may be called from several threads at once; none prints, aborts or throws. */
#ifndef KACHEL_H
#define KACHEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/** Marks what the library exports. */
#if defined(__GNUC__)
#define KACHEL_API __attribute__((visibility("default")))
#else
#define KACHEL_API
#endif

/** What a call returns. */
typedef enum kachel_status {
  KACHEL_SUCCESS = 0,     /**< the operation ran, or is launched */
  KACHEL_INVALID = 1,     /**< an argument is wrong: nothing was launched */
  KACHEL_UNSUPPORTED = 2, /**< there is no such operation, element type or device in this library */
  KACHEL_FAILED = 3       /**< a launch failed, or there is no memory */
} kachel_status;

/** Where an array is, by DLPack's numbers. */
typedef struct kachel_device {
  int32_t type; /**< 1, 3 and 11 are memory of the CPU, 2 is a CUDA device's, 13 is managed memory */
  int32_t id;   /**< of the device */
} kachel_device;

/** The type of an array's elements, by DLPack's numbers. */
typedef struct kachel_type {
  uint8_t code;   /**< 2: IEEE's formats, 4: bfloat16; of a mask 1: unsigned */
  uint8_t bits;   /**< 16, 32 or 64; of a mask 8 */
  uint16_t lanes; /**< 1 */
} kachel_type;

/** An array, with the members of DLPack's DLTensor: a pointer to one may be given as a pointer to the other. */
typedef struct kachel_array {
  void* data;             /**< the memory */
  kachel_device device;   /**< where it is */
  int32_t rank;           /**< at most 8 */
  kachel_type type;       /**< of the elements */
  const int64_t* extents; /**< `rank` of them */
  const int64_t* strides; /**< in elements; NULL where the last dimension is contiguous, and each before it */
  uint64_t byte_offset;   /**< from data to the first element */
} kachel_array;

/** A parameter by its name. */
typedef struct kachel_parameter {
  const char* name; /**< as in kachel_operation::parameter_names */
  double value;     /**< instead of the default */
} kachel_parameter;

/** The caller's threads, for arrays of the CPU. */
typedef struct kachel_threads {
  int count; /**< how many there are, at least 1 */
  /** Calls work(of, i) for every i < items, to the end, on any threads. */
  void (*run)(void* context, int64_t items, void (*work)(const void* of, int64_t item), const void* of);
  void* context; /**< what run is given first */
} kachel_threads;

/** An operation: hardtanh, hardtanh_backward, hardtanh_backward_from_output, hardtanh_with_mask. */
typedef struct kachel_operation {
  const char* name;                   /**< as in C++ */
  int arrays;                         /**< how many it takes, in the order of the C++ call: outputs first */
  int outputs;                        /**< how many of them are written */
  int parameters;                     /**< how many it has */
  const char* const* array_names;     /**< of each: y, x, dy, dx, mask; w and dw of prelu */
  const char* const* parameter_names; /**< of each */
  const double* defaults;             /**< of each */
} kachel_operation;

/** All operations, sorted by name; they live as long as the library.
 * \param count  gets how many there are; may be NULL */
KACHEL_API const kachel_operation* kachel_operations(size_t* count);

/** The operation of a name, or NULL, also for NULL. */
KACHEL_API const kachel_operation* kachel_find(const char* name);

/** Runs an operation: at once on the CPU, in the order of a stream on CUDA.
 * \param operation        one of the above
 * \param arrays           `operation->arrays` of them, of one element type, on one device, and of equal extents; a mask
 *                         is of bytes, w and dw have one dimension
 * \param parameters       those that differ from their defaults, in any order
 * \param parameter_count  how many these are
 * \param stream           of the arrays' device, a cudaStream_t; NULL for its default stream; not used on the CPU
 * \param threads          not used on CUDA; NULL for the calling thread alone
 * \param message          gets what was wrong, cut to message_bytes with the 0 at its end; may be NULL if that is 0
 * \param message_bytes    how many bytes there are for it */
KACHEL_API kachel_status kachel_run(const kachel_operation* operation, const kachel_array* const* arrays,
                                    const kachel_parameter* parameters, size_t parameter_count, void* stream,
                                    const kachel_threads* threads, char* message, size_t message_bytes);

#if defined(__cplusplus)
}
#endif

#endif
