#pragma once
#include <webp/encode.h>

/// Lists the functions that are called, without their prefix `WebP`: use(name) is expanded for each.
#define WEBP_FUNCTIONS(use) \
    use(ConfigInitInternal) use(ConfigLosslessPreset) use(Encode) use(MemoryWrite) use(MemoryWriterClear) \
    use(MemoryWriterInit) use(PictureFree) use(PictureImportRGB) use(PictureInitInternal)

/// The addresses of the functions listed above in the loaded library. Nothing links libwebp: only WebP files need it.
typedef struct {
#define FIELD(name) __typeof__(&WebP##name) name;
    WEBP_FUNCTIONS(FIELD)
#undef FIELD
} WebPFunctions;

/// Loads the library with this file name and stores the addresses of its functions. Returns NULL, or the reason for the
/// failure.
const char *gscap_load_webp(const char *library, WebPFunctions *functions);

/// Initialises a configuration for photos of this quality, 0…100, and an empty picture. Returns 0 if the library's
/// interface is incompatible with the headers used to compile. In C because the version of the interface is a macro.
int gscap_webp_init(const WebPFunctions *functions, WebPConfig *config, WebPPicture *picture, float quality);
