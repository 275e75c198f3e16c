// Sutskever et al. 2014, from German to English: see program.hpp for its options.
#include "sutskever_parts.hpp"

#include "program.hpp"

int main(int count, char** values) {
  using namespace translation;
  arguments wanted;
  std::string rule = "adam";
  std::vector<command_line::option> options = options_of(wanted);
  options.push_back({"--rule", &rule, "adam, or the paper's sgd, which needs more sentences"});
  return command_line::program(title, count, values, options, [&] {
    if (rule == "adam") run_with_sizes<sutskever>(wanted);
    else if (rule == "sgd") run_with_sizes<sutskever_with_sgd>(wanted);
    else throw std::invalid_argument("--rule: expected adam or sgd, got '" + rule + "'");
    return 0;
  });
}
