#pragma once

/// Makes the C library give freed memory back to the system: blocks of a mebibyte and more at once, and smaller ones
/// from two heaps instead of eight for each core.
///
/// Otherwise glibc keeps freed blocks of up to 32 MiB in the heaps of many threads, where other sizes do not fit: after
/// captures of 12 megapixels, 170 to 330 MiB. A movie of an hour grew by 2 to 3 % in its second half, as each heap
/// reached its size. This concerns the whole process, so only a program calls it, never a library. In C because Swift's
/// module of glibc lacks mallopt().
void gscap_keep_heap_small(void);
