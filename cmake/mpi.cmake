# tenon::mpi is what a program links that includes <tenon/distribute/mpi.hpp>: find_package(tenon REQUIRED COMPONENTS mpi), or, where Tenon is a
# subfolder, TENON_MPI. It is the MPI that CMake's FindMPI finds: MPI_CXX_COMPILER chooses another one, mpicxx.mpich say.
set(MPI_CXX_SKIP_MPICXX ON)  # the bindings for C++ that MPI 3 dropped
find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND AND NOT TARGET tenon::mpi)
  add_library(tenon::mpi INTERFACE IMPORTED GLOBAL)
  target_link_libraries(tenon::mpi INTERFACE tenon::tenon MPI::MPI_CXX)
endif()
