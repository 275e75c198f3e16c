// lv2_host PLUGIN.so AMPLIFIER_PLAY: whether the plugin of examples/amplifier gives what single steps of its network
// give, in this host with blocks of many lengths, and in Debian's lv2apply; and whether amplifier_play does. Without
// lv2apply the exit status is 77.
#include "../../examples/amplifier/learned.hpp"
#include "../../examples/amplifier/networks.hpp"
#include "../../examples/amplifier/numbers.hpp"
#include "../../examples/amplifier/wav.hpp"
#include "../support/temporary_file.hpp"
#include "../support/worse.hpp"

#include <dlfcn.h>
#include <lv2/core/lv2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace amplifier;

int failed = 0;
void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::printf("FAILED: %s\n", what);
  failed = 1;
}

std::vector<float> tones(std::size_t samples) {
  std::vector<float> all;
  for (std::size_t t = 0; t < samples; ++t) {
    const float at = static_cast<float>(t);
    all.push_back(0.7f * std::sin(0.03f * at) * std::sin(0.0011f * at) + 0.2f * std::sin(0.31f * at));
  }
  return all;
}
std::vector<float> in_single_steps(const std::vector<float>& dry) {
  const auto theta = with_numbers<recurrent_network>(learned);
  tenon::streaming<recurrent_network> live(theta);
  std::vector<float> wet;
  for (const float x : dry) wet.push_back(live.step(std::array{x})(0, 0));
  return wet;
}
void expect_near(const std::vector<float>& out, const std::vector<float>& expected, const char* what) {
  double worst = out.size() == expected.size() ? 0 : NAN;
  for (std::size_t t = 0; t < std::min(out.size(), expected.size()); ++t)
    worst = tenon::test::worse(worst, std::abs(double{out[t]} - double{expected[t]}));
  std::printf("%s: %zu samples, at most %.1e from single steps\n", what, out.size(), worst);
  expect(worst < 1e-4, what);
}

void check_in_this_host(const char* path, const std::vector<float>& dry, const std::vector<float>& expected) {
  void* const library = dlopen(path, RTLD_NOW);
  if (library == nullptr) return expect(false, dlerror());
  const auto entry = reinterpret_cast<LV2_Descriptor_Function>(dlsym(library, "lv2_descriptor"));
  if (entry == nullptr) return expect(false, "the library has no lv2_descriptor");
  expect(entry(1) == nullptr, "there is one plugin");
  const LV2_Descriptor* const plugin = entry(0);
  if (plugin == nullptr) return expect(false, "there is a plugin");
  const LV2_Feature* const none[]{nullptr};
  expect(plugin->instantiate(plugin, 44100, "", none) == nullptr, "another sample rate is refused");
  const LV2_Handle one = plugin->instantiate(plugin, learned_rate, "", none);
  if (one == nullptr) return expect(false, "the plugin starts");

  std::vector<float> out(dry.size());
  for (const bool in_place : {false, true}) {  // twice, so activate begins again
    if (in_place) out = dry;
    plugin->activate(one);
    for (std::size_t t = 0, samples = 1; t < dry.size(); t += samples, samples = samples * 3 % 1009) {
      samples = std::min(samples, dry.size() - t);
      plugin->connect_port(one, 0, in_place ? out.data() + t : const_cast<float*>(dry.data()) + t);
      plugin->connect_port(one, 1, out.data() + t);
      plugin->run(one, 0);
      plugin->run(one, static_cast<std::uint32_t>(samples));
    }
    expect_near(out, expected, in_place ? "this host, in place" : "this host");
  }
  plugin->cleanup(one);
  dlclose(library);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: lv2_host PLUGIN.so AMPLIFIER_PLAY\n");
    return 2;
  }
  const std::string library = words[1], play = words[2];
  const std::string bundles =
      library.substr(0, library.rfind('/', library.rfind('/') - 1));  // the folder of the bundle's
  const std::vector<float> dry = tones(20000), expected = in_single_steps(dry);
  check_in_this_host(words[1], dry, expected);

  const temporary_folder folder;
  const std::string from = folder.path + "/dry.wav", to = folder.path + "/wet.wav";
  write_wav(from, dry, learned_rate);
  const auto command = [](const std::string& line) { return std::system(line.c_str()) == 0; };
  expect(command("'" + play + "' " + from + " " + to), "amplifier_play succeeds");
  expect_near(read_wav(to).samples, expected, "amplifier_play");
  if (!command("command -v lv2apply >/dev/null")) {
    std::printf("skipped: there is no lv2apply\n");
    return failed ? 1 : 77;
  }
  expect(command("LV2_PATH='" + bundles + "' lv2apply -i " + from + " -o " + to +
                 " https://tenon.example/amplifier"),
         "lv2apply succeeds");
  expect_near(read_wav(to).samples, expected, "lv2apply");
  return failed;
}
