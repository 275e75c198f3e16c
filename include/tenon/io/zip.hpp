// Zip archives (APPNOTE.TXT 6.3, with the 64-bit sizes of its version 4.5) as far as npz files need them: stored
// entries are read and written, deflated ones are read by the function in deflate.hpp; nothing is encrypted or split.
#pragma once

#include "tenon/io/crc.hpp"
#include "tenon/io/mapped_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::inline v0_1 {

namespace detail {

// Unpacks the deflated bytes `from` into `to`; returns whether they fill it exactly.
using decompressor = bool (*)(std::span<const std::byte> from, std::span<std::byte> to);

struct zip_entry {
  std::string name;
  int method = 0;  // 0: stored, 8: deflated
  std::uint32_t crc = 0;
  std::uint64_t size = 0;             // unpacked
  std::span<const std::byte> data{};  // in the file
};

// Reads the structure of an archive: its end, the list of entries before it, and the places of their data.
class zip_parser {
 public:
  zip_parser(const std::string& path, std::span<const std::byte> file) : path_(path), file_(file) {}

  std::vector<zip_entry> parse() {
    find_list();
    std::vector<zip_entry> entries;
    std::uint64_t at = list_.first;
    for (std::uint64_t n = 0; n < count_; ++n) entries.push_back(read_entry(at));
    if (at != list_.first + list_.size)
      throw_data_error(path_, {"is a broken zip archive: its list of entries has ", list_.size,
                               " bytes, it needs ", at - list_.first});
    check_overlaps(entries);
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(entries.begin(), entries.end(),
                                          [](const auto& a, const auto& b) { return a.name == b.name; });
    if (twice != entries.end()) throw_data_error(path_, {"has two entries '", twice->name, "'"});
    return entries;
  }

 private:
  struct part {
    std::uint64_t first = 0, size = 0;
  };
  const std::string& path_;
  std::span<const std::byte> file_;
  part list_{};
  std::uint64_t count_ = 0;

  // A number of the file; its bytes must be there.
  template <class N>
  N number(std::uint64_t at) const {
    N value;
    if (at > file_.size() || file_.size() - at < sizeof value)
      throw_data_error(path_, {"is a broken zip archive: it ends within an entry"});
    std::memcpy(&value, file_.data() + at, sizeof value);
    return value;
  }
  std::uint64_t u16(std::uint64_t at) const { return number<std::uint16_t>(at); }
  std::uint64_t u32(std::uint64_t at) const { return number<std::uint32_t>(at); }
  std::uint64_t u64(std::uint64_t at) const { return number<std::uint64_t>(at); }
  std::string text(std::uint64_t at, std::uint64_t size) const {
    if (at > file_.size() || file_.size() - at < size)
      throw_data_error(path_, {"is a broken zip archive: it ends within a name"});
    return {reinterpret_cast<const char*>(file_.data()) + at, size};
  }

