// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operations by name, against the functions of numbers: the same bits, on hosts and on CUDA, without
// Kokkos::initialize, which no program of these tests calls.
#include <kachel/activations/list.hpp>
#include <kachel/kachel.h>

#include <gtest/gtest.h>
#include <support/bits.hpp>
#include <support/inputs.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace kachel_test {
namespace {

using kachel::TypeList;

constexpr std::int32_t dlpack_cpu = 1, dlpack_cuda = 2;

/// Memory of the CPU.
struct Host {
  static constexpr std::int32_t device = dlpack_cpu;
  static void* allocate(std::size_t bytes) { return std::malloc(bytes); }
  static void release(void* memory) { std::free(memory); }
  static void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

#if defined(KOKKOS_ENABLE_CUDA)
/// Memory of the current CUDA device.
struct Cuda {
  static constexpr std::int32_t device = dlpack_cuda;
  static void* allocate(std::size_t bytes) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
    return memory;
  }
  static void release(void* memory) { cudaFree(memory); }
  static void copy(void* to, const void* from, std::size_t bytes) {
    EXPECT_EQ(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), cudaSuccess);
  }
};
using Places = testing::Types<Host, Cuda>;
#else
using Places = testing::Types<Host>;
#endif

template <class T>
constexpr auto dlpack_type() {
  kachel_type type{2, 8 * sizeof(T), 1};
  if (std::is_same_v<T, kachel::bfloat16>) type.code = 4;
  if (std::is_same_v<T, std::uint8_t>) type.code = 1;
  return type;
}

/// An array whose elements are `stride` apart; what lies between them is not to change.
template <class Place, class T>
class Elements {
 public:
  Elements(const std::vector<T>& values, std::int64_t stride = 1)
      : memory_(values.size() * static_cast<std::size_t>(stride), T{}),
        extent_(static_cast<std::int64_t>(values.size())),
        stride_(stride),
        data_(Place::allocate(memory_.size() * sizeof(T))) {
    for (std::size_t i = 0; i < values.size(); ++i) memory_[i * static_cast<std::size_t>(stride)] = values[i];
    Place::copy(data_, memory_.data(), memory_.size() * sizeof(T));
  }
  ~Elements() { Place::release(data_); }
  Elements(const Elements&) = delete;
  Elements& operator=(const Elements&) = delete;

  kachel_array array() const { return {data_, {Place::device, 0}, 1, dlpack_type<T>(), &extent_, &stride_, 0}; }

  std::vector<T> values() {
    Place::copy(memory_.data(), data_, memory_.size() * sizeof(T));
    std::vector<T> own;
    for (std::size_t i = 0; i < memory_.size(); i += static_cast<std::size_t>(stride_)) own.push_back(memory_[i]);
    return own;
  }

 private:
  std::vector<T> memory_;
  std::int64_t extent_, stride_;
  void* data_;
};

/// Runs an operation, whose message is expected to be `message`.
kachel_status run(const std::string& name, std::vector<kachel_array> arrays,
                  const std::vector<kachel_parameter>& parameters = {}, const std::string& message = "",
                  const kachel_threads* threads = nullptr, void* stream = nullptr) {
  const kachel_operation* const operation = kachel_find(name.c_str());
  if (operation == nullptr) {
    ADD_FAILURE() << "there is no " << name;
    return KACHEL_UNSUPPORTED;
  }
  EXPECT_EQ(static_cast<std::size_t>(operation->arrays), arrays.size());
  std::vector<const kachel_array*> pointers;
  for (const kachel_array& array : arrays) pointers.push_back(&array);
  char text[512] = "";
  const kachel_status status =
      kachel_run(operation, pointers.data(), parameters.data(), parameters.size(), stream, threads, text, sizeof(text));
  EXPECT_EQ(std::string(text), message);
  EXPECT_EQ(status == KACHEL_SUCCESS, message.empty());
  return status;
}

template <class T>
void expect_same(const std::vector<T>& expected, const std::vector<T>& found, const std::string& what) {
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_TRUE(same(expected[i], found[i]))
        << what << " gives " << show(found[i]) << " at " << i << ", expected " << show(expected[i]);
}

template <class T>
std::vector<T> cast(const std::vector<float>& values) {
  std::vector<T> own;
  for (const float value : values) own.push_back(static_cast<T>(value));
  return own;
}

template <class F>
std::vector<kachel_parameter> parameters_of(const F& f) {
  std::vector<kachel_parameter> parameters;
  const auto values = kachel::detail::parameter_values(f);
  for (std::size_t k = 0; k != values.size(); ++k) parameters.push_back({F::contract.parameters[k], values[k]});
  return parameters;
}

