// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operation.hpp"

#include <kachel/detail/backend/cuda/launch_kernel.hpp>
#include <kachel/kachel.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace kachel::detail {
namespace {

/// An operation of this library.
struct Operation {
  std::string label;
  std::size_t mask;  ///< its place among the arrays, or a place beyond them
  const CompiledOperation<CallerThreads>* on_host;
#if defined(KOKKOS_ENABLE_CUDA)
  const CompiledOperation<CudaInstance>* on_cuda;
#endif
};

/// Whether the processor has an instruction set.
bool has_instructions([[maybe_unused]] std::string_view level) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (level == "x86-64-v2") return __builtin_cpu_supports("x86-64-v2");
  if (level == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  if (level == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
#endif
  return true;
}

/// The last level that the processor has, but none above what the environment variable KACHEL_LEVEL names: of another
/// name the first.
const Level& chosen_level() {
  constexpr std::string_view known[] = {"own", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  const char* const most = std::getenv("KACHEL_LEVEL");
  const auto last = most == nullptr ? std::end(known) - 1 : std::ranges::find(known, std::string_view(most));
  const Level* chosen = &levels.front();
  for (const Level& level : levels)
    if (last != std::end(known) && std::ranges::find(known, level.name) <= last && has_instructions(level.name))
      chosen = &level;
  return *chosen;
}

/// The operations in the order of their names, and what C sees of each.
struct Registry {
  std::vector<Operation> operations;
  std::vector<kachel_operation> described;

  Registry() {
    const CompiledOperations<CallerThreads>& all = chosen_level().operations();
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto mask = std::ranges::find(all[k].arrays, std::string_view("mask"));
      operations.push_back({"kachel::" + all[k].name, static_cast<std::size_t>(mask - all[k].arrays.begin()), &all[k],
#if defined(KOKKOS_ENABLE_CUDA)
                            &compiled_operations<CudaInstance>()[k]
#endif
      });
    }
    std::ranges::sort(operations, {}, &Operation::label);
    for (const Operation& operation : operations) {
      const CompiledOperation<CallerThreads>& own = *operation.on_host;
      described.push_back({own.name.c_str(), static_cast<int>(own.arrays.size()), own.outputs,
                           static_cast<int>(own.parameters.size()), own.arrays.data(), own.parameters.data(),
                           own.defaults.data()});
    }
  }
};

const Registry& registry() {
  static const Registry all;
  return all;
}

/// There is no such thing in this library.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Device { host, cuda };

Device device_of(const std::string& label, const kachel_array& array) {
  constexpr std::int32_t cpu = 1, cuda = 2, cuda_host = 3, rocm_host = 11, cuda_managed = 13;
  switch (array.device.type) {
    case cpu:
    case cuda_host:
    case rocm_host:
      return Device::host;
    case cuda:
    case cuda_managed:
      return Device::cuda;
    default:
      throw Unsupported(label + ": an array has DLPack's device type " + std::to_string(array.device.type) +
                        ", expected that of a CPU or of CUDA");
  }
}

std::string name_of(const kachel_type& type) {
  constexpr const char* codes[] = {"int", "uint", "float", "handles of ", "bfloat", "complex", "bool"};
  if (type.bits == 0) return "a type that DLPack has no name for";
  const std::string bits = std::to_string(type.bits);
  const std::string name =
      type.code < std::size(codes) ? codes[type.code] + bits : "DLPack's code " + std::to_string(type.code);
  return type.lanes == 1 ? name : name + " in groups of " + std::to_string(type.lanes);
}

/// \param doubles  whether the operation has them
CompiledType type_of(const std::string& label, const char* name, const kachel_array& array, bool doubles) {
  constexpr std::uint8_t ieee = 2, brain = 4;
  const auto [code, bits, lanes] = array.type;
  if (lanes == 1) {
    if (code == ieee && bits == 32) return CompiledType::float_;
    if (code == ieee && bits == 64 && doubles) return CompiledType::double_;
    if (code == ieee && bits == 16) return CompiledType::half;
    if (code == brain && bits == 16) return CompiledType::bfloat16;
  }
  throw Unsupported(label + ": " + name + " has elements of " + name_of(array.type) + ", expected float32, " +
                    (doubles ? "float64, " : "") + "float16 or bfloat16");
}

[[noreturn]] void reject(const std::string& label, const std::string& reason) {
  throw std::invalid_argument(label + ": " + reason);
}

Array described(const std::string& label, const kachel_array& from) {
  Array array;
  if (from.rank < 0 || from.rank > max_rank)
    reject(label,
           "an array has " + std::to_string(from.rank) + " dimensions, expected 0 to " + std::to_string(max_rank));
  if (from.rank > 0 && from.extents == nullptr)
    reject(label, "an array has no extents, expected " + std::to_string(from.rank));
  array.data = static_cast<const char*>(from.data) + from.byte_offset;
  array.element_bytes = from.type.bits / std::size_t{8};
  array.rank = from.rank;
  std::size_t dense = 1;  // modulo 2^64: the plan refuses what is too large
  for (int i = from.rank; i-- > 0;) {
    if (from.extents[i] < 0)
      reject(label, "an array has an extent of " + std::to_string(from.extents[i]) + ", expected 0 or more");
    array.extents[i] = static_cast<std::size_t>(from.extents[i]);
    array.strides[i] = from.strides != nullptr ? static_cast<std::size_t>(from.strides[i]) : dense;
    dense *= array.extents[i];
  }
  return array;
}

/// The parameters in the order of the activation's members.
void set_parameters(const Operation& operation, const kachel_parameter* given, std::size_t count, double* values) {
  const std::vector<const char*>& names = operation.on_host->parameters;
  std::ranges::copy(operation.on_host->defaults, values);
  for (std::size_t i = 0; i < count; ++i) {
    if (given == nullptr || given[i].name == nullptr)
      reject(operation.label, "a parameter has no name, expected " + std::to_string(count) + " names");
    const auto place = std::ranges::find(names, std::string_view(given[i].name));
    if (place == names.end()) {
      std::string all;
      for (const char* const name : names) all.append(all.empty() ? "" : ", ").append(name);
      reject(operation.label,
             "there is no parameter " + std::string(given[i].name) + ", expected " + (all.empty() ? "none" : all));
    }
    values[place - names.begin()] = given[i].value;
  }
}

/// Runs work on the caller's threads.
void run_on_threads(void* context, std::int64_t items, const HostWork& work) {
  const auto& threads = *static_cast<const kachel_threads*>(context);
  threads.run(
      threads.context, items, [](const void* of, std::int64_t item) { (*static_cast<const HostWork*>(of))(item); },
      &work);
}

#if defined(KOKKOS_ENABLE_CUDA)
/// \throws std::invalid_argument  the stream is one of another device, which CUDA itself calls an invalid handle. To be
///         asked after a failure: a stream that is captured does not tell, and runtimes before 12.8 never do.
void expect_stream_of(const std::string& label, [[maybe_unused]] int device, [[maybe_unused]] cudaStream_t stream) {
#if CUDART_VERSION >= 12080
  int own = device;
  if (succeeds(cudaStreamGetDevice(stream, &own)) && own != device)
    reject(label, "the stream is one of CUDA device " + std::to_string(own) + ", expected one of device " +
                      std::to_string(device) + ", where its arrays are");
#endif
}

/// Calls set the current device, which the caller gets back.
class DeviceInUse {
 public:
  DeviceInUse(const std::string& label, int device) {
    static const int devices = [] {
      int count = 0;
      return succeeds(cudaGetDeviceCount(&count)) ? count : 0;
    }();
    if (device < 0 || device >= devices)
      throw Unsupported(label + ": its arrays are on CUDA device " + std::to_string(device) + ", of which there are " +
                        std::to_string(devices));
    expect_success(label, cudaGetDevice(&current_));
  }
  ~DeviceInUse() { succeeds(cudaSetDevice(current_)); }
  DeviceInUse(const DeviceInUse&) = delete;
  DeviceInUse& operator=(const DeviceInUse&) = delete;

 private:
  int current_ = 0;
};
#endif

void run(const Operation& operation, const kachel_array* const* given, const kachel_parameter* parameters,
         std::size_t parameter_count, [[maybe_unused]] void* stream, const kachel_threads* threads) {
  const std::string& label = operation.label;
  const std::size_t count = operation.on_host->arrays.size();
  std::array<Array, most_arrays> arrays;
  if (given == nullptr || std::count(given, given + count, nullptr) > 0)
    reject(label, "there is a null pointer among the " + std::to_string(count) + " arrays");
  const Device device = device_of(label, *given[0]);
  const std::vector<const char*>& names = operation.on_host->arrays;
  const auto first_input = static_cast<std::size_t>(operation.on_host->outputs);
  const bool doubles = operation.on_host->run[static_cast<std::size_t>(CompiledType::double_)] != nullptr;
  const CompiledType type = type_of(label, names[first_input], *given[first_input], doubles);
  const auto column = static_cast<std::size_t>(type);
  for (std::size_t k = 0; k < count; ++k) {
    if (device_of(label, *given[k]) != device || given[k]->device.id != given[0]->device.id)
      reject(label, "its arrays are on several devices, expected one");
    if (k == operation.mask) {
      if (given[k]->type.code != 1 || given[k]->type.bits != 8 || given[k]->type.lanes != 1)
        reject(label, "mask has elements of " + name_of(given[k]->type) + ", expected uint8");
    } else if (type_of(label, names[k], *given[k], doubles) != type) {
      reject(label, std::string(names[k]) + " has elements of " + name_of(given[k]->type) + ", expected " +
                        name_of(given[first_input]->type) + " as " + names[first_input] + " has");
    }
    arrays[k] = described(label, *given[k]);
  }
  double values[most_parameters];
  set_parameters(operation, parameters, parameter_count, values);
  const std::span<Array> own(arrays.data(), count);
  if (device == Device::host) {
    if (threads != nullptr && threads->count < 1)
      reject(label, "there are " + std::to_string(threads->count) + " threads, expected 1 or more");
    if (threads != nullptr && threads->run == nullptr) reject(label, "threads have no function run");
    return operation.on_host->run[column](
        CallerThreads{threads == nullptr ? 1 : threads->count, run_on_threads, const_cast<kachel_threads*>(threads)},
        own, values);
  }
#if defined(KOKKOS_ENABLE_CUDA)
  const DeviceInUse in_use(label, given[0]->device.id);
  const auto in_order = static_cast<cudaStream_t>(stream);
  try {
    operation.on_cuda->run[column](CudaInstance(given[0]->device.id, in_order), own, values);
  } catch (const std::runtime_error&) {
    expect_stream_of(label, given[0]->device.id, in_order);
    throw;
  }
#else
  throw Unsupported(label +
                    ": its arrays are on a CUDA device, expected ones of the CPU: this library is built without "
                    "CUDA");
#endif
}

}  // namespace
}  // namespace kachel::detail