  // The record at the end; the length of its comment must be right.
  std::uint64_t find_end() const {
    constexpr std::uint64_t size = 22, longest_comment = 65535;
    for (std::uint64_t comment = 0; comment <= longest_comment && comment + size <= file_.size(); ++comment) {
      const std::uint64_t at = file_.size() - size - comment;
      if (u32(at) == 0x06054b50 && u16(at + 20) == comment) return at;
    }
    throw_data_error(path_, {"is not a zip archive, or is cut off: it has no list of entries at its end"});
  }
  void find_list() {
    std::uint64_t end = find_end();
    const bool is_split = u16(end + 4) != u16(end + 6) || u16(end + 8) != u16(end + 10);
    count_ = u16(end + 10);
    list_ = {u32(end + 16), u32(end + 12)};
    if (count_ == 0xFFFF || list_.first == 0xFFFFFFFF || list_.size == 0xFFFFFFFF) {
      if (end < 20 || u32(end - 20) != 0x07064b50)
        throw_data_error(path_, {"is a broken zip archive: it has no 64-bit record at its end"});
      end = u64(end - 12);
      if (end > file_.size() || u32(end) != 0x06064b50)
        throw_data_error(path_, {"is a broken zip archive: it has no 64-bit record at its end"});
      count_ = u64(end + 32);
      list_ = {u64(end + 48), u64(end + 40)};
    }
    if (is_split) throw_data_error(path_, {"is a part of a split zip archive; join its parts"});
    if (list_.first > end || list_.size > end - list_.first || count_ > list_.size / 46)
      throw_data_error(path_, {"is a broken zip archive: its list of ", count_, " entries has ", list_.size,
                               " bytes at ", list_.first, ", its end is at ", end});
  }
  zip_entry read_entry(std::uint64_t& at) const {
    if (u32(at) != 0x02014b50)
      throw_data_error(path_, {"is a broken zip archive: there is no entry at byte ", at, " of its list"});
    zip_entry entry{.name = text(at + 46, u16(at + 28)),
                    .method = static_cast<int>(u16(at + 10)),
                    .crc = static_cast<std::uint32_t>(u32(at + 16)),
                    .size = u32(at + 24)};
    std::uint64_t packed = u32(at + 20), first = u32(at + 42);
    const std::uint64_t extra = at + 46 + entry.name.size(), extra_end = extra + u16(at + 30);
    read_large_sizes(extra, extra_end, entry.size, packed, first);
    if ((u16(at + 8) & 1) != 0) fail(entry, {"is encrypted"});
    if (entry.method != 0 && entry.method != 8)
      fail(entry, {"is compressed by method ", entry.method, "; stored and deflated entries can be read"});
    if (entry.method == 0 && packed != entry.size)
      fail(entry, {"is stored in ", packed, " bytes and has ", entry.size});
    if (entry.size / 1032 > packed)
      fail(entry,
           {"cannot have ", entry.size, " bytes: deflated, it has ", packed});  // the most that deflate can
    at = extra_end + u16(at + 32);

    if (first > list_.first || u32(first) != 0x04034b50)
      fail(entry, {"is not at byte ", first, ", where the list has it"});
    const std::uint64_t name_size = u16(first + 26), data = first + 30 + name_size + u16(first + 28);
    if (text(first + 30, name_size) != entry.name) fail(entry, {"has another name at byte ", first});
    if (data > list_.first || packed > list_.first - data)
      fail(entry, {"is cut off: it has ", packed, " bytes at ", data, ", the list follows at ", list_.first});
    entry.data = file_.subspan(data, packed);
    return entry;
  }
  // Sizes that do not fit into 32 bits are in an extra field.
  void read_large_sizes(std::uint64_t at, std::uint64_t end, std::uint64_t& size, std::uint64_t& packed,
                        std::uint64_t& first) const {
    while (at + 4 <= end) {
      const std::uint64_t id = u16(at), length = u16(at + 2);
      at += 4;
      if (id == 1) {
        std::uint64_t field = at;
        for (std::uint64_t* const value : {&size, &packed, &first}) {
          if (*value != 0xFFFFFFFF) continue;
          *value = u64(field);
          field += 8;
        }
        if (field > at + length)
          throw_data_error(path_, {"is a broken zip archive: an entry has no 64-bit sizes"});
        return;
      }
      at += length;
    }
  }
  void check_overlaps(const std::vector<zip_entry>& entries) const {
    std::vector<const zip_entry*> order(entries.size());
    std::transform(entries.begin(), entries.end(), order.begin(), [](const zip_entry& e) { return &e; });
    std::sort(order.begin(), order.end(),
              [](const zip_entry* a, const zip_entry* b) { return a->data.data() < b->data.data(); });
    for (std::size_t k = 1; k < order.size(); ++k)
      if (order[k - 1]->data.data() + order[k - 1]->data.size() > order[k]->data.data())
        fail(*order[k], {"overlaps '", order[k - 1]->name, "'"});
  }
  [[noreturn, gnu::cold, gnu::noinline]] void fail(const zip_entry& entry,
                                                   std::initializer_list<message_part> problem) const {
    throw_data_error(path_, {"entry '", entry.name, "' ", message_of(problem)});
  }
};

// The bytes of an entry: those of the file, or, for a deflated one, `unpacked`.
inline std::span<const std::byte> unpack(const std::string& path, const zip_entry& entry,
                                         decompressor inflate, std::vector<std::byte>& unpacked) {
  std::span<const std::byte> bytes = entry.data;
  if (entry.method == 8) {
    if (inflate == nullptr)
      throw_data_error(path, {"entry '", entry.name,
                              "' is compressed; include <tenon/io/deflate.hpp>, open the file with "
                              "io::npz_file(path, io::deflated) and link zlib (-lz)"});
    unpacked.resize(entry.size);
    if (!inflate(entry.data, unpacked))
      throw_data_error(path, {"entry '", entry.name, "' is damaged: its bytes cannot be unpacked"});
    bytes = unpacked;
  }
  if (crc32(bytes) != entry.crc)
    throw_data_error(path, {"entry '", entry.name, "' is damaged: its check sum is another"});
  return bytes;
}

// Writes stored entries to a new file, with which `commit` replaces the old one.
class zip_replacement {
 public:
  explicit zip_replacement(const std::string& path) : path_(path), file_(path) {}

