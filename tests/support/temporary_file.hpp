// Files that exist for the length of a test, under names that no other running program uses.
#pragma once

#include "tenon/system/calls.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

// A file of this text.
struct file_with {
  std::string path;
  explicit file_with(const std::string& text)
      : path((std::filesystem::temp_directory_path() /
              ("tenon_test_" + std::to_string(tenon::system_calls::process_number()) + "_" +
               std::to_string(std::hash<std::string>{}(text))))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  file_with(const file_with&) = delete;
  file_with& operator=(const file_with&) = delete;
  ~file_with() { std::remove(path.c_str()); }
};

// A folder, with room for files of any name.
struct temporary_folder {
  std::string path;
  temporary_folder() {
    const auto start = (std::filesystem::temp_directory_path() / "tenon_test_").string() +
                       std::to_string(tenon::system_calls::process_number()) + "_";
    int number = 0;
    do
      path = start +
             std::to_string(number++);  // what is there belongs to another test, or to one that was killed
    while (!std::filesystem::create_directory(path));
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() { std::filesystem::remove_all(path); }
};
