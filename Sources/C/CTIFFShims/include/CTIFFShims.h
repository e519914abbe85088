#pragma once
#include <stdint.h>
#include <tiffio.h>

/// The first error message of a libtiff handle, NUL-terminated; empty when there was none.
typedef struct {
    char error[256];
} GscapTiffLog;

/// Opens a TIFF handle on client I/O functions. The first error message is stored in `log`, which must outlive the
/// handle; further errors and all warnings are discarded. The error handlers are in C because they take a va_list,
/// which Swift functions cannot. Returns NULL on failure.
TIFF *gscap_tiff_open(
    const char *mode, void *client, TIFFReadWriteProc read, TIFFReadWriteProc write, TIFFSeekProc seek,
    TIFFSizeProc size, GscapTiffLog *log);

/// Opens a TIFF file for reading. The first error message is stored in `log`, which must outlive the handle. libtiff
/// refuses single allocations of more than `maximum_allocation` bytes. Returns NULL on failure.
TIFF *gscap_tiff_open_file(const char *path, tmsize_t maximum_allocation, GscapTiffLog *log);

/// Registers, for the handle's current directory, the DNG tags that libtiff does not define. Returns 1 on success.
int gscap_tiff_register_dng_tags(TIFF *tiff);

// Wrappers of TIFFUnsetField, and of TIFFSetField for each kind of arguments that it takes, because Swift does not
// import variadic functions. The setters return 1 on success.
void gscap_tiff_unset(TIFF *tiff, uint32_t tag);
int gscap_tiff_set_pair(TIFF *tiff, uint32_t tag, uint16_t first, uint16_t second);
int gscap_tiff_set_integer(TIFF *tiff, uint32_t tag, uint32_t value);
int gscap_tiff_set_offset(TIFF *tiff, uint32_t tag, uint64_t value);
int gscap_tiff_set_double(TIFF *tiff, uint32_t tag, double value);
int gscap_tiff_set_array(TIFF *tiff, uint32_t tag, const void *values);
int gscap_tiff_set_counted(TIFF *tiff, uint32_t tag, uint32_t count, const void *values);
