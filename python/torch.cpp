// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations as torch.ops.kachel.*, by PyTorch's stable interface, so that one build serves its versions from 2.10
// on. An operation with one output has two forms: kachel::name gives a new tensor, kachel::name.out writes one that is
// given. Gradients, fake tensors and modules are in Python.
#include <kachel/kachel.h>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What is used of PyTorch's stable interface: torch/csrc/inductor/aoti_torch/c/shim.h and torch/csrc/stable/c/shim.h.
// Declared here, since a wheel is built where no PyTorch is, which takes 3 GB.
extern "C" {
using AOTITorchError = std::int32_t;
using StableIValue = std::uint64_t;
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque*;
struct TorchLibraryOpaque;
using TorchLibraryHandle = TorchLibraryOpaque*;

std::int32_t aoti_torch_device_type_cpu();
std::int32_t aoti_torch_device_type_cuda();
std::int32_t aoti_torch_dtype_float32();
std::int32_t aoti_torch_dtype_float64();
std::int32_t aoti_torch_dtype_float16();
std::int32_t aoti_torch_dtype_bfloat16();
std::int32_t aoti_torch_dtype_uint8();
std::int32_t aoti_torch_dtype_int8();
std::int32_t aoti_torch_dtype_int16();
std::int32_t aoti_torch_dtype_int32();
std::int32_t aoti_torch_dtype_int64();
std::int32_t aoti_torch_dtype_bool();
std::int32_t aoti_torch_dtype_complex64();
std::int32_t aoti_torch_dtype_complex128();
AOTITorchError aoti_torch_get_dim(AtenTensorHandle tensor, std::int64_t* rank);
AOTITorchError aoti_torch_get_sizes(AtenTensorHandle tensor, std::int64_t** sizes);
AOTITorchError aoti_torch_get_strides(AtenTensorHandle tensor, std::int64_t** strides);
AOTITorchError aoti_torch_get_dtype(AtenTensorHandle tensor, std::int32_t* type);
AOTITorchError aoti_torch_get_device_type(AtenTensorHandle tensor, std::int32_t* type);
AOTITorchError aoti_torch_get_device_index(AtenTensorHandle tensor, std::int32_t* index);
AOTITorchError aoti_torch_get_data_ptr(AtenTensorHandle tensor, void** data);
AOTITorchError aoti_torch_delete_tensor_object(AtenTensorHandle tensor);
AOTITorchError aoti_torch_empty_strided(std::int64_t rank, const std::int64_t* sizes, const std::int64_t* strides,
                                        std::int32_t type, std::int32_t device_type, std::int32_t device_index,
                                        AtenTensorHandle* made);
AOTITorchError torch_parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain,
                                  void (*run)(std::int64_t, std::int64_t, void*), void* context);
AOTITorchError torch_get_num_threads(std::uint32_t* count);
AOTITorchError aoti_torch_library_init_def(const char* name, const char* file, std::uint32_t line,
                                           TorchLibraryHandle* made);
AOTITorchError aoti_torch_library_init_impl(const char* name, const char* key, const char* file, std::uint32_t line,
                                            TorchLibraryHandle* made);
AOTITorchError aoti_torch_library_def(TorchLibraryHandle library, const char* schema);
AOTITorchError torch_library_impl(TorchLibraryHandle library, const char* name,
                                  void (*run)(StableIValue*, std::uint64_t, std::uint64_t), std::uint64_t version);
}

namespace {

constexpr int most_arrays = 5, most_rank = 64;

void expect_success(AOTITorchError status, const char* what) {
  if (status != 0) throw std::runtime_error(std::string("kachel: PyTorch's ") + what + " failed");
}

/// A tensor that a call owns.
class Tensor {
 public:
  explicit Tensor(AtenTensorHandle handle) : handle_(handle) {}
  Tensor(Tensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() {
    if (handle_ != nullptr) aoti_torch_delete_tensor_object(handle_);
  }

  AtenTensorHandle get() const { return handle_; }
  AtenTensorHandle release() { return std::exchange(handle_, nullptr); }

 private:
  AtenTensorHandle handle_;
};

/// What a tensor is, as PyTorch says it.
struct Description {
  std::int64_t rank;
  const std::int64_t *extents, *strides;
  std::int32_t type, device_type, device;

