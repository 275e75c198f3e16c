// Files with images of digits and with their labels (MNIST's, idx3-ubyte and idx1-ubyte): a file that is the other one is refused by what it is.
#pragma once

#include <tenon/io/idx.hpp>

#include <string>
#include <xtensor/xarray.hpp>

namespace digit_files {

constexpr int side = 28;

// What an array of a file is, "60000 labels", for a message.
inline std::string kind_of(const auto& array) {
  if (array.dimension() == 1) return std::to_string(array.size()) + " labels, one number each";
  std::string extents;
  for (std::size_t k = 1; k < array.dimension(); ++k) extents += (k == 1 ? "" : " x ") + std::to_string(array.shape(k));
  return array.dimension() == 0 ? "one number" : std::to_string(array.shape(0)) + " images of " + extents;
}
// [images, side, side], from 0 to 1. Throws data_error, which names the file.
inline xt::xarray<float> read_images(const std::string& path) {
  const xt::xarray<float> images = tenon::io::read_idx<float>(path);
  if (images.dimension() != 3 || images.shape(1) != side || images.shape(2) != side)
    throw tenon::data_error(path + ": expected images of 28 x 28 (MNIST's images-idx3-ubyte), got " + kind_of(images));
  return images / 255.0f;
}
// A digit for each of `images` images.
inline xt::xarray<int> read_labels(const std::string& path, std::size_t images) {
  const xt::xarray<int> labels = tenon::io::read_idx<int>(path);
  if (labels.dimension() != 1 || labels.size() != images)
    throw tenon::data_error(path + ": expected a label for each of " + std::to_string(images) + " images (MNIST's labels-idx1-ubyte), got " + kind_of(labels));
  for (const int digit : labels)
    if (digit < 0 || digit > 9) throw tenon::data_error(path + ": expected digits from 0 to 9, got " + std::to_string(digit));
  return labels;
}

}  // namespace digit_files
