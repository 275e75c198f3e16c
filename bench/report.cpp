// bench_report <results> <folder> <note>...: writes a page cpu.md of tables, and a plot of each series of sizes,
// from the results that --table wrote. A line "round" comes before the results of each round.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using rounds = std::map<int, double>;  // the median of each round
struct line {
  std::string name;
  std::map<std::string, rounds> by_contender{};
  double counted = 0;  // the words or sentences of a run
};
struct group {
  std::string name;
  std::vector<std::string> contenders{};
  std::vector<line> lines{};
};

double quantile(const rounds& of, double q) {
  std::vector<double> x;
  for (const auto& [round, value] : of) x.push_back(value);
  std::sort(x.begin(), x.end());
  const double at = q * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(at), high = std::min(low + 1, x.size() - 1);
  return x[low] + (at - static_cast<double>(low)) * (x[high] - x[low]);
}
double median(const rounds& of) { return quantile(of, 0.5); }

// Each round divided by the same round of another contender.
rounds ratios(const rounds& of, const rounds& to) {
  rounds result;
  for (const auto& [round, value] : of)
    if (const auto other = to.find(round); other != to.end()) result[round] = value / other->second;
  return result;
}

bool is_memory(const group& g) { return g.name.starts_with("memory"); }

// Items of rank 0 first, then 1, then 2; the order within a rank stays.
template <class T, class F>
std::vector<T> in_order(const std::vector<T>& all, F rank) {
  std::vector<T> result;
  for (int wanted : {0, 1, 2})
    for (const T& x : all)
      if (rank(x) == wanted) result.push_back(x);
  return result;
}

std::vector<group> read(const std::string& path) {
  std::vector<group> groups;
  std::ifstream file(path);
  int round = 0;
  for (std::string text; std::getline(file, text);) {
    round += text == "round";
    std::vector<std::string> field;
    std::stringstream words(text);
    for (std::string word; std::getline(words, word, '\t');) field.push_back(word);
    if (field.size() < 7) continue;
    auto g = std::find_if(groups.begin(), groups.end(), [&](const group& x) { return x.name == field[0]; });
    if (g == groups.end()) g = groups.insert(groups.end(), {field[0]});
    auto l =
        std::find_if(g->lines.begin(), g->lines.end(), [&](const line& x) { return x.name == field[1]; });
    if (l == g->lines.end()) l = g->lines.insert(g->lines.end(), {field[1]});
    if (std::find(g->contenders.begin(), g->contenders.end(), field[2]) == g->contenders.end())
      g->contenders.push_back(field[2]);
    l->by_contender[field[2]][round] = std::stod(field[3]);
    if (field.size() > 8) l->counted = std::stod(field[8]);
  }
  // In any order of the input: the naive reference and the limits last, and memory after time.
  for (group& g : groups)
    g.contenders = in_order(g.contenders, [](const std::string& c) {
      return c.starts_with("limit") ? 2 : c.starts_with("naive") ? 1 : 0;
    });
  return in_order(groups, [](const group& g) { return is_memory(g) ? 1 : 0; });
}

std::string time_text(double seconds) {
  const char* const units[]{"s", "ms", "µs", "ns"};
  int u = 0;
  while (seconds < 0.9995 && u < 3) seconds *= 1000, ++u;
  char text[32];
  std::snprintf(text, sizeof text,
                seconds < 10    ? "%.2f %s"
                : seconds < 100 ? "%.1f %s"
                                : "%.0f %s",
                seconds, units[u]);
  return text;
}

std::string rate_text(double a_second) {
  char text[32];
  std::snprintf(text, sizeof text, a_second < 100 ? "%.1f" : "%.0f", a_second);
  return text;
}

std::string bytes_text(double bytes) {
  const char* const units[]{"B", "KiB", "MiB", "GiB"};
  int u = 0;
  while (bytes >= 1023.5 && u < 3) bytes /= 1024, ++u;
  char text[32];
  std::snprintf(text, sizeof text,
                bytes < 10    ? "%.2f %s"
                : bytes < 100 ? "%.1f %s"
                              : "%.0f %s",
                bytes, units[u]);
  return text;
}

// Half the distance between the quartiles; empty if it is 0, as for a single round.
std::string spread_text(const rounds& of) {
  const double distance = quantile(of, 0.75) - quantile(of, 0.25);
  char text[32] = "";
  if (distance > 0) std::snprintf(text, sizeof text, " ±%.0f %%", 50 * distance / median(of));
  return text;
}
std::string ratio_text(const rounds& ratio) {
  if (ratio.empty()) return "";
  char text[32];
  std::snprintf(text, sizeof text, " **%.2f**", median(ratio));
  return text + spread_text(ratio);
}

