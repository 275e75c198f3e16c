#include "tenon/io/npz.hpp"

#include "support/temporary_file.hpp"

#include <doctest/doctest.h>

using namespace tenon;

namespace {

const std::string files = TENON_SOURCE_DIR "/tests/io/files/";

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const data_error& error) { return error.what(); } catch (const input_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("numpy.savez's arrays") {
  const io::npz_file file(files + "stored.npz");
  CHECK(file.names() == std::vector<std::string>{"x", "y"});
  const auto x = file.read<double>("x");
  CHECK(x.shape(0) == 2);
  CHECK(x(1, 2) == 5);
  const auto y = file.read<short>("y");
  CHECK(y.size() == 1000);
  CHECK(y(999) == 999 % 7);
  CHECK(error_of([&] { file.read<float>("z"); }) == files + "stored.npz: has no array 'z'");
  CHECK(error_of([&] { file.read<int>("x"); }) ==
        files + "stored.npz: x: holds float32, expected whole numbers; read it as float or double");
}
TEST_CASE("compressed arrays need another header") {
  const io::npz_file file(files + "deflated.npz");
  CHECK(error_of([&] { file.read<float>("x"); }) ==
        files +
            "deflated.npz: entry 'x' is compressed; include <tenon/io/deflate.hpp>, open the file with "
            "io::npz_file(path, "
            "io::deflated) and link zlib (-lz)");
}
TEST_CASE("what is written is read again") {
  const file_with f("arrays are written here");
  const xt::xarray<float> x{{1, 2, 3}, {4, 5, 6}};
  const std::vector<int> numbers{7, 8, 9};
  io::write_npz(f.path, {{"x", x}, {"y", view<const int>(numbers.data(), {3})}, {"\xC3\xBC", x > 2.f}});
  const io::npz_file file(f.path);
  CHECK(file.names() == std::vector<std::string>{"x", "y", "\xC3\xBC"});
  CHECK(file.read<float>("x") == x);
  CHECK(file.read<int>("y") == xt::xarray<int>{7, 8, 9});
  CHECK(file.read<bool>("\xC3\xBC") == xt::xarray<bool>{{false, false, true}, {true, true, true}});
  CHECK(error_of([&] {
          io::write_npz(f.path, {{"x", x}, {"x", x}});
        }) == f.path + ": 'x' is the name of two arrays");
  CHECK(error_of([&] {
          io::write_npz(f.path, {{"", x}});
        }) == f.path + ": '' is not a name for an array; give it one in UTF-8");
  CHECK(io::npz_file(f.path).names().size() == 3);  // the old file
}
TEST_CASE("damaged and foreign archives") {
  std::string bytes = detail::read_file(files + "stored.npz");
  bytes[bytes.find("NUMPY") + 130] ^= 1;
  const file_with damaged(bytes), foreign("arrays of another kind are written here");
  const io::npz_file file(damaged.path);
  CHECK(error_of([&] { file.read<float>("x"); }) ==
        damaged.path + ": entry 'x' is damaged: its check sum is another");
  detail::zip_replacement archive(foreign.path);
  archive.write("model/data.pkl", {});
  archive.commit();
  CHECK(error_of([&] { io::npz_file(foreign.path); }) ==
        foreign.path +
            ": entry 'model/data.pkl' is not an array (name.npy); a file of torch.save is not an npz file, "
            "save it by "
            "safetensors.torch.save_file");
  CHECK(error_of([&] { io::npz_file(files + "float32.npy"); }) ==
        files + "float32.npy: is not a zip archive, or is cut off: it has no list of entries at its end");
}