  // Writes an entry; its parts follow each other.
  void write(const std::string& name, std::initializer_list<std::span<const std::byte>> parts) {
    std::uint64_t size = 0;
    std::uint32_t crc = 0;
    for (const auto part : parts) {
      size += part.size();
      crc = crc32(part, crc);
    }
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (size >= most || at_ >= most - size || count_ + 1 >= 0xFFFF || name.size() > 0xFFFF ||
        list_.size() >= most - 0x20000)
      throw_input_error(
          {path_, ": '", name,
           "' makes the archive larger than 4 GiB or 65,534 entries; write it as a file of its own"});
    std::string shared;  // shared by the entry and the list
    for (const std::uint64_t number : {20u, is_ascii(name) ? 0u : 0x800u, 0u, 0u, 0x21u})
      append(shared, {{number, 2}});  // 1 January 1980
    append(shared, {{crc, 4}, {size, 4}, {size, 4}, {name.size(), 2}, {0, 2}});
    append(list_, {{0x02014b50, 4}, {20, 2}});
    list_ += shared;
    append(list_, {{0, 2}, {0, 4}, {0, 4}, {at_, 4}});
    list_ += name;
    std::string head;
    append(head, {{0x04034b50, 4}});
    write_bytes(head + shared + name);
    for (const auto part : parts) {
      file_.write(part.data(), part.size());
      at_ += part.size();
    }
    ++count_;
  }
  void commit() {
    std::string end;
    append(end, {{0x06054b50, 4}, {0, 4}, {count_, 2}, {count_, 2}, {list_.size(), 4}, {at_, 4}, {0, 2}});
    file_.write(list_.data(), list_.size());
    file_.write(end.data(), end.size());
    file_.commit();
  }

 private:
  std::string path_, list_{};
  file_replacement file_;
  std::uint64_t at_ = 0, count_ = 0;

  static bool is_ascii(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 128; });
  }
  struct field {
    std::uint64_t value;
    int bytes;
  };
  static void append(std::string& to, std::initializer_list<field> fields) {
    for (const auto [value, bytes] : fields)
      for (int k = 0; k < bytes; ++k) to += static_cast<char>(value >> 8 * k & 0xFF);
  }
  void write_bytes(const std::string& bytes) {
    file_.write(bytes.data(), bytes.size());
    at_ += bytes.size();
  }
};

}  // namespace detail

}  // namespace tenon::inline v0_1
