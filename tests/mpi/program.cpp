// What the tests run on several ranks: mpirun -n N program CASE [ARGUMENT ..]. The cases are in cases.hpp and are compiled once for all MPIs.
#include "mpi/cases.hpp"
#include <tenon/distribute/mpi.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <thread>

using tenon::distribute::mpi;

namespace {

// A communicator of the program's own, of all ranks but the first, whose ranks are in reverse.
int own_communicator(int count, char** arguments) {
  int given = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &given);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, -rank, &some);
  int wrong = 0;
  if (rank > 0) {
    mpi world(some);
    wrong = cases::pieces(world);
    if (world.rank() != world.size() - rank) wrong = 1;
  } else {
    try {
      mpi none(some);
      wrong = 1;
    } catch (const tenon::input_error& error) { wrong = std::strstr(error.what(), "no rank") == nullptr; }
  }
  mpi all(count, arguments);  // beside it, and MPI is still there behind both
  wrong = wrong + cases::pieces(all);
  MPI_Barrier(MPI_COMM_WORLD);
  if (some != MPI_COMM_NULL) MPI_Comm_free(&some);
  return wrong;
}
// What starts no communicator is one sentence.
template <class Start>
int refused(const char* sentence, Start start) {
  try {
    start();
  } catch (const tenon::input_error& error) { return std::strstr(error.what(), sentence) == nullptr; }
  return 1;
}
int bad_starts(int count, char** arguments) {
  int wrong = refused("a communicator is passed before MPI_Init_thread", [] { mpi none(MPI_COMM_WORLD); });
  wrong += refused("expected a patience above 0 seconds, got -1",
                   [&] { mpi none(count, arguments, {.patience = -1}); });
  int level = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
  MPI_Finalize();
  return wrong +
         refused("MPI is finalised, and begins only once in a program", [&] { mpi none(count, arguments); });
}
int without_threads(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int given = 0, wrong = 1;
  MPI_Query_thread(&given);
  try {
    mpi world(count, arguments);
    wrong = given < MPI_THREAD_FUNNELED;
  } catch (const tenon::input_error& error) {
    wrong = given >= MPI_THREAD_FUNNELED || std::strstr(error.what(), "MPI_Init_thread") == nullptr;
  }
  MPI_Finalize();
  return wrong;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "";
  if (name == "own") {
    const int wrong = own_communicator(count, arguments);
    MPI_Finalize();
    return wrong;
  }
  if (name == "bad_starts") return bad_starts(count, arguments);
  if (name == "without_threads") return without_threads(count, arguments);
  const double patience = name == "patience" ? std::atof(arguments[3]) : 60;
  try {
    mpi world(count, arguments, {.patience = patience});
    tenon::distribute::any_communicator ranks(world);
    if (name == "pieces") return cases::pieces(ranks);
    if (name == "unfit") return cases::unfit(ranks);
    if (name == "train") return cases::train(ranks, count - 2, arguments + 2);
    if (name == "ends") return world.rank() == 1 ? 0 : cases::pieces(ranks);
    if (name == "patience" || name == "throw" || name == "kill")
      return cases::lose(ranks, name, std::atoi(arguments[2]));
    std::fprintf(stderr, "there is no case '%s'\n", name.c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "what was thrown: %s\n", error.what());
    return 1;
  }
}
