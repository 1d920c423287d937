/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Prints a hash of each operation's results in each type: for tests that expect the same on every processor. In C, so
 * that it needs no more of the processor than the library does. */
#include <kachel/kachel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { elements = 1 << 16, channels = 16, types = 4, most_arrays = 5 };

static const struct {
  const char* name;
  kachel_type type;
  uint64_t infinity; /* above it are the NaNs */
} type_of[types] = {{"float", {2, 32, 1}, 0x7f800000},
                    {"double", {2, 64, 1}, 0x7ff0000000000000},
                    {"half", {2, 16, 1}, 0x7c00},
                    {"bfloat16", {4, 16, 1}, 0x7f80}};

/* The i-th of the bit patterns: all of 16 bits, of more those that a multiplication spreads. */
static uint64_t pattern(uint64_t i, int array, int bits) {
  const uint64_t spread = (i + 1) * 0x9e3779b97f4a7c15u * (2 * (uint64_t)array + 1);
  return bits == 16 ? (i ^ (array > 1 ? spread >> 48 : 0)) & 0xffff : spread >> (64 - bits);
}

static void fill(unsigned char* memory, int array, int bytes) {
  for (uint64_t i = 0; i < elements; ++i) {
    const uint64_t bits = pattern(i, array, 8 * bytes);
    memcpy(memory + i * (uint64_t)bytes, &bits, (size_t)bytes); /* x86-64 is little-endian */
  }
}

static uint64_t hash(const unsigned char* memory, int bytes, uint64_t infinity) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (uint64_t i = 0; i < elements; ++i) {
    uint64_t bits = 0;
    memcpy(&bits, memory + i * (uint64_t)bytes, (size_t)bytes);
    const uint64_t magnitude = bits & (UINT64_MAX >> (64 - 8 * bytes + 1));
    if (infinity != 0 && magnitude > infinity) bits = infinity + 1; /* any NaN is as good as another */
    sum = (sum ^ bits) * 0x100000001b3u;
  }
  return sum;
}

int main(void) {
  const int64_t extents[2] = {elements / channels, channels}, /* short rows: few hold a NaN */
      mask_extent[1] = {elements / 8};
  const kachel_type bytes_type = {1, 8, 1};
  unsigned char* memory[most_arrays];
  for (int k = 0; k < most_arrays; ++k) memory[k] = malloc((size_t)elements * 8);
  size_t count = 0;
  const kachel_operation* const operations = kachel_operations(&count);
  for (size_t of = 0; of < count; ++of) {
    const kachel_operation* const operation = &operations[of];
    for (int type = 0; type < types; ++type) {
      const int bytes = type_of[type].type.bits / 8;
      kachel_array arrays[most_arrays];
      const kachel_array* pointers[most_arrays];
      for (int k = 0; k < operation->arrays; ++k) {
        const char* const name = operation->array_names[k];
        const int is_mask = strcmp(name, "mask") == 0, is_weight = strcmp(name, "w") == 0 || strcmp(name, "dw") == 0;
        const kachel_array array = {memory[k],
                                    {1, 0},
                                    is_mask || is_weight ? 1 : 2,
                                    is_mask ? bytes_type : type_of[type].type,
                                    is_mask     ? mask_extent
                                    : is_weight ? extents + 1
                                                : extents,
                                    NULL,
                                    0};
        arrays[k] = array;
        pointers[k] = &arrays[k];
        memset(memory[k], 0, (size_t)elements * 8);
        if (k >= operation->outputs) fill(memory[k], k, is_mask ? 1 : bytes);
      }
      char message[256] = "";
      const kachel_status status = kachel_run(operation, pointers, NULL, 0, NULL, NULL, message, sizeof(message));
      if (status != KACHEL_SUCCESS) printf("%s\n", message);
      if (status == KACHEL_UNSUPPORTED) continue; /* of the type */
      if (status != KACHEL_SUCCESS) return 1;
      printf("%s %s %016llx", operation->name, type_of[type].name,
             (unsigned long long)hash(memory[0], bytes, type_of[type].infinity));
      const int second_is_mask = operation->outputs == 2 && strcmp(operation->array_names[1], "mask") == 0;
      if (operation->outputs == 2)
        printf(" %016llx", (unsigned long long)hash(memory[1], second_is_mask ? 1 : bytes,
                                                    second_is_mask ? 0 : type_of[type].infinity));
      printf("\n");
    }
  }
  for (int k = 0; k < most_arrays; ++k) free(memory[k]);
  return count > 0 ? 0 : 1;
}