/// Every operation of an activation, over numbers that lie `stride` apart.
template <class Place, class F, class T>
void expect_operations(const F& f, std::int64_t stride) {
  const auto parameters = parameters_of(f);
  const std::string name(F::name);
  const std::size_t count = 1003;
  const std::vector<T> x = varied<T>(count), dy = varied<T>(count, 2);
  const Elements<Place, T> input(x, stride), gradient(dy, stride);
  Elements<Place, T> output(std::vector<T>(count), stride);
  const auto expect = [&](const std::string& what, const auto& expected_at) {
    std::vector<T> expected;
    for (std::size_t i = 0; i < count; ++i) expected.push_back(expected_at(i));
    expect_same(expected, output.values(), what);
  };
  run(name, {output.array(), input.array()}, parameters);
  expect(name, [&](std::size_t i) { return kachel::Pointwise<F>{}(x[i], f); });
  run(name + "_backward", {output.array(), gradient.array(), input.array()}, parameters);
  expect(name + "_backward", [&](std::size_t i) { return kachel::PointwiseBackward<F>{}(dy[i], x[i], f); });
  if constexpr (kachel::HasBackwardFromOutput<F>) {
    run(name + "_backward_from_output", {output.array(), gradient.array(), input.array()}, parameters);
    using Backward = kachel::PointwiseBackward<F, kachel::Saved::output>;
    expect(name + "_backward_from_output", [&](std::size_t i) { return Backward{}(dy[i], x[i], f); });
  }
  if constexpr (kachel::HasTwoSlopes<F>) {
    if (stride != 1) return;
    const Elements<Place, std::uint8_t> mask(std::vector<std::uint8_t>((count + 7) / 8, 0xa5));
    run(name + "_with_mask", {output.array(), mask.array(), input.array()}, parameters);
    expect(name + "_with_mask", [&](std::size_t i) { return kachel::Pointwise<F>{}(x[i], f); });
    run(name + "_backward_from_mask", {output.array(), gradient.array(), mask.array()}, parameters);
    expect(name + "_backward_from_mask", [&](std::size_t i) {
      const auto passing = kachel::BackwardFromMask<F>{f}(static_cast<kachel::compute_type<T>>(dy[i]), std::uint8_t{1});
      return is_nan(x[i]) ? static_cast<T>(passing) : kachel::PointwiseBackward<F>{}(dy[i], x[i], f);
    });
  }
}

template <class Place>
class CInterface : public testing::Test {};
TYPED_TEST_SUITE(CInterface, Places);

TYPED_TEST(CInterface, HasTheBitsOfEveryActivation) {
  [&]<class... F>(TypeList<F...>) {
    const auto expect_types = [&]<class Activation>() {
      [&]<class... T>(TypeList<T...>) {
        (expect_operations<TypeParam, Activation, T>({}, 1), ...);
        (expect_operations<TypeParam, Activation, T>({}, 3), ...);
      }(TypeList<float, double, kachel::half, kachel::bfloat16>());
    };
    (expect_types.template operator()<F>(), ...);
  }(kachel::Activations());
}

TYPED_TEST(CInterface, TakesParametersByName) {
  expect_operations<TypeParam, kachel::HardTanh, float>({.min_val = -0.5, .max_val = 2}, 1);
  expect_operations<TypeParam, kachel::LeakyReLU, kachel::half>({.negative_slope = 0.25}, 2);
}

TYPED_TEST(CInterface, RunsInPlace) {
  const std::vector<float> x = {-3, 0.5, 2};
  Elements<TypeParam, float> both(x);
  run("hardtanh", {both.array(), both.array()});
  expect_same({-1, 0.5, 1}, both.values(), "hardtanh in place");
}

