// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contracts <document> [--write]: compares the tables between the document's markers with the contracts of the
// activations in the list and of prelu, what they give for special numbers, and the bounds of the functions of math/,
// or writes them there.
#include <kachel/activations/list.hpp>
#include <kachel/activations/prelu.hpp>

#include <support/math_functions.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace {

std::string number(double value) {
  if (std::isnan(value)) return "NaN";  // its sign is unspecified
  std::ostringstream text;
  text << value;
  return text.str();
}

/// The text as a table's cell, in which a bar would begin the next one.
std::string cell(std::string_view text) {
  std::string escaped = text.empty() ? "" : " ";
  for (const char c : text) escaped.append(c == '|' ? "\\" : "").append(1, c);
  return escaped + " |";
}

/// What the derivative can be computed from, besides dy.
template <class F>
std::string saved() {
  std::string text = "x";
  if constexpr (kachel::HasBackwardFromOutput<F>) {
    text.append(", y");
    if (!F::contract.expected_from_output.empty()) text.append(" where ").append(F::contract.expected_from_output);
  }
  if constexpr (kachel::HasTwoSlopes<F>) text.append(", a bit");
  return text;
}

template <>
std::string saved<kachel::PReLU>() {
  const auto& [dy, x, w] = kachel::PReLUBackward::input_names;
  return std::string(x) + ", " + std::string(w);
}

template <class F>
std::string error() {
  constexpr kachel::Contract contract = F::contract;
  const bool differs = contract.other_ulp > contract.ulp;
  return number(contract.ulp) + (differs ? ", with other parameters " + number(contract.other_ulp) : "");
}

template <class F>
std::string row() {
  std::string parameters;
  const auto defaults = kachel::detail::parameter_values(F{});
  for (std::size_t i = 0; i < defaults.size(); ++i)
    parameters.append(i > 0 ? ", " : "").append(F::contract.parameters[i]).append(" = ").append(number(defaults[i]));
  return "| `" + std::string(F::name) + "` |" + cell(F::contract.formula) + cell(parameters) +
         cell(F::contract.expected) + cell(saved<F>()) + cell(error<F>()) + cell(number(F::contract.gradient_ulp)) +
         "\n";
}

template <class... F>
std::string contracts(kachel::TypeList<F...>) {
  return "| activation | formula | parameters | expected | backward from | error of y | error of the derivative |\n"
         "|---|---|---|---|---|---|---|\n" +
         (row<F>() + ...) + row<kachel::PReLU>();
}

/// The cells of f at special numbers.
template <class Function>
std::string values_of(const Function& f) {
  constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  std::string cells;
  for (const double x : {-infinity, -0.0, infinity, nan}) cells += cell(number(f(x)));
  return cells;
}

template <class F>
std::string values_row() {
  const auto y = [](double x) { return kachel::Pointwise<F>{}(x); };
  const auto dx = [](double x) { return kachel::PointwiseBackward<F>{}(1.0, x); };
  return "| `" + std::string(F::name) + "` |" + values_of(y) + values_of(dx) + "\n";
}

std::string values_row_of_prelu(double w) {
  const auto y = [w](double x) { return kachel::prelu(x, w); };
  const auto dx = [w](double x) { return kachel::prelu_backward(1.0, x, w); };
  return "| `prelu`, w = " + number(w) + " |" + values_of(y) + values_of(dx) + "\n";
}

template <class... F>
std::string values(kachel::TypeList<F...>) {
  return "| activation | y(-inf) | y(-0) | y(inf) | y(NaN) | dx(-inf) | dx(-0) | dx(inf) | dx(NaN) |\n"
         "|---|---|---|---|---|---|---|---|---|\n" +
         (values_row<F>() + ...) + values_row_of_prelu(0.25);
}

/// The cells of a derivative of `name` at each of its kinks.
template <class Function>
std::string kink_rows(const std::string& name, const kachel::Kinks& kinks, const Function& dx) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::string rows;
  for (const double kink : kinks)
    rows += "| " + name + " |" + cell(number(kink)) + cell(number(dx(std::nextafter(kink, -infinity)))) +
            cell(number(dx(kink))) + cell(number(dx(std::nextafter(kink, infinity)))) + "\n";
  return rows;
}

template <class F>
std::string kink_rows() {
  return kink_rows("`" + std::string(F::name) + "`", F::contract.kinks,
                   [](double x) { return kachel::PointwiseBackward<F>{}(1.0, x); });
}

template <class... F>
std::string kinks(kachel::TypeList<F...>) {
  return "| activation | kink | derivative below | at it | above |\n|---|---|---|---|---|\n" + (kink_rows<F>() + ...) +
         kink_rows("`prelu`, w = 0.25", kachel::PReLU::contract.kinks,
                   [](double x) { return kachel::prelu_backward(1.0, x, 0.25); });
}

std::string function_row(const std::string& name, double float_ulp, double double_ulp) {
  return "| `kachel::math::" + name + "(x)` |" + cell(number(float_ulp)) + cell(number(double_ulp)) + "\n";
}

/// Of F as a function of numbers: its contract holds for it, too.
template <class F>
std::string function_row(const std::string& name) {
  return function_row(name, F::contract.ulp, F::contract.ulp);
}

template <class F>
std::string slope_row(const std::string& name) {
  return function_row(name, F::contract.gradient_ulp, F::contract.gradient_ulp);
}

template <class... F>
std::string functions(kachel::TypeList<F...>) {
  return "| function | float | double |\n|---|---|---|\n" +
         (function_row(F::name(), F::float_ulp, F::double_ulp) + ...) + function_row<kachel::GELU>("gelu") +
         slope_row<kachel::GELU>("gelu_slope") + function_row<kachel::GELUTanh>("gelu_tanh") +
         slope_row<kachel::GELUTanh>("gelu_tanh_slope") + function_row<kachel::Mish>("mish") +
         slope_row<kachel::Mish>("mish_slope") + function_row<kachel::TanhShrink>("x_minus_tanh");
}

struct Table {
  std::string name, rows;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "", option = argc > 2 ? argv[2] : "";
  std::ifstream file(path);
  const std::string given{std::istreambuf_iterator<char>(file), {}};
  std::string text = given;
  for (const auto& [name, rows] :
       {Table{"contracts", contracts(kachel::Activations{})}, Table{"values", values(kachel::Activations{})},
        Table{"kinks", kinks(kachel::Activations{})}, Table{"functions", functions(kachel_test::MathFunctions{})}}) {
    const std::string begin_marker = "<!-- " + name + " -->\n", end_marker = "<!-- /" + name + " -->";
    const std::size_t marker = text.find(begin_marker), begin = marker + begin_marker.size(),
                      end = text.find(end_marker, marker);
    if (marker == std::string::npos || end == std::string::npos) {
      std::fprintf(stderr, "contracts: '%s' has no lines %s and %s\n", path.c_str(),
                   begin_marker.substr(0, begin_marker.size() - 1).c_str(), end_marker.c_str());
      return 1;
    }
    if (option != "--write" && text.compare(begin, end - begin, rows) != 0)
      std::fprintf(stderr, "contracts: %s differs from the code, which gives\n\n%s\n", path.c_str(), rows.c_str());
    text.replace(begin, end - begin, rows);
  }
  if (text == given) return 0;
  if (option == "--write") return std::ofstream(path) << text ? 0 : 1;
  std::fprintf(stderr, "contracts %s --write puts it there\n", path.c_str());
  return 1;
}
