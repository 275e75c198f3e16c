// Files of images and of labels: a file that is the other one is refused by what it is.
#include "../../examples/digit_files.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

#include <string>

namespace tenon::test {

std::string extents(int rank, std::initializer_list<int> sizes) {
  std::string head{'\0', '\0', '\x08', static_cast<char>(rank)};
  for (const int size : sizes) head += {'\0', '\0', '\0', static_cast<char>(size)};
  return head;
}

TEST_CASE("images and labels are read, and each is refused in the other's place") {
  const file_with images(extents(3, {2, 28, 28}) + std::string(2 * 28 * 28, '\xff')),
      labels(extents(1, {2}) + "\3\7"), small(extents(3, {2, 5, 4}) + std::string(40, '\1')),
      one(extents(1, {1}) + "\3"), letters(extents(1, {2}) + "\3\x0b");
  CHECK(digit_files::read_images(images.path)(1, 27, 27) == 1);
  CHECK(digit_files::read_labels(labels.path, 2)(1) == 7);
  const auto got = [](const file_with& file, const char* what) { return file.path + what; };
  CHECK_THROWS_WITH_AS(
      digit_files::read_images(labels.path),
      got(labels, ": expected images of 28 x 28 (MNIST's images-idx3-ubyte), got 2 labels, one number each")
          .c_str(),
      data_error);
  CHECK_THROWS_WITH_AS(
      digit_files::read_images(small.path),
      got(small, ": expected images of 28 x 28 (MNIST's images-idx3-ubyte), got 2 images of 5 x 4").c_str(),
      data_error);
  CHECK_THROWS_WITH_AS(
      digit_files::read_labels(images.path, 2),
      got(images,
          ": expected a label for each of 2 images (MNIST's labels-idx1-ubyte), got 2 images of 28 x 28")
          .c_str(),
      data_error);
  CHECK_THROWS_WITH_AS(digit_files::read_labels(one.path, 2),
                       got(one,
                           ": expected a label for each of 2 images (MNIST's labels-idx1-ubyte), got 1 "
                           "labels, one number each")
                           .c_str(),
                       data_error);
  CHECK_THROWS_WITH_AS(digit_files::read_labels(letters.path, 2),
                       got(letters, ": expected digits from 0 to 9, got 11").c_str(), data_error);
}

}  // namespace tenon::test
