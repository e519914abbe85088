#pragma once
#include <stdint.h>
#include <tiffio.h>

/// What libtiff had to say through one handle: its first error, or nothing.
typedef struct {
    char error[256];
} GscapTiffLog;

/// Opens a handle whose messages go into `log` (which must outlive it) and nowhere else. The option functions take a
/// va_list, which Swift cannot receive.
TIFF *gscap_tiff_open(
    const char *mode, void *client, TIFFReadWriteProc read, TIFFReadWriteProc write, TIFFSeekProc seek,
    TIFFSizeProc size, GscapTiffLog *log);

/// Opens a file for reading; messages go into `log`, which must outlive the handle. No single allocation exceeds the
/// maximum.
TIFF *gscap_tiff_open_file(const char *path, tmsize_t maximum_allocation, GscapTiffLog *log);

/// Makes the tags that DNG has and libtiff has not known to the handle's present directory.
int gscap_tiff_know_dng(TIFF *tiff);

// TIFFSetField by the shape of its variable arguments. Swift does not import such functions.
void gscap_tiff_unset(TIFF *tiff, uint32_t tag);
int gscap_tiff_set_pair(TIFF *tiff, uint32_t tag, uint16_t first, uint16_t second);
int gscap_tiff_set_integer(TIFF *tiff, uint32_t tag, uint32_t value);
int gscap_tiff_set_offset(TIFF *tiff, uint32_t tag, uint64_t value);
int gscap_tiff_set_double(TIFF *tiff, uint32_t tag, double value);
int gscap_tiff_set_array(TIFF *tiff, uint32_t tag, const void *values);
int gscap_tiff_set_counted(TIFF *tiff, uint32_t tag, uint32_t count, const void *values);
