// device_failure: why a device does not work, and a message of one sentence that tells the user what to do.
#pragma once

#include <string>

namespace tenon::inline v0_1::backend {

enum class device_failure { no_device, old_driver, wrong_architecture, other };

// What is known about the device when it fails. Versions are CUDA's numbers: 13020 is 13.2. 0: not known.
struct device_versions {
  int driver = 0, runtime = 0;
  int architecture = 0;  // 80: compute capability 8.0
};

// `words`: the CUDA library's own message, returned for `other`.
inline std::string sentence_of(device_failure why, const device_versions& versions,
                               const std::string& words) {
  const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  if (why == device_failure::no_device)
    return "there is no CUDA device: nvidia-smi must list one, and CUDA_VISIBLE_DEVICES must not hide it";
  if (why == device_failure::old_driver && versions.driver == 0)
    return "there is no driver of a CUDA device, and this program was compiled by CUDA " +
           version(versions.runtime);
  if (why == device_failure::old_driver)
    return "the driver of the CUDA device is too old: it runs CUDA up to " + version(versions.driver) +
           ", and this program was compiled by CUDA " + version(versions.runtime);
  if (why == device_failure::wrong_architecture) {
    const std::string sm =
        versions.architecture > 0 ? "sm_" + std::to_string(versions.architecture) : "native";
    return "this program has no code for the CUDA device" +
           (versions.architecture > 0 ? ", which is " + sm : std::string()) + ": compile it with -arch=" + sm;
  }
  return words;
}

}  // namespace tenon::inline v0_1::backend