TYPED_TEST(CInterface, SaysWhatIsWrongAndGoesOn) {
  const Elements<TypeParam, float> four(std::vector<float>(4)), three(std::vector<float>(3));
  const Elements<TypeParam, double> other(std::vector<double>(4));
  Elements<TypeParam, float> y(std::vector<float>(4));
  EXPECT_EQ(
      run("hardtanh", {y.array(), three.array()}, {}, "kachel::hardtanh: x has extents (3), expected (4) as y has"),
      KACHEL_INVALID);
  EXPECT_EQ(run("hardtanh", {y.array(), four.array()}, {{"min_val", 3}},
                "kachel::hardtanh: min_val is 3 and max_val is 1, expected min_val <= max_val"),
            KACHEL_INVALID);
  EXPECT_EQ(run("hardtanh", {y.array(), four.array()}, {{"max", 3}},
                "kachel::hardtanh: there is no parameter max, expected min_val, max_val"),
            KACHEL_INVALID);
  EXPECT_EQ(
      run("relu", {y.array(), four.array()}, {{"max", 3}}, "kachel::relu: there is no parameter max, expected none"),
      KACHEL_INVALID);
  EXPECT_EQ(run("hardtanh", {y.array(), other.array()}, {},
                "kachel::hardtanh: y has elements of float32, expected float64 as x has"),
            KACHEL_INVALID);
  kachel_array integers = four.array();
  integers.type = {0, 32, 1};
  EXPECT_EQ(run("hardtanh", {integers, integers}, {},
                "kachel::hardtanh: x has elements of int32, expected float32, float64, float16 or bfloat16"),
            KACHEL_UNSUPPORTED);
  kachel_array elsewhere = four.array();
  elsewhere.device.type = 7;
  EXPECT_EQ(run("hardtanh", {elsewhere, elsewhere}, {},
                "kachel::hardtanh: an array has DLPack's device type 7, expected that of a CPU or of CUDA"),
            KACHEL_UNSUPPORTED);
  run("hardtanh", {y.array(), four.array()});
  EXPECT_EQ(y.values(), std::vector<float>(4));
}

TEST(Operations, AreSortedAndFound) {
  std::size_t count = 0;
  const kachel_operation* const operations = kachel_operations(&count);
  ASSERT_GT(count, 90u);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(kachel_find(operations[i].name), &operations[i]);
    if (i > 0) {
      EXPECT_LT(std::string(operations[i - 1].name), operations[i].name);
    }
  }
  EXPECT_EQ(kachel_find("hardtan"), nullptr);
  EXPECT_EQ(kachel_find(""), nullptr);
  const kachel_operation* const hardtanh = kachel_find("hardtanh");
  ASSERT_NE(hardtanh, nullptr);
  EXPECT_EQ(hardtanh->parameters, 2);
  EXPECT_EQ(std::string(hardtanh->parameter_names[0]), "min_val");
  EXPECT_EQ(hardtanh->defaults[1], 1);
}

TEST(Threads, AreTheCallers) {
  const std::vector<float> x = varied<float>(1 << 20);
  const Elements<Host, float> input(x);
  Elements<Host, float> output(x), of_one(x);
  std::atomic<int> calls = 0;
  const kachel_threads threads{
      4,
      [](void* context, std::int64_t items, void (*work)(const void*, std::int64_t), const void* of) {
        ++*static_cast<std::atomic<int>*>(context);
        EXPECT_LE(items, 4);
        std::vector<std::thread> own;
        for (std::int64_t i = 0; i < items; ++i) own.emplace_back(work, of, i);
        for (std::thread& thread : own) thread.join();
      },
      &calls};
  run("gelu", {output.array(), input.array()}, {}, "", &threads);
  run("gelu", {of_one.array(), input.array()});
  EXPECT_EQ(calls, 1);
  expect_same(of_one.values(), output.values(), "gelu of four threads");
  const kachel_threads none{0, nullptr, nullptr}, idle{2, nullptr, nullptr};
  run("gelu", {output.array(), input.array()}, {}, "kachel::gelu: there are 0 threads, expected 1 or more", &none);
  run("gelu", {output.array(), input.array()}, {}, "kachel::gelu: threads have no function run", &idle);
}

TEST(Arrays, BeginAtTheirOffset) {
  const std::vector<float> x = {9, 9, -3, 0.5, 2};
  const Elements<Host, float> input(x);
  Elements<Host, float> output(std::vector<float>(5));
  const std::int64_t extents[] = {3, 1};
  kachel_array from = input.array(), to = output.array();
  from.rank = to.rank = 2;
  from.extents = to.extents = extents;
  from.strides = to.strides = nullptr;
  from.byte_offset = to.byte_offset = 2 * sizeof(float);
  run("hardtanh", {to, from});
  expect_same({0, 0, -1, 0.5, 1}, output.values(), "hardtanh from the third on");
}

TEST(Operations, AreThoseOfTheLibrary) {
  const kachel_operation own{"relu", 2, 1, 0, nullptr, nullptr, nullptr};
  for (const kachel_operation* const operation : {static_cast<const kachel_operation*>(nullptr), &own}) {
    char text[128] = "";
    EXPECT_EQ(kachel_run(operation, nullptr, nullptr, 0, nullptr, nullptr, text, sizeof(text)), KACHEL_UNSUPPORTED);
    EXPECT_EQ(std::string(text), "kachel: the operation is none of this library's, expected one of kachel_find");
  }
}

