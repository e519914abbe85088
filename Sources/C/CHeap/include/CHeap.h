#pragma once

/// Makes the C library give blocks of a mebibyte and more back to the system when they are freed.
///
/// Otherwise glibc keeps freed blocks of up to 32 MiB in the heaps of many threads, where other sizes do not fit: after
/// captures of 12 megapixels, 170 to 330 MiB. This concerns the whole process, so only a program calls it, never a
/// library. In C because Swift's module of glibc lacks mallopt().
void gscap_return_large_blocks(void);
