// A backend's own memory: a device of numbered blocks and streams records all calls. Each allocated block is released once, blocks begin as
// zeros, and a stream is waited for exactly when another stream has used the block.
#include <tenon/backend/memory.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace tenon::test {

struct device {};

std::map<void*, std::size_t> blocks;  // that are there now
std::size_t room = 1000;              // bytes
int stream_of_thread = 0;
std::vector<int> waited;

void* allocate(device, std::size_t bytes) {
  std::size_t used = 0;
  for (const auto& [start, size] : blocks) used += size;
  if (used + bytes > room) throw std::bad_alloc();
  void* const start = ::operator new(bytes);
  std::memset(start, 0xff, bytes);
  blocks[start] = bytes;
  return start;
}
void release(device, void* start) {
  CHECK(blocks.erase(start) == 1);
  ::operator delete(start);
}
void copy_in(device, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_out(device, const void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); }
std::size_t free_bytes(device) { return 77; }
template <class T>
void set_all(device, std::ptrdiff_t count, T value, T* out) {
  for (std::ptrdiff_t k = 0; k < count; ++k) out[k] = value;
}
int current_stream(device) { return stream_of_thread; }
void wait_for(device, int stream) { waited.push_back(stream); }

struct another_device : device {};
device owner_of_memory(another_device) { return {}; }
struct program {};  // has no functions: it uses the program's memory

static_assert(backend::HasOwnMemory<device> && backend::HasOwnMemory<another_device> &&
              !backend::HasOwnMemory<program>);
static_assert(backend::HasStreams<device> && !backend::HasStreams<program>);
static_assert(!backend::HasGraphs<device> && !backend::CopiesEarly<device>);
static_assert(std::is_same_v<backend::memory_owner<device>, device> &&
              std::is_same_v<backend::memory_owner<another_device>, device>);
static_assert(std::is_same_v<backend::memory_for<float, device>, backend::own_memory<float, device>> &&
              std::is_same_v<backend::memory_for<float, program>, engine::memory<float>>);
static_assert(std::is_same_v<backend::early_copy_type<device>::type, backend::late_copy>);

using numbers = backend::own_memory<float, device>;

TEST_CASE("a block is zeros, and is released once, whoever has it at the end") {
  {
    numbers one(5), none(0);
    CHECK(blocks.size() == 1);
    CHECK(blocks.at(one.data()) == 5 * sizeof(float));
    CHECK(none.data() == nullptr);
    for (std::size_t k = 0; k < 5; ++k) CHECK(one.data()[k] == 0);
    float* const start = one.data();
    numbers moved = std::move(one);
    CHECK(moved.data() == start);
    CHECK(moved.size() == 5);
    CHECK(one.data() == nullptr);
    CHECK(one.size() == 0);
    numbers larger(7);
    moved = std::move(larger);  // releases the old block, keeps the new one
    CHECK(moved.size() == 7);
    CHECK(blocks.size() == 1);
    CHECK(blocks.count(start) == 0);
  }
  CHECK(blocks.empty());
}

TEST_CASE("too little memory is said with what it was for and what there is") {
  const numbers most(200);
  try {
    numbers more(100, {.kind = "the states", .graph = "g"});
    FAIL("there was no room");
  } catch (const memory_error& e) {
    CHECK(std::string(e.what()).starts_with(
        "too little memory: 400 bytes for the states of graph 'g', and the device has 77"));
  }
  CHECK(blocks.size() == 1);
}

TEST_CASE("numbers go to a block and come from it") {
  const float given[]{1, 2, 3};
  float back[3]{};
  numbers there(3);
  backend::copy_to<device>(given, there.data(), 3);
  backend::copy_from<device>(there.data(), back, 2);
  CHECK((back[0] == 1 && back[1] == 2 && back[2] == 0));
  backend::copy_to<program>(given, back, 3);
  CHECK(back[2] == 3);
}

// All orders of four uses from three streams: before a use that writes, each other stream's earlier uses have been waited for.
TEST_CASE("who uses a block from another stream waits for the last") {
  int waits = 0;
  for (int order = 0; order < 81; ++order) {
    backend::last_stream<device> block;
    int last = -1;  // the stream that used it
    for (int use = 0, rest = order; use < 4; ++use, rest /= 3) {
      stream_of_thread = 10 + rest % 3;
      waited.clear();
      block.join();
      const bool must_wait = last >= 0 && last != stream_of_thread;
      CHECK(waited == (must_wait ? std::vector<int>{last} : std::vector<int>{}));
      waits += must_wait;
      last = stream_of_thread;
    }
  }
  CHECK(waits == 162);  // of three streams two are others, at three of the four uses: 81 * 3 * 2 / 3
}

TEST_CASE("readers do not wait for each other") {
  backend::last_stream<device> block;
  stream_of_thread = 1;
  block.use();
  waited.clear();
  stream_of_thread = 2;
  block.settle();
  stream_of_thread = 3;
  block.settle();
  CHECK(waited == std::vector<int>{1});
  waited.clear();
  backend::last_stream<device> own;
  stream_of_thread = 1;
  own.use();
  own.settle();
  own.settle();
  CHECK(waited.empty());
  backend::last_stream<program> nothing;
  nothing.use();
  nothing.join();
  nothing.settle();
  CHECK(waited.empty());
}

}  // namespace tenon::test