bool is_limit(const std::string& contender) { return contender.starts_with("limit"); }

// A table of times has the processor's name in its first cell.
void write_table(std::ostream& out, const group& g, const std::string& processor) {
  out << "| " << (is_memory(g) || processor.empty() ? "" : processor + " ") << '|';
  for (const std::string& c : g.contenders) out << ' ' << c << " |";
  out << "\n|---|";
  for (std::size_t k = 0; k < g.contenders.size(); ++k) out << "---:|";
  out << '\n';
  for (const line& l : g.lines) {
    out << "| " << l.name << " |";
    const auto own = l.by_contender.find("Tenon");
    for (const std::string& c : g.contenders) {
      const auto found = l.by_contender.find(c);
      if (found == l.by_contender.end()) {
        out << " |";
        continue;
      }
      const rounds& of = found->second;
      out << ' '
          << (is_memory(g)    ? bytes_text(median(of))
              : l.counted > 0 ? rate_text(l.counted / median(of))
                              : time_text(median(of)));
      if (c == "Tenon") out << spread_text(of);
      else if (own != l.by_contender.end()) out << ratio_text(ratios(of, own->second));
      out << " |";
    }
    out << '\n';
  }
  out << '\n';
}

bool has_sizes(const group& g) {
  return g.lines.size() > 2 && std::all_of(g.lines.begin(), g.lines.end(), [](const line& l) {
           return l.name.find_first_not_of("0123456789") == std::string::npos;
         });
}
std::string file_name(const group& g) {
  std::string name;
  for (char c : g.name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '_') name += '_';
  return name + ".svg";
}

// Time over size, both logarithmic; limits are dashed.
void write_plot(const std::string& path, const group& g) {
  constexpr double left = 70, top = 30, wide = 560, high = 340;
  const char* const colours[]{"#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7d3c98",
                              "#566573", "#a04000", "#117a65", "#d35400", "#2c3e50"};
  double low_x = INFINITY, high_x = 0, low_y = INFINITY, high_y = 0;
  for (const line& l : g.lines) {
    low_x = std::min(low_x, std::stod(l.name)), high_x = std::max(high_x, std::stod(l.name));
    for (const auto& [c, of] : l.by_contender)
      low_y = std::min(low_y, median(of)), high_y = std::max(high_y, median(of));
  }
  low_y = std::pow(10, std::floor(std::log10(low_y))), high_y = std::pow(10, std::ceil(std::log10(high_y)));
  const auto x = [&](double v) { return left + wide * std::log(v / low_x) / std::log(high_x / low_x); };
  const auto y = [&](double v) { return top + high - high * std::log(v / low_y) / std::log(high_y / low_y); };
  std::ofstream out(path);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"420\" font-family=\"sans-serif\" "
         "font-size=\"12\">\n"
      << "<rect width=\"860\" height=\"420\" fill=\"white\"/>\n<text x=\"" << left
      << "\" y=\"18\" font-size=\"14\">" << g.name << ": time over hidden size</text>\n";
  for (double v = low_y; v <= high_y * 1.01; v *= 10)
    out << "<path d=\"M" << left << ' ' << y(v) << "h" << wide << "\" stroke=\"#ddd\"/><text x=\"" << left - 6
        << "\" y=\"" << y(v) + 4 << "\" text-anchor=\"end\">" << time_text(v) << "</text>\n";
  for (double v : {8, 16, 32, 64, 128, 256})
    if (v >= low_x && v <= high_x)
      out << "<path d=\"M" << x(v) << ' ' << top << "v" << high << "\" stroke=\"#eee\"/><text x=\"" << x(v)
          << "\" y=\"" << top + high + 18 << "\" text-anchor=\"middle\">" << v << "</text>\n";
  for (std::size_t k = 0; k < g.contenders.size(); ++k) {
    const std::string& c = g.contenders[k];
    out << "<polyline fill=\"none\" stroke=\"" << colours[k % std::size(colours)] << "\" stroke-width=\""
        << (c == "Tenon" ? 3 : 1.5) << '"' << (is_limit(c) ? " stroke-dasharray=\"5 4\"" : "")
        << " points=\"";
    for (const line& l : g.lines)
      if (const auto found = l.by_contender.find(c); found != l.by_contender.end())
        out << x(std::stod(l.name)) << ',' << y(median(found->second)) << ' ';
    out << "\"/>\n<text x=\"" << left + wide + 12 << "\" y=\"" << top + 14 + 18.0 * static_cast<double>(k)
        << "\" fill=\"" << colours[k % std::size(colours)] << "\">" << c << "</text>\n";
  }
  out << "</svg>\n";
}

}  // namespace