  explicit Description(AtenTensorHandle tensor) {
    std::int64_t* sizes = nullptr;
    std::int64_t* steps = nullptr;
    expect_success(aoti_torch_get_dim(tensor, &rank), "dim");
    expect_success(aoti_torch_get_sizes(tensor, &sizes), "sizes");
    expect_success(aoti_torch_get_strides(tensor, &steps), "strides");
    expect_success(aoti_torch_get_dtype(tensor, &type), "dtype");
    expect_success(aoti_torch_get_device_type(tensor, &device_type), "device");
    expect_success(aoti_torch_get_device_index(tensor, &device), "device");
    extents = sizes;
    strides = steps;
  }
};

/// PyTorch's number of an element type beside DLPack's.
struct ElementType {
  std::int32_t type;
  kachel_type dlpack;
};

kachel_type dlpack_type(std::int32_t type) {
  static const ElementType types[] = {
      {aoti_torch_dtype_float32(), {2, 32, 1}},   {aoti_torch_dtype_float64(), {2, 64, 1}},
      {aoti_torch_dtype_float16(), {2, 16, 1}},   {aoti_torch_dtype_bfloat16(), {4, 16, 1}},
      {aoti_torch_dtype_uint8(), {1, 8, 1}},      {aoti_torch_dtype_int8(), {0, 8, 1}},
      {aoti_torch_dtype_int16(), {0, 16, 1}},     {aoti_torch_dtype_int32(), {0, 32, 1}},
      {aoti_torch_dtype_int64(), {0, 64, 1}},     {aoti_torch_dtype_bool(), {6, 8, 1}},
      {aoti_torch_dtype_complex64(), {5, 64, 1}}, {aoti_torch_dtype_complex128(), {5, 128, 1}}};
  for (const auto& [own, dlpack] : types)
    if (own == type) return dlpack;
  return {};
}

kachel_array array_of(AtenTensorHandle tensor, const Description& is) {
  static const std::int32_t cpu = aoti_torch_device_type_cpu(), cuda = aoti_torch_device_type_cuda();
  void* data = nullptr;
  expect_success(aoti_torch_get_data_ptr(tensor, &data), "data_ptr");
  const std::int32_t device = is.device_type == cpu ? 1 : is.device_type == cuda ? 2 : 0;
  return {data,
          {device, device == 2 ? is.device : 0},
          static_cast<std::int32_t>(is.rank),
          dlpack_type(is.type),
          is.extents,
          is.strides,
          0};
}

using Strides = std::array<std::int64_t, most_rank>;
using Order = std::array<std::size_t, most_rank>;

/// Dense strides, dimensions in an order from the innermost on.
Strides dense_strides(const Description& like, const Order& order) {
  Strides strides;
  std::int64_t dense = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(like.rank); ++i) {
    strides[order[i]] = dense;
    dense *= std::max<std::int64_t>(like.extents[order[i]], 1);
  }
  return strides;
}

/// Whether a tensor has these strides, but for dimensions of one element.
bool has_strides(const Description& is, const Strides& strides) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(is.rank); ++i)
    if (is.extents[i] > 1 && is.strides[i] != strides[i]) return false;
  return true;
}

/// The strides of what PyTorch's elementwise operations make of one tensor: its own where it has no gaps, else dense
/// ones, dimensions of greater strides further out.
Strides strides_like(const Description& like) {
  const auto rank = static_cast<std::size_t>(like.rank);
  Order order;
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  const Strides contiguous = dense_strides(like, order);
  if (has_strides(like, contiguous) || std::count(like.extents, like.extents + rank, 0) > 0) return contiguous;
  if (rank == 4) {  // channels innermost
    Order channels_last{1};
    std::copy_n(order.begin(), rank - 2, channels_last.begin() + 1);
    channels_last[rank - 1] = 0;
    const Strides strides = dense_strides(like, channels_last);
    if (has_strides(like, strides)) return strides;
  }
  for (std::size_t i = 1; i < rank; ++i)
    for (std::size_t outer = i, k = i; k-- > 0;) {
      const std::size_t a = order[k], b = order[outer];
      if (like.strides[a] == 0 || like.strides[b] == 0) continue;  // an expanded one stays where it is
      if (like.strides[a] < like.strides[b]) break;
      if (like.strides[a] == like.strides[b] && like.extents[a] <= like.extents[b]) continue;
      std::swap(order[k], order[outer]);
      outer = k;
    }
  Strides strides = dense_strides(like, order);
  if (has_strides(like, strides)) std::copy(like.strides, like.strides + rank, strides.begin());
  return strides;
}

Tensor new_tensor(const Description& like) {
  AtenTensorHandle made = nullptr;
  const auto strides = strides_like(like);
  expect_success(aoti_torch_empty_strided(like.rank, like.extents, strides.data(), like.type, like.device_type,
                                          like.device, &made),
                 "empty_strided");
  return Tensor(made);
}

