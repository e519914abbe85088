#include "CHeap.h"
#include <malloc.h>

void gscap_return_large_blocks(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
