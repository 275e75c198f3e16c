#!/bin/bash -eu
# Builds the targets of tests/io/fuzz, all or those that are given, with their corpora, for OSS-Fuzz and ClusterFuzzLite. These set
# CXX, CXXFLAGS, LIB_FUZZING_ENGINE, OUT and SRC; tests/io/fuzz/run does, too. By hand, in the project's folder:
#
#   CXX=clang++-19 CXXFLAGS='-O1 -g1 -fsanitize=fuzzer-no-link,address' LIB_FUZZING_ENGINE=-fsanitize=fuzzer OUT=/tmp/fuzzers SRC=/tmp \
#     tests/io/fuzz/oss_fuzz/build.sh
[ -d tests/io/fuzz ] || cd "$SRC/tenon"
mkdir -p "$OUT"
[ $# -gt 0 ] || set -- $(sed -n 's/^inline bool \([a-z0-9_]*\)(bytes .*/\1/p' tests/io/fuzz/*.hpp)
for target; do
  corpus=tests/io/fuzz/corpus/$target
  [ -d "$corpus" ] || continue  # a part of a target
  header=$(grep -l "^inline bool $target(bytes " tests/io/fuzz/*.hpp)
  $CXX $CXXFLAGS -std=c++20 -Iinclude -Itests -DTENON_FUZZ_HEADER="\"${header#tests/}\"" -DTENON_FUZZ_TARGET="$target" -DTENON_FUZZ_ZLIB \
    tests/io/fuzz/libfuzzer.cpp $LIB_FUZZING_ENGINE -l:libz.a -o "$OUT/$target"
  printf '[libfuzzer]\nmax_len = 2100\n' >"$OUT/$target.options"
  rm -f "$OUT/${target}_seed_corpus.zip"
  python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" "$corpus"/*
done