const kachel_operation* kachel_operations(size_t* count) {
  if (count != nullptr) *count = 0;
  try {
    const auto& all = kachel::detail::registry().described;
    if (count != nullptr) *count = all.size();
    return all.data();
  } catch (...) {  // there is no memory
    return nullptr;
  }
}

const kachel_operation* kachel_find(const char* name) {
  if (name == nullptr) return nullptr;
  std::size_t count = 0;
  const kachel_operation* const first = kachel_operations(&count);
  const std::span all(first, count);
  const auto found = std::ranges::lower_bound(all, std::string_view(name), {}, &kachel_operation::name);
  return found != all.end() && std::string_view(found->name) == name ? &*found : nullptr;
}

kachel_status kachel_run(const kachel_operation* operation, const kachel_array* const* arrays,
                         const kachel_parameter* parameters, size_t parameter_count, void* stream,
                         const kachel_threads* threads, char* message, size_t message_bytes) {
  const auto failure = [&](kachel_status status, std::string_view text) {
    if (message_bytes > 0) {
      const std::size_t length = std::min(text.size(), message_bytes - 1);
      std::memcpy(message, text.data(), length);
      message[length] = '\0';
    }
    return status;
  };
  try {
    const auto& [operations, described] = kachel::detail::registry();
    // Modulo 2^64: of a pointer before the first it is too large.
    const std::size_t bytes =
        reinterpret_cast<std::uintptr_t>(operation) - reinterpret_cast<std::uintptr_t>(described.data());
    const std::size_t place = bytes / sizeof(kachel_operation);
    if (bytes % sizeof(kachel_operation) != 0 || place >= described.size())
      return failure(KACHEL_UNSUPPORTED,
                     "kachel: the operation is none of this library's, expected one of kachel_find");
    kachel::detail::run(operations[place], arrays, parameters, parameter_count, stream, threads);
    return KACHEL_SUCCESS;
  } catch (const std::invalid_argument& error) {
    return failure(KACHEL_INVALID, error.what());
  } catch (const kachel::detail::Unsupported& error) {
    return failure(KACHEL_UNSUPPORTED, error.what());
  } catch (const std::exception& error) {
    return failure(KACHEL_FAILED, error.what());
  } catch (...) {
    return failure(KACHEL_FAILED, "kachel: an unknown error");
  }
}
