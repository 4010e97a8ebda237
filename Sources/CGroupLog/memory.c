#include "CGroupLog.h"

#if defined(__GLIBC__)
#include <malloc.h>

// mallopt(3): by default each large block that is freed raises the size from which blocks are mapped
// on their own, up to 32 MiB. From then on large blocks come from the heap, and stay in it when they
// are freed. Setting the size ends that.
void grouplog_return_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
}
#else
void grouplog_return_large_blocks(void) {}
#endif
