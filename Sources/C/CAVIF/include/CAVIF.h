#pragma once
#include <avif/avif.h>

/// Lists the functions that are called, without their prefix `avif`: use(name) is expanded for each.
#define AVIF_FUNCTIONS(use) \
    use(CodecName) use(EncoderCreate) use(EncoderDestroy) use(EncoderWrite) use(ImageAllocatePlanes) \
    use(ImageCreate) use(ImageDestroy) use(ImageSetMetadataExif) use(ImageSetMetadataXMP) use(ImageSetProfileICC) \
    use(RWDataFree) use(ResultToString) use(Version)

/// The addresses of the functions listed above in the loaded library. Nothing links libavif: only AVIF files need it.
typedef struct {
#define FIELD(name) __typeof__(&avif##name) name;
    AVIF_FUNCTIONS(FIELD)
#undef FIELD
} AVIFFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure, such as a version with an unknown interface.
const char *gscap_load_avif(const char *library, AVIFFunctions *functions);

/// The settings of an AVIF encoder.
typedef struct {
    int maxThreads;
    /// The speed, from 0 (slowest, best) to 10 (fastest).
    int speed;
    int minQuantizer;
    int maxQuantizer;
} AVIFEncoderSettings;

/// Applies settings to an encoder and enables automatic tiling. In C because libavif 1.0 moved fields of `avifEncoder`:
/// the layout is that of the loaded library, not of the headers used to compile.
void gscap_avif_set_up(const AVIFFunctions *functions, avifEncoder *encoder, const AVIFEncoderSettings *settings);

/// Adds Exif and XMP metadata to an image; a size of 0 adds none. In C because these libavif functions return a result
/// only since 1.0.
avifResult gscap_avif_set_metadata(
    const AVIFFunctions *functions, avifImage *image, const uint8_t *exif, size_t exifSize, const uint8_t *xmp,
    size_t xmpSize);

/// Sets the ICC profile of an image. In C because this libavif function returns a result only since 1.0.
avifResult gscap_avif_set_profile(
    const AVIFFunctions *functions, avifImage *image, const uint8_t *profile, size_t size);
