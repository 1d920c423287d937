// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contracts <document> [--write]: compares the tables between the document's markers with the contracts of the
// activations in the list and the bounds of the functions of math/, or writes them there.
#include <kachel/activations/list.hpp>

#include <support/math_functions.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
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

template <class F>
std::string row() {
  std::string parameters;
  const auto defaults = kachel::parameter_values(F{});
  for (std::size_t i = 0; i < defaults.size(); ++i)
    parameters.append(i > 0 ? ", " : "").append(F::contract.parameters[i]).append(" = ").append(number(defaults[i]));
  std::string cells;
  for (const std::string_view cell : {F::contract.formula, std::string_view(parameters), F::contract.expected})
    cells.append(cell.empty() ? "" : " ").append(cell).append(" |");
  return "| `" + std::string(F::name) + "` |" + cells + " " + saved<F>() + " | " + number(F::contract.ulp) + " |\n";
}

template <class... F>
std::string contracts(kachel::TypeList<F...>) {
  return "| activation | formula | parameters | expected | backward from | error |\n|---|---|---|---|---|---|\n" +
         (row<F>() + ...);
}

template <class... F>
std::string functions(kachel::TypeList<F...>) {
  const auto row = [](const std::string& name, double float_ulp, double double_ulp) {
    return "| `kachel::math::" + name + "(x)` | " + number(float_ulp) + " | " + number(double_ulp) + " |\n";
  };
  return "| function | float | double |\n|---|---|---|\n" + (row(F::name(), F::float_ulp, F::double_ulp) + ...);
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
  for (const auto& [name, rows] : {Table{"contracts", contracts(kachel::Activations{})},
                                   Table{"functions", functions(kachel_test::MathFunctions{})}}) {
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
