#pragma once

/// Keeps the heap small: the C library returns freed blocks of a mebibyte and more to the system at once, and serves
/// smaller ones from two heaps instead of up to eight for each core.
///
/// Otherwise glibc keeps freed blocks of up to 32 MiB in the heaps of many threads, where other sizes do not fit: after
/// captures of 12 megapixels, 170 to 330 MiB. This concerns the whole process, so only a program calls it, never a
/// library. In C because Swift's module of glibc lacks mallopt().
void gscap_keep_heap_small(void);
