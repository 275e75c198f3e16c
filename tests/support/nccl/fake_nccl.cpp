// A library with all of NCCL's functions that Tenon calls, for ranks in one program.
#include "support/nccl/fake_nccl.hpp"

#define TENON_KEPT(name) extern "C" __attribute__((visibility("default"))) void* const kept_##name = reinterpret_cast<void*>(&name)
TENON_KEPT(ncclGetUniqueId);
TENON_KEPT(ncclCommInitRank);
TENON_KEPT(ncclCommDestroy);
TENON_KEPT(ncclCommAbort);
TENON_KEPT(ncclCommGetAsyncError);
TENON_KEPT(ncclGetErrorString);
TENON_KEPT(ncclGetLastError);
TENON_KEPT(ncclGroupStart);
TENON_KEPT(ncclGroupEnd);
TENON_KEPT(ncclSend);
TENON_KEPT(ncclRecv);
TENON_KEPT(ncclBroadcast);
