// The message of a device that does not work says why, and what to do.
#include "tenon/backend/device_failure.hpp"

#include <doctest/doctest.h>

using namespace tenon::backend;

TEST_CASE("a failure of a device is one sentence") {
  CHECK(sentence_of(device_failure::no_device, {}, "no CUDA-capable device is detected") ==
        "there is no CUDA device: nvidia-smi must list one, and CUDA_VISIBLE_DEVICES must not hide it");
  CHECK(sentence_of(device_failure::old_driver, {12080, 13000, 90}, "") ==
        "the driver of the CUDA device is too old: it runs CUDA up to 12.8, and this program was compiled by "
        "CUDA 13.0");
  CHECK(sentence_of(device_failure::old_driver, {0, 13020, 0}, "") ==
        "there is no driver of a CUDA device, and this program was compiled by CUDA 13.2");
  CHECK(sentence_of(device_failure::wrong_architecture, {13000, 13000, 75}, "no kernel image") ==
        "this program has no code for the CUDA device, which is sm_75: compile it with -arch=sm_75");
  CHECK(sentence_of(device_failure::wrong_architecture, {}, "no kernel image") ==
        "this program has no code for the CUDA device: compile it with -arch=native");
  CHECK(sentence_of(device_failure::other, {}, "an illegal memory access was encountered") ==
        "an illegal memory access was encountered");
}
