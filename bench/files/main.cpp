// Saves and loads a gigabyte of parameters in a safetensors file, and copies the same bytes through the page cache for comparison. Started
// by bench/files/contend.py, which alternates between this program and the safetensors package.
//   bench_files FOLDER    then lines of standard input: save, load, write, copy_in, copy_out. Answers each line with the seconds it took
#include <tenon/io/parameters.hpp>
#include <tenon/tenon.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

namespace {

using namespace tenon;
using namespace tenon::nn;

// Sixteen matrices of 64 MB.
template <class... Layers>
using sixteen = chain<Layers..., Layers..., Layers..., Layers...>;
using square = linear<4096, no_bias>;
using large = graph<"large", input<"x", features<4096>>,
                    node<"layers", sixteen<square, square, square, square>, "x">, output<"layers">>;
constexpr std::size_t bytes = parameters<large>::block_size * sizeof(float);

void require(bool holds, const char* what) {
  if (holds) return;
  std::perror(what);
  std::exit(1);
}
// Calls f(the bytes of a file mapped into memory): for reading, or for writing if the file is new.
template <class F>
void with_mapped(const std::string& path, bool is_new, F f) {
  const int file = ::open(path.c_str(), is_new ? O_RDWR | O_CREAT | O_TRUNC : O_RDONLY, 0666);
  require(file >= 0, path.c_str());
  if (is_new) require(::ftruncate(file, bytes) == 0, "ftruncate");
  void* const at = ::mmap(nullptr, bytes, is_new ? PROT_READ | PROT_WRITE : PROT_READ,
                          is_new ? MAP_SHARED : MAP_PRIVATE, file, 0);
  require(at != MAP_FAILED, "mmap");
  f(at);
  ::munmap(at, bytes);
  ::close(file);
}
void write_plainly(const std::string& path, const void* from) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  require(file >= 0, path.c_str());
  for (std::size_t done = 0; done < bytes;) {
    const auto written = ::write(file, static_cast<const char*>(from) + done, bytes - done);
    require(written > 0, "write");
    done += static_cast<std::size_t>(written);
  }
  ::close(file);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: bench_files FOLDER\n");
    return 2;
  }
  const std::string folder = words[1], file = folder + "/tenon.safetensors", plain = folder + "/plain";
  parameters<large> theta(seed{1}), other(seed{2});
  save(theta, file);
  write_plainly(plain, theta.data());
  for (std::string what; std::getline(std::cin, what);) {
    const auto start = std::chrono::steady_clock::now();
    if (what == "save") save(theta, file);
    else if (what == "load") load(other, file);
    else if (what == "write") write_plainly(plain, theta.data());
    else if (what == "copy_in")
      with_mapped(plain, true, [&](void* to) { std::memcpy(to, theta.data(), bytes); });
    else if (what == "copy_out")
      with_mapped(plain, false, [&](void* from) { std::memcpy(other.data(), from, bytes); });
    else return 2;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::cout << passed.count() << std::endl;
  }
  return std::memcmp(theta.data(), other.data(), bytes) == 0 ? 0 : 1;  // loaded equals saved
}
