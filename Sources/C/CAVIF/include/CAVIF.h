#pragma once
#include <avif/avif.h>

/// The functions that are called, without their `avif`: use(name) stands for one.
#define AVIF_FUNCTIONS(use) \
    use(CodecName) use(EncoderCreate) use(EncoderDestroy) use(EncoderWrite) use(ImageAllocatePlanes) \
    use(ImageCreate) use(ImageDestroy) use(ImageSetMetadataExif) use(ImageSetMetadataXMP) use(RWDataFree) \
    use(ResultToString) use(Version)

/// The addresses of these functions, once the library is loaded: only AVIF files need it, and nothing links it.
typedef struct {
#define FIELD(name) __typeof__(&avif##name) name;
    AVIF_FUNCTIONS(FIELD)
#undef FIELD
} AVIFFunctions;

/// Loads the library of this file name. Returns NULL, or the reason for the failure: a version whose interface is
/// unknown is one.
const char *gscap_load_avif(const char *library, AVIFFunctions *functions);

/// The settings of an encoder.
typedef struct {
    int maxThreads;
    /// From 0, slowest and best, to 10, fastest.
    int speed;
    int minQuantizer;
    int maxQuantizer;
} AVIFEncoderSettings;

/// Sets up an encoder, and lets it choose its tiles. In C because libavif 1.0 moved the fields of `avifEncoder`: the
/// loaded library's layout counts here, not that of the headers that this was compiled with.
void gscap_avif_set_up(const AVIFFunctions *functions, avifEncoder *encoder, const AVIFEncoderSettings *settings);

/// Adds Exif and XMP; a size of 0 adds none. In C because libavif returns a result of this since 1.0 only.
avifResult gscap_avif_set_metadata(
    const AVIFFunctions *functions, avifImage *image, const uint8_t *exif, size_t exifSize, const uint8_t *xmp,
    size_t xmpSize);
