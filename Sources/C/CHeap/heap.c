#include "CHeap.h"
#include <malloc.h>

void gscap_keep_heap_small(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, 2);
#endif
}