Tensor new_mask(const Description& like) {
  std::int64_t elements = 1;
  for (std::int64_t i = 0; i < like.rank; ++i) elements *= like.extents[i];
  const std::int64_t bytes = (elements + 7) / 8, stride = 1;
  AtenTensorHandle made = nullptr;
  expect_success(
      aoti_torch_empty_strided(1, &bytes, &stride, aoti_torch_dtype_uint8(), like.device_type, like.device, &made),
      "empty_strided");
  return Tensor(made);
}

void* current_stream(std::int32_t device) {
  // Only a PyTorch with CUDA has it, in a library that is loaded already.
  using Get = AOTITorchError (*)(std::int32_t, void**);
  static const auto get = [] {
    void* const library = dlopen("libtorch_cuda.so", RTLD_LAZY | RTLD_NOLOAD);
    return library == nullptr ? nullptr : reinterpret_cast<Get>(dlsym(library, "aoti_torch_get_current_cuda_stream"));
  }();
  void* stream = nullptr;
  if (get == nullptr) throw std::runtime_error("kachel: this PyTorch has no CUDA streams");
  expect_success(get(device, &stream), "current stream");
  return stream;
}

/// Work on PyTorch's threads.
void run_on_threads(void*, std::int64_t items, void (*work)(const void*, std::int64_t), const void* of) {
  struct Range {
    void (*work)(const void*, std::int64_t);
    const void* of;
  } range{work, of};
  expect_success(torch_parallel_for(
                     0, items, 1,
                     [](std::int64_t begin, std::int64_t end, void* context) {
                       const auto& own = *static_cast<const Range*>(context);
                       for (std::int64_t i = begin; i < end; ++i) own.work(own.of, i);
                     },
                     &range),
                 "parallel_for");
}

void run(const kachel_operation& operation, const AtenTensorHandle* tensors, const double* parameters) {
  std::array<kachel_array, most_arrays> arrays;
  std::array<const kachel_array*, most_arrays> pointers;
  for (std::size_t k = 0; k < static_cast<std::size_t>(operation.arrays); ++k) {
    arrays[k] = array_of(tensors[k], Description(tensors[k]));
    pointers[k] = &arrays[k];
  }
  std::array<kachel_parameter, 8> named;
  for (std::size_t k = 0; k < static_cast<std::size_t>(operation.parameters); ++k)
    named[k] = {operation.parameter_names[k], parameters[k]};
  std::uint32_t threads = 1;
  void* stream = nullptr;
  if (arrays[0].device.type == 2)
    stream = current_stream(arrays[0].device.id);
  else
    expect_success(torch_get_num_threads(&threads), "get_num_threads");
  const kachel_threads own{static_cast<int>(threads), run_on_threads, nullptr};
  char message[512];
  if (kachel_run(&operation, pointers.data(), named.data(), static_cast<std::size_t>(operation.parameters), stream,
                 &own, message, sizeof(message)) != KACHEL_SUCCESS)
    throw std::runtime_error(message);
}

const kachel_operation& operation_at(std::size_t number) {
  std::size_t count = 0;
  return kachel_operations(&count)[number];
}

template <class T>
T value_of(StableIValue value) {
  T own;
  std::memcpy(&own, &value, sizeof(T));
  return own;
}
StableIValue value_from(AtenTensorHandle tensor) {
  StableIValue value = 0;
  std::memcpy(&value, &tensor, sizeof(tensor));
  return value;
}

/// The arguments of a call: tensors, whose memory it takes, and parameters.
struct Arguments {
  std::vector<Tensor> tensors;
  std::array<double, 8> parameters;

  Arguments(const StableIValue* stack, std::size_t tensor_count, std::size_t parameter_count) {
    for (std::size_t i = 0; i < tensor_count; ++i) tensors.emplace_back(value_of<AtenTensorHandle>(stack[i]));
    for (std::size_t i = 0; i < parameter_count; ++i) parameters[i] = value_of<double>(stack[tensor_count + i]);
  }
};

/// An operation with new tensors for its outputs.
void run_functional(const kachel_operation& operation, StableIValue* stack) {
  const auto outputs = static_cast<std::size_t>(operation.outputs),
             inputs = static_cast<std::size_t>(operation.arrays) - outputs;
  Arguments arguments(stack, inputs, static_cast<std::size_t>(operation.parameters));
  const Description like(arguments.tensors[0].get());
  std::vector<Tensor> results;
  results.push_back(new_tensor(like));
  if (outputs == 2)
    results.push_back(std::string_view(operation.array_names[1]) == "mask"
                          ? new_mask(like)
                          : new_tensor(Description(arguments.tensors.back().get())));  // dw as w, which comes last
  std::array<AtenTensorHandle, most_arrays> tensors{};
  for (std::size_t k = 0; k < outputs; ++k) tensors[k] = results[k].get();
  for (std::size_t k = 0; k < inputs; ++k) tensors[outputs + k] = arguments.tensors[k].get();
  run(operation, tensors.data(), arguments.parameters.data());
  for (std::size_t k = 0; k < outputs; ++k) stack[k] = value_from(results[k].release());
}