TEST(NullPointers, AreRefused) {
  EXPECT_EQ(kachel_find(nullptr), nullptr);
  EXPECT_NE(kachel_operations(nullptr), nullptr);
  const kachel_operation* const relu = kachel_find("relu");
  const kachel_array array{nullptr, {dlpack_cpu, 0}, 1, {2, 32, 1}, nullptr, nullptr, 0};
  const kachel_array* const arrays[] = {&array, nullptr};
  const kachel_array* const without_extents[] = {&array, &array};
  const auto message = [&](const kachel_array* const* given, const kachel_parameter* parameters, std::size_t count) {
    char text[128] = "";
    EXPECT_EQ(kachel_run(relu, given, parameters, count, nullptr, nullptr, text, sizeof(text)), KACHEL_INVALID);
    return std::string(text);
  };
  EXPECT_EQ(message(nullptr, nullptr, 0), "kachel::relu: there is a null pointer among the 2 arrays");
  EXPECT_EQ(message(arrays, nullptr, 0), "kachel::relu: there is a null pointer among the 2 arrays");
  EXPECT_EQ(message(without_extents, nullptr, 0), "kachel::relu: an array has no extents, expected 1");
  const Elements<Host, float> input({1.0f});
  const kachel_array own = input.array();
  const kachel_array* const right[] = {&own, &own};
  EXPECT_EQ(message(right, nullptr, 1), "kachel::relu: a parameter has no name, expected 1 names");
}

TEST(Devices, AreThoseThereAre) {
  kachel_array elsewhere{nullptr, {dlpack_cuda, 99}, 0, {2, 32, 1}, nullptr, nullptr, 0};
#if defined(KOKKOS_ENABLE_CUDA)
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
  const std::string message =
      "kachel::relu: its arrays are on CUDA device 99, of which there are " + std::to_string(devices);
#else
  const std::string message =
      "kachel::relu: its arrays are on a CUDA device, expected ones of the CPU: this library is built without CUDA";
#endif
  EXPECT_EQ(run("relu", {elsewhere, elsewhere}, {}, message), KACHEL_UNSUPPORTED);
}

#if defined(KOKKOS_ENABLE_CUDA)
/// A call of relu on device 0, whose message is expected to be `message`.
kachel_status run_relu(void* stream, const std::string& message = "") {
  Elements<Cuda, float> x({-1.0f, 2.0f}), y({5.0f, 5.0f});
  const kachel_status status = run("relu", {y.array(), x.array()}, {}, message, nullptr, stream);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(y.values(), status == KACHEL_SUCCESS ? (std::vector{0.0f, 2.0f}) : (std::vector{5.0f, 5.0f}));
  return status;
}

TEST(Streams, OfTheDeviceOrOfAnyAreTaken) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  for (const cudaStream_t each : {cudaStream_t{}, cudaStreamLegacy, cudaStreamPerThread, stream})
    EXPECT_EQ(run_relu(each), KACHEL_SUCCESS);
  cudaStreamDestroy(stream);
}

TEST(Streams, OfAnotherDeviceIsAnError) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) GTEST_SKIP() << "there is one GPU";
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
#if CUDART_VERSION >= 12080
  EXPECT_EQ(
      run_relu(stream,
               "kachel::relu: the stream is one of CUDA device 1, expected one of device 0, where its arrays are"),
      KACHEL_INVALID);
#else
  EXPECT_EQ(run_relu(stream, "kachel::relu: invalid resource handle"), KACHEL_FAILED);
#endif
  EXPECT_EQ(run_relu(nullptr), KACHEL_SUCCESS);
  cudaStreamDestroy(stream);
}
#endif

TEST(Messages, AreCut) {
  const kachel_array bad{nullptr, {7, 0}, 0, {2, 32, 1}, nullptr, nullptr, 0};
  const kachel_array* const arrays[] = {&bad, &bad};
  char text[8] = "1234567";
  EXPECT_EQ(kachel_run(kachel_find("relu"), arrays, nullptr, 0, nullptr, nullptr, text, 4), KACHEL_UNSUPPORTED);
  EXPECT_EQ(std::string(text), "kac");
  EXPECT_EQ(kachel_run(kachel_find("relu"), arrays, nullptr, 0, nullptr, nullptr, nullptr, 0), KACHEL_UNSUPPORTED);
}

}  // namespace
}  // namespace kachel_test
