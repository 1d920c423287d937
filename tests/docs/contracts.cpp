// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// contracts <document> [--write]: compares the table between the document's markers with the contracts of the
// activations in the list, or writes it there.
#include <kachel/activations/list.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace {

constexpr std::string_view begin_marker = "<!-- contracts -->\n", end_marker = "<!-- /contracts -->";

std::string number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
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
  return "| `" + std::string(F::name) + "` |" + cells + " " + number(F::contract.ulp) + " |\n";
}

template <class... F>
std::string table(kachel::TypeList<F...>) {
  return "| activation | formula | parameters | expected | error |\n|---|---|---|---|---|\n" + (row<F>() + ...);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : "", option = argc > 2 ? argv[2] : "";
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t marker = text.find(begin_marker), begin = marker + begin_marker.size(),
                    end = text.find(end_marker, marker);
  if (marker == std::string::npos || end == std::string::npos) {
    std::fprintf(stderr, "contracts: '%s' has no lines <!-- contracts --> and <!-- /contracts -->\n", path.c_str());
    return 1;
  }
  const std::string expected = table(kachel::Activations{});
  if (text.compare(begin, end - begin, expected) == 0) return 0;
  if (option == "--write") return std::ofstream(path) << text.replace(begin, end - begin, expected) ? 0 : 1;
  std::fprintf(stderr, "contracts: %s differs from the list, which gives\n\n%s\ncontracts %s --write puts it there\n",
               path.c_str(), expected.c_str(), path.c_str());
  return 1;
}
