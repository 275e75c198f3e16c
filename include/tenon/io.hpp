// Files that need no other library: parameters and named tensors (safetensors), word vectors, event files for TensorBoard.
// NumPy's files and IDX files are xtensor's arrays, in tenon/io/npy.hpp, npz.hpp and idx.hpp; packed ones need zlib and deflate.hpp.
#pragma once

// First, because compilers print each file on the include path to the one where errors appear.
#include "tenon/diagnostics/diagnose.hpp"

#include "tenon/io/event_file.hpp"
#include "tenon/io/file.hpp"
#include "tenon/io/parameters.hpp"
#include "tenon/io/safetensors.hpp"
#include "tenon/io/word_vector_files.hpp"
#include "tenon/parameters/copy_by_name.hpp"
