#include <CSharedLibrary.h>
#include <stddef.h>
#include <stdlib.h>

#include "CAVIF.h"

// One build supports libavif 0.11 (Debian 12) and 1.x (Debian 13, Ubuntu 24.04). Their `avifEncoder` structs differ, so
// both layouts are declared here, up to the last field that is set, and the version of the loaded library selects one.
// `avifImage` is equal in both up to the last field that is set. The assertions check the layout of the headers used to
// compile.

typedef struct {
    avifCodecChoice codecChoice;
    int maxThreads, speed, keyframeInterval;
    uint64_t timescale;
    int minQuantizer, maxQuantizer, minQuantizerAlpha, maxQuantizerAlpha, tileRowsLog2, tileColsLog2;
    avifBool autoTiling;
} Encoder0;

typedef struct {
    avifCodecChoice codecChoice;
    int maxThreads, speed, keyframeInterval;
    uint64_t timescale;
    int repetitionCount;
    uint32_t extraLayerCount;
    int quality, qualityAlpha;
    int minQuantizer, maxQuantizer, minQuantizerAlpha, maxQuantizerAlpha, tileRowsLog2, tileColsLog2;
    avifBool autoTiling;
} Encoder1;

#if AVIF_VERSION_MAJOR == 0
typedef Encoder0 BuiltEncoder;
#else
typedef Encoder1 BuiltEncoder;
#endif
#define CHECK(field) _Static_assert(offsetof(BuiltEncoder, field) == offsetof(avifEncoder, field), #field " has moved");
CHECK(maxThreads) CHECK(speed) CHECK(minQuantizer) CHECK(maxQuantizer) CHECK(autoTiling)
_Static_assert(offsetof(avifImage, yuvPlanes) == 24, "yuvPlanes has moved");
_Static_assert(offsetof(avifImage, matrixCoefficients) == 108, "matrixCoefficients has moved");

static int major_version(const AVIFFunctions *functions) { return atoi(functions->Version()); }

const char *gscap_load_avif(const char *library, AVIFFunctions *functions) {
#define NAME(name) "avif" #name,
    static const char *const names[] = {AVIF_FUNCTIONS(NAME)};
#undef NAME
    const char *failure = gscap_load(library, names, functions, sizeof *functions);
    if (failure != NULL) return failure;
    int major = major_version(functions);
    if (major == 1 || (major == 0 && atoi(functions->Version() + 2) == 11)) return NULL;
    return "this version of libavif is not supported; use 0.11 or 1.x";
}

#define SET(Encoder)                                        \
    do {                                                    \
        Encoder *fields = (Encoder *)encoder;               \
        fields->maxThreads = settings->maxThreads;          \
        fields->speed = settings->speed;                    \
        fields->minQuantizer = settings->minQuantizer;      \
        fields->maxQuantizer = settings->maxQuantizer;      \
        fields->autoTiling = AVIF_TRUE;                     \
    } while (0)

void gscap_avif_set_up(const AVIFFunctions *functions, avifEncoder *encoder, const AVIFEncoderSettings *settings) {
    if (major_version(functions) == 0)
        SET(Encoder0);
    else
        SET(Encoder1);
}

avifResult gscap_avif_set_profile(
    const AVIFFunctions *functions, avifImage *image, const uint8_t *profile, size_t size) {
    typedef avifResult (*Set)(avifImage *, const uint8_t *, size_t);
    if (major_version(functions) > 0) return ((Set)(void *)functions->ImageSetProfileICC)(image, profile, size);
    (void)functions->ImageSetProfileICC(image, profile, size);
    return AVIF_RESULT_OK;
}

avifResult gscap_avif_set_metadata(
    const AVIFFunctions *functions, avifImage *image, const uint8_t *exif, size_t exifSize, const uint8_t *xmp,
    size_t xmpSize) {
    typedef avifResult (*Set)(avifImage *, const uint8_t *, size_t);
    int has_result = major_version(functions) > 0;
    if (exifSize > 0) {
        avifResult result = AVIF_RESULT_OK;
        if (has_result)
            result = ((Set)(void *)functions->ImageSetMetadataExif)(image, exif, exifSize);
        else
            (void)functions->ImageSetMetadataExif(image, exif, exifSize);
        if (result != AVIF_RESULT_OK) return result;
    }
    if (xmpSize == 0) return AVIF_RESULT_OK;
    if (has_result) return ((Set)(void *)functions->ImageSetMetadataXMP)(image, xmp, xmpSize);
    (void)functions->ImageSetMetadataXMP(image, xmp, xmpSize);
    return AVIF_RESULT_OK;
}
