// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kachel/detail/schedule.hpp>

namespace kachel::detail {
namespace {

std::string tuple_of(const std::int64_t* values, int count) {
  std::string text = "(";
  for (int i = count - 1; i >= 0; --i) text.append(std::to_string(values[i])).append(i > 0 ? ", " : "");
  return text + ")";
}

const char* name_of(Cost cost) { return cost == Cost::low ? "low" : cost == Cost::medium ? "medium" : "high"; }

}  // namespace

std::string explain_call(std::string_view label, const Plan& plan, int arrays, const Kernels& kernels,
                         const Schedule& schedule, bool on_host) {
  std::string text = std::string(label) + ": " + std::to_string(plan.size) + " elements, cost " +
                     name_of(kernels.cost) + (plan.in_place ? ", in place" : "") + "\nplan: ";
  if (plan.layout == Layout::contiguous) {
    text += "contiguous arrays in one order";
    text += plan.rank > 1 ? ", beside inputs that repeat" : "";
  } else {
    text += plan.layout == Layout::rows ? "rows" : "strided rows";
    text += ", extents " + tuple_of(plan.extents, plan.rank);
    for (int k = 0; k < arrays; ++k) text += (k == 0 ? ", strides " : " ") + tuple_of(plan.strides[k], plan.rank);
    text += arrays > 1 ? " of the outputs and inputs" : "";
  }
  text += plan.aligned && plan.shift == 0 ? ", aligned"
          : plan.aligned                  ? ", all " + std::to_string(plan.shift) + " elements after an aligned address"
                                          : ", not aligned alike";
  text += std::string("\nkernel: ") + to_string(schedule.kernel) + ", since " + schedule.reason + "\nthreads: ";
  if (on_host) {
    // Tiles that share a line, and elements that are apart, are stored and loaded as they are.
    const std::string where = plan.layout == Layout::contiguous ? "" : " along rows of neighbours";
    text += schedule.threads == 1 ? "the calling one alone" : "all of the space's";
    text += kernels.cost == Cost::low || schedule.kernel == Kernel::table ? "; serial_low_cost_bytes decides"
                                                                          : "; serial_bytes decides";
    text += "\ncache: " + (schedule.streams ? "stores bypass it" + where + ", " : "ordinary stores, ") +
            (schedule.fetches_ahead ? "inputs are fetched ahead" + where : "ordinary loads") + "; large_bytes decides";
  } else {
    text += std::to_string(schedule.threads) + " a block";
    if (schedule.kernel == Kernel::staged) text += ", " + std::to_string(schedule.blocks) + " blocks a multiprocessor";
    text += "\ncache: ";
    if (schedule.restored_bytes == 0)
      text += "ordinary loads";
    else
      text +=
          "inputs stay in the L2 cache longer, as of large_bytes, until the last " +
          (schedule.kernel == Kernel::table ? "chunk of each group gets its"
                                            : std::to_string(schedule.restored_bytes) + " bytes of them get their") +
          " normal priority back";
  }
  return text + "\n";
}

}  // namespace kachel::detail