int main(int count, char** given) {
  if (count < 3) {
    std::cerr << "usage: bench_report <results> <folder> <note>...\n";
    return 2;
  }
  const std::string folder = given[2];
  std::ofstream page(folder + "/cpu.md");
  page << R"(# Speed on a CPU

Written by `bench/run`, which starts a new copy of each program in each round. Each cell has the processor time of
one run: the median over the rounds of each round's median. The ratio to Tenon's time follows in bold: the median of
the rounds' ratios (above 1, Tenon is faster). After ± is half the distance between the quartiles over the rounds:
of the ratio or, in Tenon's own column, of the time. Where words or sentences are counted, a cell has their number per second
instead of the time, and the bold ratio is still that of the times.

Every contender computes with one thread, on the same inputs and weights. Their answers were compared before anything
was timed. Their repetitions are interleaved at random, and each round draws anew where their data begin within a
memory page. Networks and recurrent layers get their inputs again in each run, single layers only once before the runs.
A training step is forward, backward and Adam. "Modes set before": the caller holds backend::flush_to_zero around its
loop, so that no step has to set and restore the processor's modes. "Setting modes": code written by hand sets and
restores them in each step, as a session does. What that costs depends on the vendor, so each table names its
processor.

The limits are measured in the same rounds:

- multiply-adds: the multiply-adds that the work needs, with all numbers in registers
- multiply-adds and gates: the same, and then the vectors of the gates
- reading the weights: all weights are read once for each step
- bytes in and out, for single layers: as many bytes are read as go into and out of the layer
- step after step: each step reads the weights, forwards or backwards in turn, with one multiply-add for each vector
  of them; its sums wait for the state of the step before, a sigmoid waits for the sums, and a tanh for the sigmoid

The limits compute with whole vectors. Up to 8 units, Tenon and the code written by hand compute with half vectors.

)";
  std::string processor;  // from the note "processor: name, cores; .."
  for (int k = 3; k < count; ++k) {
    const std::string note = given[k], key = "processor: ";
    if (note.starts_with(key))
      processor = note.substr(key.size(), note.find_first_of(",@", key.size()) - key.size());
    page << "- " << note << '\n';
  }
  page << '\n';
  for (const group& g : read(given[1])) {
    page << "## " << static_cast<char>(std::toupper(static_cast<unsigned char>(g.name[0])))
         << g.name.substr(1) << "\n\n";
    if (has_sizes(g)) {
      write_plot(folder + "/" + file_name(g), g);
      page << "![" << g.name << "](" << file_name(g) << ")\n\n";
    }
    if (is_memory(g))
      page << R"(The peak in the second and third step. For Tenon: the session with its workspace and inputs,
the parameters, their gradients and Adam's states, all of which are constants of the type. For PyTorch: the peak of
its CPU allocator, without the inputs.

)";
    if (g.name.starts_with("Where "))
      page << R"(Each kernel of Tenon's step is timed where it is called; its share of the step is in bold.
The limit of the products is the time of their multiply-adds in registers. The limit of the stages is the time of
their multiply-adds and gates in registers. Both limits are measured in turn with the step. A stage is what a cell
computes in one step: products and the operations that follow them.

)";
    if (g.name.starts_with("Words a second"))
      page
          << R"(Each run is a whole training step: forward, the mean loss over the words without padding, backward, clipping by the
norm, and the update.

The translators are those of `examples/translate` without dropout, trained by Adam, at the example's sizes for its small grammar and
for Multi30k. As in the example, a batch has sentences of similar length, here 80: the sources have 13 words and the translations 9 to
18, both with their end tokens (9 and 5 to 14 for the grammar). Words are drawn by Zipf's law. The words of the translations are
counted.

The language model has one table for the words that it reads and for their scores, and two layers of LSTM whose states continue from
window to window. It is trained by SGD.

PyTorch is its C++ library, run eagerly. Matrices that see the same input are merged, and what needs no state is computed for all words
at once. The LSTM, the fused attention, Adam and the clipping are PyTorch's own.

)";
    if (g.name.starts_with("Sentences a second"))
      page
          << R"(Bahdanau's model translates ten sentences of 13 words (9 for the small grammar) into sentences of the same length: the end token is
made unlikely, so that all contenders do the same steps. Tenon calls `beam_search` for the ten sentences at once and keeps the
attention's weights. PyTorch translates one sentence after the other in a loop over steps, with the five hypotheses as the rows of a
batch: it calls log_softmax, topk over 5 x V, and index_select to reorder states and words. The log probabilities are compared.

)";
    write_table(page, g, processor);
  }
  return page ? 0 : 1;
}
