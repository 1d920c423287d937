/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An operation by its name, from C: hardtanh with limits of -2 and 2, and what a wrong argument says. */
#include <kachel/kachel.h>

#include <stdio.h>

int main(void) {
  const float x[4] = {-3.0f, -1.5f, 0.5f, 7.0f};
  float y[4] = {0};
  const int64_t extents[1] = {4};
  const kachel_array input = {(void*)x, {1, 0}, 1, {2, 32, 1}, extents, NULL, 0};
  const kachel_array output = {y, {1, 0}, 1, {2, 32, 1}, extents, NULL, 0};
  const kachel_array* const arrays[2] = {&output, &input};
  const kachel_parameter limits[2] = {{"min_val", -2}, {"max_val", 2}};
  const kachel_parameter wrong[1] = {{"min_val", 3}};
  char message[256] = "";

  const kachel_operation* const hardtanh = kachel_find("hardtanh");
  if (hardtanh == NULL) return 1;
  if (kachel_run(hardtanh, arrays, limits, 2, NULL, NULL, message, sizeof(message)) != KACHEL_SUCCESS) {
    fprintf(stderr, "%s\n", message);
    return 1;
  }
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  if (kachel_run(hardtanh, arrays, wrong, 1, NULL, NULL, message, sizeof(message)) != KACHEL_INVALID) return 1;
  printf("%s\n", message);
  return 0;
}
