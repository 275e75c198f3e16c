// A file of this text for the length of a test, which no other program that runs has.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

struct file_with {
  std::string path;
  explicit file_with(const std::string& text)
      : path((std::filesystem::temp_directory_path() / ("tenon_test_" + std::to_string(::getpid()) + "_" +
                                                        std::to_string(std::hash<std::string>{}(text))))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  file_with(const file_with&) = delete;
  file_with& operator=(const file_with&) = delete;
  ~file_with() { std::remove(path.c_str()); }
};
