#pragma once
#include <avif/avif.h>

/// The functions that are called, without their `avif`: use(name) stands for one.
#define AVIF_FUNCTIONS(use) \
    use(CodecName) use(EncoderCreate) use(EncoderDestroy) use(EncoderWrite) use(ImageAllocatePlanes) \
    use(ImageCreate) use(ImageDestroy) use(ImageSetMetadataExif) use(ImageSetMetadataXMP) use(RWDataFree) \
    use(ResultToString)

/// Where they are, once their library is loaded: only pictures of its kind need it, and nothing links it.
typedef struct {
#define FIELD(name) __typeof__(&avif##name) name;
    AVIF_FUNCTIONS(FIELD)
#undef FIELD
} AVIFFunctions;

/// Loads the library of this file name. Gives NULL, or what is wrong.
const char *gscap_load_avif(const char *library, AVIFFunctions *functions);