/// An operation whose output comes after the parameters.
void run_out(const kachel_operation& operation, StableIValue* stack) {
  const auto inputs = static_cast<std::size_t>(operation.arrays) - 1,
             parameters = static_cast<std::size_t>(operation.parameters);
  Arguments arguments(stack, inputs, parameters);
  Tensor output(value_of<AtenTensorHandle>(stack[inputs + parameters]));
  std::array<AtenTensorHandle, most_arrays> tensors{output.get()};
  for (std::size_t k = 0; k < inputs; ++k) tensors[1 + k] = arguments.tensors[k].get();
  run(operation, tensors.data(), arguments.parameters.data());
}

/// PyTorch's functions have no context: one for each number of an operation.
using Run = void (*)(StableIValue*, std::uint64_t, std::uint64_t);
struct Runs {
  Run functional, out;
};
template <std::size_t number, void (*run)(const kachel_operation&, StableIValue*)>
void run_number(StableIValue* stack, std::uint64_t, std::uint64_t) {
  static const kachel_operation& operation = operation_at(number);
  run(operation, stack);
}
constexpr std::size_t most_operations = 256;
constexpr auto runs = []<std::size_t... k>(std::index_sequence<k...>) {
  return std::array{Runs{run_number<k, run_functional>, run_number<k, run_out>}...};
}(std::make_index_sequence<most_operations>());

std::string schema_of(const kachel_operation& operation, bool out) {
  std::string schema = std::string(operation.name) + (out ? ".out(" : "(");
  for (int k = operation.outputs; k < operation.arrays; ++k)
    schema.append("Tensor ").append(operation.array_names[k]).append(", ");
  for (int k = 0; k < operation.parameters; ++k) {
    schema.append("float ").append(operation.parameter_names[k]);
    if (std::isfinite(operation.defaults[k])) {  // a schema has no word for infinity
      char number[40];
      std::snprintf(number, sizeof(number), "=%.17g", operation.defaults[k]);
      if (std::strpbrk(number, ".e") == nullptr) std::strcat(number, ".");
      schema.append(number);
    }
    schema.append(", ");
  }
  if (out)
    schema.append("*, Tensor(a!) out) -> ()");
  else
    schema.replace(schema.size() - 2, 2, operation.outputs == 2 ? ") -> (Tensor, Tensor)" : ") -> Tensor");
  return schema;
}

/// Calls use(operation, its number) for each.
template <class Use>
void for_each_operation(const Use& use) {
  std::size_t count = 0;
  const kachel_operation* const operations = kachel_operations(&count);
  for (std::size_t k = 0; k < std::min(count, most_operations); ++k) use(operations[k], runs[k]);
}

/// Defines the operations of a namespace, and says what runs them on CPUs and on CUDA. Never taken back: the library
/// stays loaded.
void register_operations(const char* name_space) {
  TorchLibraryHandle library = nullptr;
  expect_success(aoti_torch_library_init_def(name_space, __FILE__, __LINE__, &library), "library");
  for_each_operation([&](const kachel_operation& operation, const Runs&) {
    expect_success(aoti_torch_library_def(library, schema_of(operation, false).c_str()), operation.name);
    if (operation.outputs == 1)
      expect_success(aoti_torch_library_def(library, schema_of(operation, true).c_str()), operation.name);
  });
  constexpr std::uint64_t version_2_10 = std::uint64_t{2} << 56 | std::uint64_t{10} << 48;
  for (const char* const key : {"CPU", "CUDA"}) {
    expect_success(aoti_torch_library_init_impl(name_space, key, __FILE__, __LINE__, &library), "library");
    for_each_operation([&](const kachel_operation& operation, const Runs& run) {
      expect_success(torch_library_impl(library, operation.name, run.functional, version_2_10), operation.name);
      if (operation.outputs == 1)
        expect_success(
            torch_library_impl(library, (std::string(operation.name) + ".out").c_str(), run.out, version_2_10),
            operation.name);
    });
  }
}

/// kachel, which Python gives derivatives, and kachel_plain, which has none: PyTorch calls that in half the time.
const bool registered = [] {
  for (const char* const name_space : {"kachel", "kachel_plain"}) register_operations(name_space);
  return true;
}();

}  // namespace
